// SPDX-License-Identifier: MIT
// Creating and destroying worlds.
#include "runtime/base/float_modes.h"
#include "runtime/world/clip.h"
#include "runtime/world/engine.h"
#include "runtime/world/garment.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/world_def.h"

#include <stdio.h>

enum { FIRST_LIST_ROOM = 8 };

static slv_result refuse(slv_error *error, slv_result status, const char *text) {
    (void)slv_fail(error, SLV_ERROR_ARGUMENT, "%s", text);
    return status;
}

static slv_result fill_world(slv_world *world, const slv_world_def *def, slv_error *error) {
    slv_result status = slv_engine_open(world, def, error);
    if (status == SLV_OK) {
        status = slv_world_rebuild_layout(world, 0, &def->parameters);
        *error = world->error;
    }
    return status;
}

static slv_result create(const slv_world_def *def, slv_world **world, slv_error *error) {
    slv_result status = slv_world_def_check(def, error);
    if (status != SLV_OK) {
        return status;
    }
    slv_memory_limit limit = {.inner = def->allocator ? *def->allocator : slv_default_allocator(),
                              .given = (size_t)def->memory_limit << 20};
    slv_memory memory = {.allocator = slv_memory_limit_allocator(&limit)};
    slv_world *made = slv_memory_take(&memory, 1, sizeof *made);
    if (!made) {
        return refuse(error, SLV_ERROR_MEMORY, "out of memory");
    }
    memory.allocator = slv_memory_limit_allocator(&made->memory_limit);
    *made = (slv_world){
        .memory = memory,
        .memory_limit = limit,
        .parameters = def->parameters,
        .time_step = def->time_step,
        .origin = {def->origin[0], def->origin[1], def->origin[2]},
        .fallback = def->fallback,
        .keep_state = def->keep_state,
        .threads = def->threads,
        .tasks = def->tasks ? *def->tasks : (slv_task_hooks){.run = NULL},
        .body_memory = {.allocator = memory.allocator},
        .garment_handles = {.memory = {.allocator = memory.allocator}},
        .clip_handles = {.memory = {.allocator = memory.allocator}},
        .layout = {.memory = {.allocator = memory.allocator}},
        .plan = {.memory = {.allocator = memory.allocator}},
        .colliders = {.memory = {.allocator = memory.allocator},
                      .handles = {.memory = {.allocator = memory.allocator}},
                      .field_memory = {.allocator = memory.allocator}},
        .locks = {.memory = {.allocator = memory.allocator},
                  .slot_memory = {.allocator = memory.allocator},
                  .handles = {.memory = {.allocator = memory.allocator}}},
        .list_room = FIRST_LIST_ROOM,
        .max_advance = def->max_advance,
    };
    status = fill_world(made, def, error);
    if (status != SLV_OK) {
        *error = made->memory_limit.refused ? made->memory_limit.reason : *error;
        slv_world_destroy(made);
        return status;
    }
    *world = made;
    return SLV_OK;
}

slv_result slv_world_create(const slv_world_def *def, slv_world **world, char *message,
                            size_t size) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_error error = {.text = ""};
    slv_result status = SLV_ERROR_ARGUMENT;
    if (!world) {
        status = refuse(&error, SLV_ERROR_ARGUMENT, "world: the pointer for the result is NULL");
    } else {
        *world = NULL;
        status = create(def, world, &error);
    }
    if (message && size > 0) {
        (void)snprintf(message, size, "%s", error.text);
    }
    return status;
}

void slv_world_destroy(slv_world *world) {
    if (!world) {
        return;
    }
    slv_engine_close(world);
    slv_plan_destroy(&world->plan);
    slv_clips_destroy(world);
    slv_layout_destroy(&world->layout);
    for (uint32_t i = 0; i < world->body_count; i++) {
        slv_garment_entry_destroy(world, world->bodies[i]);
    }
    slv_memory_release(&world->body_memory);
    slv_memory_release(&world->garment_handles.memory);
    slv_memory_release(&world->clip_handles.memory);
    slv_memory_release(&world->colliders.handles.memory);
    slv_memory_release(&world->colliders.memory);
    slv_memory_release(&world->colliders.field_memory);
    slv_memory_release(&world->locks.handles.memory);
    slv_memory_release(&world->locks.slot_memory);
    slv_memory_release(&world->locks.memory);
    slv_memory memory = world->memory;
    slv_memory_release(&memory);
}
