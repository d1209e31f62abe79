// SPDX-License-Identifier: MIT
#include "kernels/limits.h"
#include "runtime/base/float_modes.h"
#include "runtime/base/parameter.h"
#include "runtime/step/features/limits.h"
#include "runtime/world/begin.h"
#include "runtime/world/sleeping.h"

#include <string.h>

// Limits of a garment's particles, changed while it runs.

// Whether that changes anything.
static bool set_three(float *to, const float *from) {
    bool same = to[0] == from[0] && to[1] == from[1] && to[2] == from[2];
    memcpy(to, from, 3 * sizeof *to);
    return !same;
}

// The garment, if it has limits to be set; NULL, and what the call must return, where there is none.
static slv_body *find_limited(slv_world *world, slv_garment_id id, slv_result *status) {
    slv_body *body = slv_begin_garment(world, id, status);
    if (body && !slv_limits_get(body)->limits) {
        *status = slv_refuse(world, SLV_ERROR_ARGUMENT, "the garment was added without limits");
        return NULL;
    }
    return body;
}

slv_result slv_garment_set_targets(slv_world *world, slv_garment_id id, const float *positions,
                                   const float *normals) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    slv_body *body = find_limited(world, id, &status);
    if (!body) {
        return status;
    }
    if (!positions) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "positions is NULL");
    }
    for (uint32_t p = 0; status == SLV_OK && p < body->count; p++) {
        status = slv_check_vector(&world->error, "positions", positions + 3 * (size_t)p, 3,
                                  SLV_POSITION_LIMIT);
        if (status == SLV_OK && normals) {
            status = slv_check_vector(&world->error, "normals", normals + 3 * (size_t)p, 3, 1.001);
        }
    }
    bool changed = false;
    float *limits = slv_limits_get(body)->limits;
    for (uint32_t p = 0; status == SLV_OK && p < body->count; p++) {
        float *limit = limits + (size_t)p * SLV_LIMIT_FLOATS;
        changed |= set_three(limit, positions + 3 * (size_t)p);
        changed |= normals && set_three(limit + 4, normals + 3 * (size_t)p);
    }
    if (status != SLV_OK || !changed) {
        return status;
    }
    slv_limits_write(&world->layout, slv_body_index(body), body);
    return slv_sleep_wake(world, slv_body_index(body));
}

// Writes one component of every particle's limits; whether that changes anything.
static bool set_each(const slv_body *body, const float *values, size_t component) {
    float *limits = slv_limits_get(body)->limits;
    bool changed = false;
    for (uint32_t p = 0; values && p < body->count; p++) {
        float *limit = limits + (size_t)p * SLV_LIMIT_FLOATS + component;
        changed |= *limit != values[p];
        *limit = values[p];
    }
    return changed;
}

slv_result slv_garment_set_limits(slv_world *world, slv_garment_id id, const float *max_distances,
                                  const float *backstops) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    slv_body *body = find_limited(world, id, &status);
    if (!body) {
        return status;
    }
    const slv_parameter *row = slv_find_field(&slv_garment_table, "limits");
    for (uint32_t p = 0; status == SLV_OK && p < body->count; p++) {
        if (max_distances) {
            status =
                slv_check_number(&world->error, row, "max_distances", (double)max_distances[p]);
        }
        if (status == SLV_OK && backstops) {
            status = slv_check_number(&world->error, row, "backstops", (double)backstops[p]);
        }
    }
    if (status != SLV_OK) {
        return status;
    }
    const bool nearer = set_each(body, max_distances, 3);
    if (!set_each(body, backstops, 7) && !nearer) {
        return SLV_OK;
    }
    slv_limits_write(&world->layout, slv_body_index(body), body);
    return slv_sleep_wake(world, slv_body_index(body));
}
