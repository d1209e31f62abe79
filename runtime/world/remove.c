// SPDX-License-Identifier: MIT
// Removing garments and clips. Locks of a garment go with it. What stays keeps its state bit for bit and its id; only indices move up.
#include "runtime/base/float_modes.h"
#include "runtime/step/features/sleep.h"
#include "runtime/world/begin.h"
#include "runtime/world/clip.h"
#include "runtime/world/clip_link.h"
#include "runtime/world/fetch.h"
#include "runtime/world/garment.h"
#include "runtime/world/handles.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/sleeping.h"

// --- Garments ---------------------------------------------------------------------------------------

// Takes the body at an index to the end of the list, or back from there.
static void move_to_end(slv_world *world, uint32_t index) {
    slv_body *body = world->bodies[index];
    for (uint32_t i = index; i + 1 < world->body_count; i++) {
        world->bodies[i] = world->bodies[i + 1];
    }
    world->bodies[world->body_count - 1] = body;
}

static void move_from_end(slv_world *world, uint32_t index) {
    slv_body *body = world->bodies[world->body_count - 1];
    for (uint32_t i = world->body_count - 1; i > index; i--) {
        world->bodies[i] = world->bodies[i - 1];
    }
    world->bodies[index] = body;
}

static slv_result remove_body(slv_world *world, slv_body *body) {
    const uint32_t index = slv_body_index(body);
    // Before the first change since the layout was made bodies and layout have the same order.
    slv_result status = slv_world_fetch_all(world);
    if (status != SLV_OK) {
        return status;
    }
    move_to_end(world, index);
    status = slv_world_change_bodies(world, world->body_count - 1);
    if (status != SLV_OK) {
        move_from_end(world, index);
        return status;
    }
    world->body_count--;
    for (uint32_t i = index; i < world->body_count; i++) {
        slv_garment_entry *entry = (slv_garment_entry *)world->bodies[i];
        entry->index = i;
        world->garment_handles.slots[entry->slot - 1].index = i;
    }
    slv_handles_remove(&world->garment_handles, ((slv_garment_entry *)body)->slot);
    slv_clips_forget_body(world, body);
    slv_locks_forget_body(&world->locks, index);
    slv_memory_limit_remove_pack(&world->memory_limit, ((slv_garment_entry *)body)->pack_size);
    slv_garment_entry_destroy(world, body);
    return slv_sleep_wake_all(world); // it may have carried others
}

slv_result slv_world_remove_garment(slv_world *world, slv_garment_id id) {
    SLV_DEFAULT_FLOAT_MODES;
    const slv_result status = slv_begin_objects(world);
    slv_body *body = status == SLV_OK ? slv_find_body(world, id) : NULL;
    if (!body) {
        return SLV_ERROR_ARGUMENT;
    }
    if (((slv_garment_entry *)body)->is_surface) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "id: the garment is the surface of a clip, which slv_world_remove_clip "
                          "removes");
    }
    return remove_body(world, body);
}

// --- Clips ------------------------------------------------------------------------------------------

slv_result slv_world_remove_clip(slv_world *world, slv_clip_id id) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status;
    slv_clip *clip = slv_find_clip(world, id, &status);
    if (!clip) {
        return status;
    }
    status = slv_world_fetch_all(world);
    if (status != SLV_OK) {
        return status;
    }
    status = slv_clip_release(world, clip); // while the layout has all garments
    const slv_result removed = clip->surface ? remove_body(world, clip->surface) : SLV_OK;
    status = status == SLV_OK ? removed : status;
    const uint32_t index = world->clip_handles.slots[clip->slot - 1].index;
    slv_handles_remove(&world->clip_handles, clip->slot);
    world->clip_count--;
    for (uint32_t i = index; i < world->clip_count; i++) {
        world->clips[i] = world->clips[i + 1];
        world->clip_handles.slots[world->clips[i]->slot - 1].index = i;
    }
    slv_clip_destroy(world, clip);
    return status;
}
