// SPDX-License-Identifier: MIT
#include "runtime/world/fetch.h"

#include "runtime/step/features.h"
#include "runtime/world/collider_list.h"
#include "runtime/world/engine.h"

slv_result slv_world_fetch_positions(slv_world *world) {
    return slv_engine_fetch(world, 1u << SLV_ASPECT_POSITIONS);
}

slv_result slv_world_fetch_state(slv_world *world) {
    return slv_engine_fetch(world, slv_features_get_state_aspects());
}

slv_result slv_world_fetch_bodies(slv_world *world) {
    slv_result status = SLV_OK;
    if (!world->bodies_behind) {
        return status;
    }
    status = slv_engine_fetch(world, slv_features_get_read_aspects());
    for (uint32_t i = 0; status == SLV_OK && i < world->layout.body_count; i++) {
        slv_features_read(&world->layout, i, world->bodies[i]);
    }
    world->bodies_behind = status != SLV_OK;
    return status;
}

slv_result slv_world_fetch_colliders(slv_world *world) {
    slv_result status = SLV_OK;
    if (!world->colliders_behind) {
        return status;
    }
    status = slv_engine_fetch(world, 1u << SLV_ASPECT_contacts);
    if (status == SLV_OK) {
        slv_colliders_read(&world->colliders, &world->layout);
        world->colliders_behind = false;
    }
    return status;
}

slv_result slv_world_fetch_all(slv_world *world) {
    slv_result status = slv_world_fetch_state(world);
    if (status == SLV_OK) {
        status = slv_world_fetch_colliders(world);
    }
    return status == SLV_OK ? slv_world_fetch_bodies(world) : status;
}
