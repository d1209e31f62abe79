// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/world.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORLD_COOKIE = 0x51F0A6E1, THREAD_LIMIT = 256 };

// --- Definition -------------------------------------------------------------------------------------

slv_world_def slv_default_world_def(void) {
    return (slv_world_def){
        .parameters =
            {
                .solver = SLV_PD_RBGS,
                .outer_iterations = 4,
                .inner_iterations = 4,
                .relaxation = 1.0f,
                .integrate = true,
                .gravity = {0.0f, -9.81f, 0.0f},
                .damping = 0.1f,
            },
        .time_step = 0.002,
        .backend = "cpu",
        .cookie = WORLD_COOKIE,
    };
}

static slv_status refuse(slv_error *error, slv_status status, const char *text) {
    (void)slv_fail(error, SLV_ERROR_USAGE, "%s", text);
    return status;
}

static slv_status check_def(const slv_world_def *def, slv_error *error) {
    if (!def || def->cookie != WORLD_COOKIE) {
        return refuse(error, SLV_STATUS_ARGUMENT,
                      "def: a definition must come from slv_default_world_def");
    }
    if (!def->backend) {
        return refuse(error, SLV_STATUS_ARGUMENT, "backend is NULL, should be \"cpu\" or \"auto\"");
    }
    if (strcmp(def->backend, "cpu") != 0 && strcmp(def->backend, "auto") != 0) {
        (void)slv_fail(error, SLV_ERROR_UNSUPPORTED, "backend '%s': this library has \"cpu\"",
                       def->backend);
        return SLV_STATUS_UNSUPPORTED;
    }
    if (def->allocator && (!def->allocator->allocate || !def->allocator->release)) {
        return refuse(error, SLV_STATUS_ARGUMENT, "allocator: both functions are needed");
    }
    if (def->tasks && !def->tasks->run) {
        return refuse(error, SLV_STATUS_ARGUMENT, "tasks: the function run is needed");
    }
    slv_status status = slv_check_parameters(error, &def->parameters);
    if (status == SLV_STATUS_OK) {
        status = slv_check_between(error, "time_step", def->time_step, 1e-6, 1.0);
    }
    if (status == SLV_STATUS_OK) {
        status = slv_check_between(error, "threads", def->threads, 0, THREAD_LIMIT);
    }
    return status;
}

// --- Creation ---------------------------------------------------------------------------------------

static uint32_t count_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > THREAD_LIMIT ? THREAD_LIMIT : (uint32_t)count;
}

// "model name : AMD EPYC" where the system tells; otherwise the architecture alone.
static void describe_device(char *device, size_t size, const char *instruction_set) {
    char model[80] = "processor";
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon && colon[1] == ' ') {
            (void)snprintf(model, sizeof model, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file) {
        (void)fclose(file);
    }
    (void)snprintf(device, size, "%s, %s", model, instruction_set);
}

static slv_status create(const slv_world_def *def, slv_world **world, slv_error *error) {
    slv_status status = check_def(def, error);
    if (status != SLV_STATUS_OK) {
        return status;
    }
    const slv_instruction_set *set = slv_find_instruction_set(def->instruction_set);
    if (!set) {
        (void)slv_fail(error, SLV_ERROR_UNSUPPORTED,
                       "instruction_set '%s' is not one of this processor's", def->instruction_set);
        return SLV_STATUS_UNSUPPORTED;
    }
    slv_memory memory = {.allocator = def->allocator ? *def->allocator : slv_default_allocator()};
    slv_world *made = slv_memory_take(&memory, 1, sizeof *made);
    slv_team *team = NULL;
    if (made) {
        team =
            slv_team_create(def->threads ? def->threads : count_processors(), def->tasks, &memory);
    }
    if (!team) {
        slv_memory_release(&memory);
        return refuse(error, SLV_STATUS_MEMORY, "out of memory");
    }
    *made = (slv_world){
        .memory = memory,
        .parameters = def->parameters,
        .time_step = def->time_step,
        .instruction_set = set,
        .team = team,
        .body_memory = {.allocator = memory.allocator},
        .form = {.memory = {.allocator = memory.allocator}},
    };
    describe_device(made->device, sizeof made->device, set->name);
    *world = made;
    return SLV_STATUS_OK;
}

