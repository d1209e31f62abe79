// SPDX-License-Identifier: MIT
#include "runtime/world/clip.h"

#include "runtime/world/begin.h"
#include "runtime/world/clip_ring.h"

slv_clip *slv_find_clip(slv_world *world, slv_clip_id id, slv_result *status) {
    *status = slv_begin(world);
    if (*status != SLV_OK) {
        return NULL;
    }
    const uint32_t index =
        slv_find_index(world, &world->clip_handles, (slv_handle){id.slot, id.generation}, "clip");
    *status = index == SLV_NO_INDEX ? SLV_ERROR_ARGUMENT : SLV_OK;
    return index == SLV_NO_INDEX ? NULL : world->clips[index];
}

slv_clip *slv_find_clip_for(slv_world *world, slv_clip_id id, const void *given, const char *name,
                            slv_result *status) {
    slv_clip *clip = slv_find_clip(world, id, status);
    if (clip && !given) {
        *status = slv_refuse(world, SLV_ERROR_ARGUMENT, "%s is NULL", name);
        return NULL;
    }
    return clip;
}

void slv_clip_destroy(slv_world *world, slv_clip *clip) {
    for (uint32_t l = 0; l < clip->link_count; l++) {
        slv_memory_release(&clip->links[l].memory);
    }
    slv_clip_ring_destroy(clip->ring);
    slv_collider_pack_close(&clip->frames);
    slv_world_close_pack(world, &clip->pack);
    slv_memory_limit_remove_pack(&world->memory_limit, clip->pack.file_size);
    slv_memory memory = clip->memory;
    slv_memory_release(&memory);
}

void slv_clips_destroy(slv_world *world) {
    for (uint32_t i = 0; i < world->clip_count; i++) {
        slv_clip_destroy(world, world->clips[i]);
    }
    world->clip_count = 0;
}

void slv_clips_reset(slv_world *world) {
    for (uint32_t i = 0; i < world->clip_count; i++) {
        world->clips[i]->play = world->clips[i]->start;
        world->clips[i]->mesh_current = false;
    }
}
