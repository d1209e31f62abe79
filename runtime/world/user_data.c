// SPDX-License-Identifier: MIT
// Pointers that a caller hangs on a world and its objects.
#include "runtime/world/begin.h"
#include "runtime/world/clip.h"
#include "runtime/world/collider.h"
#include "runtime/world/handles.h"

slv_result slv_world_set_user_data(slv_world *world, void *user_data) {
    const slv_result status = slv_begin_objects(world);
    if (status == SLV_OK) {
        world->user_data = user_data;
    }
    return status;
}

void *slv_world_get_user_data(const slv_world *world) {
    return world ? world->user_data : NULL;
}

slv_result slv_garment_set_user_data(slv_world *world, slv_garment_id id, void *user_data) {
    const slv_result status = slv_begin_objects(world);
    slv_body *body = status == SLV_OK ? slv_find_body(world, id) : NULL;
    if (!body) {
        return SLV_ERROR_ARGUMENT;
    }
    ((slv_garment_entry *)body)->user_data = user_data;
    return SLV_OK;
}

void *slv_garment_get_user_data(const slv_world *world, slv_garment_id id) {
    const uint32_t index = slv_garment_get_index(world, id);
    return index == SLV_NO_INDEX ? NULL
                                 : ((const slv_garment_entry *)world->bodies[index])->user_data;
}

slv_result slv_clip_set_user_data(slv_world *world, slv_clip_id id, void *user_data) {
    slv_result status;
    slv_clip *clip = slv_find_clip(world, id, &status);
    if (clip) {
        clip->user_data = user_data;
    }
    return status;
}

void *slv_clip_get_user_data(const slv_world *world, slv_clip_id id) {
    if (!slv_clip_is_valid(world, id)) {
        return NULL;
    }
    const slv_handle handle = {id.slot, id.generation};
    return world->clips[slv_handles_find(&world->clip_handles, handle)]->user_data;
}

slv_result slv_collider_set_user_data(slv_world *world, slv_collider_id id, void *user_data) {
    slv_result status = SLV_OK;
    slv_collider_entry *entry = slv_find_collider(world, id, &status);
    if (entry) {
        entry->user_data = user_data;
    }
    return status;
}

void *slv_collider_get_user_data(const slv_world *world, slv_collider_id id) {
    if (!slv_collider_is_valid(world, id)) {
        return NULL;
    }
    const slv_handle handle = {id.slot, id.generation};
    const uint32_t index = slv_handles_find(&world->colliders.handles, handle);
    return world->colliders.entries[index].user_data;
}