slv_status slv_world_create(const slv_world_def *def, slv_world **world, char *message,
                            size_t size) {
    slv_error error = {.text = ""};
    slv_status status = SLV_STATUS_ARGUMENT;
    if (!world) {
        status = refuse(&error, SLV_STATUS_ARGUMENT, "world: there is no place to put it");
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
    slv_team_destroy(world->team);
    slv_form_destroy(&world->form);
    for (uint32_t i = 0; i < world->body_count; i++) {
        slv_body_destroy(world->bodies[i]);
    }
    slv_memory_release(&world->body_memory);
    slv_memory memory = world->memory;
    slv_memory_release(&memory);
}

// --- Parameters -------------------------------------------------------------------------------------

slv_parameters slv_world_get_parameters(const slv_world *world) {
    return world ? world->parameters : slv_default_world_def().parameters;
}

// Without integration particles have no velocity: when it comes back they begin at rest.
static void stop_motion(slv_world *world) {
    const slv_form *form = &world->form;
    for (uint32_t i = 0; i < form->part_count; i++) {
        const slv_part *part = &form->parts[i];
        size_t floats = (size_t)part->slots * (part->stride == 1 ? 3 : (size_t)part->stride);
        memcpy(form->state + part->prev[form->parity], form->state + part->q,
               floats * sizeof *form->state);
    }
}

slv_status slv_world_set_parameters(slv_world *world, const slv_parameters *parameters) {
    slv_status status = slv_begin(world);
    if (status != SLV_STATUS_OK) {
        return status;
    }
    if (!parameters) {
        return slv_refuse(world, SLV_STATUS_ARGUMENT, "parameters is NULL");
    }
    status = slv_check_parameters(&world->error, parameters);
    if (status != SLV_STATUS_OK) {
        return status;
    }
    slv_form_settings settings = slv_world_form_settings(world);
    settings.solver = parameters->solver;
    status = slv_world_reform(world, world->body_count, &settings);
    if (status == SLV_STATUS_OK) {
        if (parameters->integrate && !world->parameters.integrate) {
            stop_motion(world);
        }
        world->parameters = *parameters;
    }
    return status;
}

slv_world_device slv_world_get_device(const slv_world *world) {
    if (!world) {
        return (slv_world_device){.backend = "", .device = "", .instruction_set = ""};
    }
    return (slv_world_device){
        .backend = "cpu",
        .device = world->device,
        .instruction_set = world->instruction_set->name,
        .threads = slv_team_size(world->team),
    };
}

// --- Form -------------------------------------------------------------------------------------------

slv_form_settings slv_world_form_settings(const slv_world *world) {
    return (slv_form_settings){.solver = world->parameters.solver,
                               .indexed = world->indexed,
                               .time_step = world->time_step};
}

// Whether the present form already is what building anew would give.
static bool form_fits(const slv_world *world, uint32_t count, const slv_form_settings *settings) {
    bool fits = world->form.part_count == count;
    for (uint32_t i = 0; fits && i < count; i++) {
        fits =
            slv_form_is_strided(world->bodies[i], settings) == (world->form.parts[i].stride == 1);
    }
    return fits;
}

slv_status slv_world_reform(slv_world *world, uint32_t count, const slv_form_settings *settings) {
    if (form_fits(world, count, settings)) {
        return SLV_STATUS_OK;
    }
    slv_form form;
    slv_memory scratch = {.allocator = world->memory.allocator};
    uint32_t largest = 0;
    for (uint32_t i = 0; i < world->form.part_count; i++) {
        largest = world->bodies[i]->count > largest ? world->bodies[i]->count : largest;
    }
    float *values = slv_memory_take(&scratch, largest, 6 * sizeof *values);
    slv_status status = values ? slv_form_create(&form, world->bodies, count, settings,
                                                 world->memory.allocator, &world->error)
                               : slv_refuse(world, SLV_STATUS_MEMORY, "out of memory");
    if (status == SLV_STATUS_OK) {
        for (uint32_t i = 0; i < world->form.part_count; i++) {
            uint32_t particles = world->bodies[i]->count;
            slv_form_read(&world->form, i, 0, particles, values);
            slv_form_write(&form, i, 0, particles, values);
        }
        slv_form_destroy(&world->form);
        world->form = form;
    }
    slv_memory_release(&scratch);
    return status;
}
