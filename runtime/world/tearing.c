// SPDX-License-Identifier: MIT
#include "runtime/step/features/tearing.h"
#include "runtime/base/float_modes.h"
#include "runtime/world/begin.h"
#include "runtime/world/fetch.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/sleeping.h"

// Constraints that were whole are 2 until it is certain that they are cut.
static uint32_t mark_cuts(uint8_t *torn, const uint32_t *constraints, uint32_t count) {
    uint32_t marked = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!torn[constraints[i]]) {
            torn[constraints[i]] = 2;
            marked++;
        }
    }
    return marked;
}

static void settle_cuts(uint8_t *torn, uint32_t springs, bool cut) {
    for (uint32_t s = 0; s < springs; s++) {
        torn[s] = torn[s] == 2 ? cut : torn[s];
    }
}

slv_result slv_garment_cut(slv_world *world, slv_garment_id id, const uint32_t *constraints,
                           uint32_t count) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    slv_body *body = slv_begin_garment(world, id, &status);
    if (!body || (!constraints && count > 0)) {
        return body ? slv_refuse(world, SLV_ERROR_ARGUMENT, "constraints is NULL") : status;
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
    slv_tears *tears = slv_tears_get(body);
    const float threshold = tears->threshold;
    if (!slv_tearing_begin(body, threshold > 0.0f ? threshold : slv_tearing_never)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    tears->only_cut = tears->only_cut || !(threshold > 0.0f);
    const bool stale = world->stale;
    const uint32_t marked = mark_cuts(tears->torn, constraints, count);
    world->stale = stale || marked > 0;
    status = slv_world_rebuild_layout(world, world->body_count, &world->parameters);
    settle_cuts(tears->torn, body->spring_count, status == SLV_OK);
    if (status == SLV_OK) {
        tears->count += marked;
        status = slv_sleep_wake(world, slv_body_index(body));
    } else {
        tears->threshold = threshold;
        world->stale = stale;
    }
    return status;
}
