// SPDX-License-Identifier: MIT
#include "runtime/model/tears.h"
#include "runtime/world/fetch.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/sleeping.h"
#include "runtime/world/status.h"

// Constraints that were whole are 2 until it is certain that they are cut.
static uint32_t mark_cuts(slv_body *body, const uint32_t *constraints, uint32_t count) {
    uint32_t marked = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!body->torn[constraints[i]]) {
            body->torn[constraints[i]] = 2;
            marked++;
        }
    }
    return marked;
}

static void settle_cuts(slv_body *body, bool cut) {
    for (uint32_t s = 0; s < body->spring_count; s++) {
        body->torn[s] = body->torn[s] == 2 ? cut : body->torn[s];
    }
}

slv_result slv_garment_cut(slv_world *world, slv_garment_id id, const uint32_t *constraints,
                           uint32_t count) {
    slv_result status = slv_begin(world);
    slv_body *body = status == SLV_OK ? slv_find_body(world, id) : NULL;
    if (!body || (!constraints && count > 0)) {
        return body ? slv_refuse(world, SLV_ERROR_ARGUMENT, "constraints is NULL")
                    : SLV_ERROR_ARGUMENT;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (constraints[i] >= body->spring_count) {
            return slv_refuse(world, SLV_ERROR_ARGUMENT,
                              "constraints[%u]: there is no constraint %u, the garment has %u", i,
                              constraints[i], body->spring_count);
        }
    }
    status = slv_world_fetch_bodies(world);
    if (status != SLV_OK || count == 0) {
        return status;
    }
    const float tearing = body->tearing;
    if (!slv_body_make_tearable(body, tearing > 0.0f ? tearing : slv_tearing_never)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    body->only_cut = body->only_cut || !(tearing > 0.0f);
    const bool stale = world->stale;
    const uint32_t marked = mark_cuts(body, constraints, count);
    world->stale = stale || marked > 0;
    status = slv_world_rebuild_layout(world, world->body_count, &world->parameters);
    settle_cuts(body, status == SLV_OK);
    if (status == SLV_OK) {
        body->torn_count += marked;
        status = slv_sleep_wake(world, slv_body_index(body));
    } else {
        body->tearing = tearing;
        world->stale = stale;
    }
    return status;
}
