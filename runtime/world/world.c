// SPDX-License-Identifier: MIT
#include "runtime/world/world.h"
#include "runtime/world/clip.h"

#include "runtime/world/engine.h"
#include "runtime/world/sleeping.h"

#include <stdio.h>
#include <string.h>

enum { WORLD_COOKIE = 0x51F0A6E1, FIRST_LIST_ROOM = 8 };

_Static_assert(SLV_THREAD_LIMIT == 256, "the range of threads in parameters/world.def");

// --- Definition -------------------------------------------------------------------------------------

slv_world_def slv_default_world_def(void) {
    slv_world_def def = {.cookie = WORLD_COOKIE};
    slv_fill_defaults(&slv_world_table, &def);
    slv_fill_defaults(&slv_parameters_table, &def.parameters);
    return def;
}

static slv_result refuse(slv_error *error, slv_result status, const char *text) {
    (void)slv_fail(error, SLV_ERROR_ARGUMENT, "%s", text);
    return status;
}

static slv_result check_def(const slv_world_def *def, slv_error *error) {
    if (!def || def->cookie != WORLD_COOKIE) {
        return refuse(error, SLV_ERROR_ARGUMENT,
                      "def: a definition must come from slv_default_world_def");
    }
    if (!def->backend) {
        return refuse(error, SLV_ERROR_ARGUMENT, "backend is NULL, should be \"cpu\" or \"auto\"");
    }
    if (def->allocator && (!def->allocator->allocate || !def->allocator->release)) {
        return refuse(error, SLV_ERROR_ARGUMENT, "allocator: both functions are needed");
    }
    if (def->tasks && !def->tasks->run) {
        return refuse(error, SLV_ERROR_ARGUMENT, "tasks: the function run is needed");
    }
    slv_result status = slv_check_fields(error, &slv_parameters_table, &def->parameters);
    return status == SLV_OK ? slv_check_fields(error, &slv_world_table, def) : status;
}

// --- Creation ---------------------------------------------------------------------------------------

static slv_result fill_world(slv_world *world, const slv_world_def *def, slv_error *error) {
    slv_result status = slv_engine_open(world, def, error);
    if (status == SLV_OK) {
        status = slv_world_rebuild_layout(world, 0, &def->parameters);
        *error = world->error;
    }
    return status;
}

static slv_result create(const slv_world_def *def, slv_world **world, slv_error *error) {
    slv_result status = check_def(def, error);
    if (status != SLV_OK) {
        return status;
    }
    slv_memory memory = {.allocator = def->allocator ? *def->allocator : slv_default_allocator()};
    slv_world *made = slv_memory_take(&memory, 1, sizeof *made);
    if (!made) {
        return refuse(error, SLV_ERROR_MEMORY, "out of memory");
    }
    *made = (slv_world){
        .memory = memory,
        .parameters = def->parameters,
        .time_step = def->time_step,
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
        .list_room = FIRST_LIST_ROOM,
        .max_advance = def->max_advance,
    };
    status = fill_world(made, def, error);
    if (status != SLV_OK) {
        slv_world_destroy(made);
        return status;
    }
    *world = made;
    return SLV_OK;
}

slv_result slv_world_create(const slv_world_def *def, slv_world **world, char *message,
                            size_t size) {
    slv_error error = {.text = ""};
    slv_result status = SLV_ERROR_ARGUMENT;
    if (!world) {
        status = refuse(&error, SLV_ERROR_ARGUMENT, "world: there is no place to put it");
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
        slv_garment_entry_destroy(world->bodies[i]);
    }
    slv_memory_release(&world->body_memory);
    slv_memory_release(&world->garment_handles.memory);
    slv_memory_release(&world->clip_handles.memory);
    slv_memory_release(&world->colliders.handles.memory);
    slv_memory_release(&world->colliders.memory);
    slv_memory_release(&world->colliders.field_memory);
    slv_memory memory = world->memory;
    slv_memory_release(&memory);
}

// --- Parameters -------------------------------------------------------------------------------------

slv_parameters slv_world_get_parameters(const slv_world *world) {
    return world ? world->parameters : slv_default_world_def().parameters;
}

// Without integration particles have no velocity: when it comes back they begin at rest.
static slv_result stop_motion(slv_world *world) {
    slv_result status = slv_world_fetch_state(world);
    for (uint32_t i = 0; status == SLV_OK && i < world->layout.body_count; i++) {
        slv_layout_stop(&world->layout, i);
    }
    return status;
}

slv_result slv_world_set_parameters(slv_world *world, const slv_parameters *parameters) {
    slv_result status = slv_begin_with(world, parameters, "parameters");
    if (status != SLV_OK) {
        return status;
    }
    status = slv_check_fields(&world->error, &slv_parameters_table, parameters);
    if (status != SLV_OK) {
        return status;
    }
    bool starts = parameters->integrate && !world->parameters.integrate;
    bool same = slv_fields_equal(&slv_parameters_table, parameters, &world->parameters);
    status = slv_world_rebuild_layout(world, world->body_count, parameters);
    if (status == SLV_OK && !same) {
        status = slv_sleep_wake_all(world);
    }
    return status == SLV_OK && starts ? stop_motion(world) : status;
}

slv_world_device slv_world_get_device(const slv_world *world) {
    if (!world) {
        return (slv_world_device){.backend = "", .device = "", .instruction_set = "", .note = ""};
    }
    slv_world_device device = world->backend->describe(world->engine);
    device.note = world->note[0] || !device.note ? world->note : device.note;
    return device;
}
