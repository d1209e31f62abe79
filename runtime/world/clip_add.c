// SPDX-License-Identifier: MIT
// Adding clips.
#include "runtime/base/float_modes.h"
#include "runtime/world/begin.h"
#include "runtime/world/clip.h"
#include "runtime/world/clip_link.h"
#include "runtime/world/clip_ring.h"
#include "runtime/world/clip_sample.h"
#include "runtime/world/clip_time.h"
#include "runtime/world/garment.h"
#include "runtime/world/handles.h"
#include "runtime/world/origin.h"

#include <string.h>

enum { CLIP_COOKIE = 0x51C11B0D };

slv_clip_def slv_default_clip_def(void) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_clip_def def = {.cookie = CLIP_COOKIE};
    slv_fill_defaults(&slv_clip_table, &def);
    return def;
}

static slv_result check_def(slv_world *world, const slv_clip_def *def) {
    if (!def || def->cookie != CLIP_COOKIE) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "def: a definition must come from slv_default_clip_def");
    }
    if ((def->pack_path != NULL) == (def->pack_bytes != NULL)) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "pack_path, pack_bytes: exactly one of them is needed");
    }
    return slv_check_fields(&world->error, &slv_clip_table, def);
}

static slv_result open_pack(slv_world *world, const slv_clip_def *def, slv_clip *clip) {
    const slv_pack_source source = {def->pack_path, def->pack_bytes, def->pack_size, def->copy};
    slv_result result = slv_world_open_pack(world, &source, &clip->pack);
    if (result == SLV_OK) {
        result = slv_collider_pack_open(clip->pack.pack, &clip->frames, &world->error);
    }
    if (result == SLV_OK) {
        result =
            slv_world_count_memory(world, &clip->pack, slv_collider_pack_get_memory(&clip->frames));
    }
    if (result != SLV_OK) {
        return result;
    }
    clip->ring = slv_clip_ring_create(&clip->frames, world->memory.allocator);
    return clip->ring ? SLV_OK : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
}

// The surface as a garment of particles that never move by themselves: what meets garments meets it.
static slv_result add_surface(slv_world *world, slv_clip *clip, const slv_clip_def *def) {
    const uint32_t count = clip->frames.info.particle_count;
    slv_memory scratch = {.allocator = world->memory.allocator};
    float *positions = slv_memory_take(&scratch, 3 * (size_t)count, sizeof *positions);
    float *masses = slv_memory_take(&scratch, count, sizeof *masses);
    uint32_t *order = slv_memory_take(&scratch, count, sizeof *order);
    slv_clip_blend blend =
        slv_clip_blend_at(clip, slv_clip_time(clip, world->clock.steps, world->time_step));
    if (!positions || !masses || !order) {
        slv_memory_release(&scratch);
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_clip_sampler at;
    slv_clip_prefetch(world, clip, blend, blend, world->clock.steps);
    slv_result status = slv_clip_link_surface(world, clip);
    if (status == SLV_OK) {
        status = slv_clip_sampler_make(world, clip, SLV_MOTION_PARTICLES, blend, world->clock.steps,
                                       &at);
    }
    for (uint32_t i = 0; status == SLV_OK && i < count; i++) {
        float point[3];
        slv_clip_sample(&at, i, point);
        for (size_t d = 0; d < 3; d++) {
            positions[d * count + i] = point[d];
        }
        order[i] = i;
    }
    if (status == SLV_OK) {
        status = slv_world_add_fixed_points(world, positions, masses, order, count,
                                            clip->frames.info.radius * def->scale, def->friction);
    }
    slv_memory_release(&scratch);
    if (status != SLV_OK) {
        return status;
    }
    clip->surface = world->bodies[world->body_count - 1];
    ((slv_garment_entry *)clip->surface)->is_surface = true;
    clip->links[0].body = clip->surface;
    return SLV_OK;
}

static void set_play(const slv_world *world, const slv_clip_def *def, slv_clip *clip) {
    const double duration = clip->frames.info.duration;
    clip->play = (slv_clip_play){.base_time = def->time,
                                 .base_step = world->clock.steps,
                                 .speed = def->speed,
                                 .loop_from = def->loop_from < duration ? def->loop_from : duration,
                                 .loop = def->loop ? 1 : 0};
    slv_origin_make_local(world, def->position, clip->play.to.position);
    memcpy(clip->play.to.rotation, def->rotation, sizeof def->rotation);
    clip->play.from = clip->play.to;
    clip->start = clip->play;
    clip->start.base_step = 0;
    memcpy(clip->start_origin, world->origin, sizeof clip->start_origin);
}

slv_result slv_world_add_clip(slv_world *world, const slv_clip_def *def, slv_clip_id *id) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin_objects(world);
    if (status == SLV_OK) {
        status = check_def(world, def);
    }
    if (status == SLV_OK) {
        status = slv_origin_check(world, def->position, SLV_POSITION_LIMIT);
    }
    if (status != SLV_OK) {
        return status;
    }
    if (world->clip_count == SLV_WORLD_CLIPS) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "a world holds at most %d clips",
                          SLV_WORLD_CLIPS);
    }
    if (!slv_handles_grow(&world->clip_handles)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_memory memory = {.allocator = world->memory.allocator};
    slv_clip *clip = slv_memory_take(&memory, 1, sizeof *clip);
    if (!clip) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    clip->memory = memory;
    status = open_pack(world, def, clip);
    if (status == SLV_OK) {
        clip->scale = def->scale;
        set_play(world, def, clip);
        status = def->solid ? add_surface(world, clip, def) : SLV_OK;
    }
    if (status != SLV_OK) {
        slv_clip_destroy(world, clip);
        return status;
    }
    slv_clip_ring_forget_waits(clip->ring); // the first frame is always waited for
    clip->slot = slv_handles_add(&world->clip_handles, world->clip_count).slot;
    world->clips[world->clip_count++] = clip;
    if (id) {
        *id = slv_world_get_clip(world, world->clip_count - 1);
    }
    return SLV_OK;
}
