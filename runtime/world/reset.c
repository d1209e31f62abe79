// SPDX-License-Identifier: MIT
#include "runtime/world/reset.h"

#include "runtime/base/float_modes.h"
#include "runtime/layout/layout_build.h"
#include "runtime/step/features.h"
#include "runtime/world/begin.h"
#include "runtime/world/clip.h"
#include "runtime/world/collider_list.h"
#include "runtime/world/origin.h"
#include "runtime/world/rebuild.h"

#include <string.h>

static void reset_body(slv_world *world, uint32_t index) {
    slv_body *body = world->bodies[index];
    memcpy(body->fixed, body->start_fixed, body->count * sizeof *body->fixed);
    body->pose = body->start_pose;
    body->surface.current = false;
    slv_layout_write_start(&world->layout, index, body);
    slv_features_reset(&world->layout, index, body);
    slv_origin_follow_body(world, index);
    slv_layout_set_response(&world->layout, index, body, world->time_step);
    world->stale = world->stale || slv_features_need_rebuild(body);
}

void slv_world_rewind(slv_world *world) {
    for (uint32_t i = 0; i < world->body_count; i++) {
        reset_body(world, i);
    }
    slv_clips_reset(world);
    slv_colliders_reset(&world->colliders);
    for (uint32_t i = 0; i < world->clip_count; i++) {
        slv_origin_follow_clip(world, world->clips[i]);
    }
    for (uint32_t i = 0; i < world->colliders.count; i++) {
        slv_origin_follow_collider(world, &world->colliders.entries[i]);
    }
    slv_colliders_write(&world->colliders, &world->layout);
    world->behind = 0;
    world->bodies_behind = false;
    world->colliders_behind = false;
    world->clock = (slv_clock){0};
}

slv_result slv_world_reset(slv_world *world) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin(world);
    if (status == SLV_OK) {
        slv_world_rewind(world);
        status = slv_world_renew_layout(world);
    }
    return status;
}
