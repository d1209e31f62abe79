// SPDX-License-Identifier: MIT
#include "runtime/world/sleeping.h"

#include "runtime/base/float_modes.h"
#include "runtime/step/feature.h"
#include "runtime/step/features/sleep.h"
#include "runtime/world/begin.h"
#include "runtime/world/engine.h"

// --- Waking -----------------------------------------------------------------------------------------

slv_result slv_sleep_wake(slv_world *world, uint32_t index) {
    slv_result status = SLV_OK;
    if (slv_sleep_exists(&world->layout) && index < world->layout.body_count) {
        status = slv_engine_fetch(world, 1u << SLV_ASPECT_sleep);
        if (status == SLV_OK) {
            slv_sleep_wake_body(&world->layout, index);
        }
    }
    return status;
}

slv_result slv_sleep_wake_all(slv_world *world) {
    slv_result status = SLV_OK;
    for (uint32_t i = 0; status == SLV_OK && i < world->layout.body_count; i++) {
        status = slv_sleep_wake(world, i);
    }
    return status;
}

// --- Public calls -----------------------------------------------------------------------------------

slv_result slv_garment_wake(slv_world *world, slv_garment_id id) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    const slv_body *body = slv_begin_garment(world, id, &status);
    return status == SLV_OK ? slv_sleep_wake(world, slv_body_index(body)) : status;
}

slv_result slv_garment_is_asleep(slv_world *world, slv_garment_id id, bool *asleep) {
    slv_result status = SLV_OK;
    const slv_body *body = slv_begin_body(world, id, asleep, "asleep", &status);
    if (!body) {
        return status;
    }
    status = slv_engine_fetch(world, 1u << SLV_ASPECT_sleep);
    if (status == SLV_OK) {
        *asleep = slv_sleep_is_asleep(&world->layout, slv_body_index(body));
    }
    return status;
}

slv_result slv_world_get_asleep_count(slv_world *world, uint32_t *count) {
    slv_result status = slv_begin_with(world, count, "count");
    if (status != SLV_OK) {
        return status;
    }
    status = slv_engine_fetch(world, 1u << SLV_ASPECT_sleep);
    *count = 0;
    for (uint32_t i = 0; status == SLV_OK && i < world->body_count; i++) {
        *count += slv_sleep_is_asleep(&world->layout, i) ? 1 : 0;
    }
    return status;
}
