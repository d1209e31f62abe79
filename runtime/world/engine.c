// SPDX-License-Identifier: MIT
#include "runtime/world/engine.h"

#include "runtime/step/features.h"
#include "runtime/world/status.h"

#include <stdio.h>
#include <string.h>

// --- Choosing ---------------------------------------------------------------------------------------

static slv_result open_backend(slv_world *world, const slv_backend *backend,
                               const slv_world_def *def, slv_error *error) {
    const slv_engine_def engine_def = {.device = def->device,
                                       .instruction_set = def->instruction_set,
                                       .threads = def->threads,
                                       .tasks = def->tasks,
                                       .deterministic = def->deterministic,
                                       .timing = def->timing,
                                       .gl_context = def->gl_context,
                                       .gl_display = def->gl_display,
                                       .gl_is_egl = def->gl_is_egl};
    slv_result status =
        backend->create(&engine_def, world->memory.allocator, &world->engine, error);
    world->backend = backend;
    world->engine = status == SLV_OK ? world->engine : NULL;
    return status;
}

static bool has_gpu(const slv_backend *backend) {
    slv_device_list list = {.count = 0};
    slv_error error;
    bool found = false;
    if (backend->list) {
        backend->list(&list, &error);
    }
    for (uint32_t i = 0; i < list.count; i++) {
        found = found || list.devices[i].is_gpu;
    }
    return found;
}

static void explain(slv_world *world, const slv_error *cause) {
    (void)snprintf(world->note, sizeof world->note, "%s; the CPU goes on in its place",
                   cause->text);
}

// The first backend with a real GPU that works, else the CPU.
static slv_result open_best(slv_world *world, const slv_world_def *def, slv_error *error) {
    for (const slv_backend *const *one = slv_backends; *one; one++) {
        if (*one != &slv_cpu_backend && has_gpu(*one)) {
            if (open_backend(world, *one, def, error) == SLV_OK) {
                return SLV_OK;
            }
            explain(world, error);
        }
    }
    return open_backend(world, &slv_cpu_backend, def, error);
}

slv_result slv_engine_open(slv_world *world, const slv_world_def *def, slv_error *error) {
    if (strcmp(def->backend, "auto") == 0) {
        return open_best(world, def, error);
    }
    const slv_backend *backend = slv_find_backend(def->backend, error);
    if (!backend && error->code == SLV_ERROR_ARGUMENT) {
        return SLV_ERROR_ARGUMENT;
    }
    slv_result status = backend ? open_backend(world, backend, def, error) : SLV_ERROR_UNSUPPORTED;
    if (status == SLV_OK || !def->fallback || backend == &slv_cpu_backend) {
        return status;
    }
    explain(world, error);
    return open_backend(world, &slv_cpu_backend, def, error);
}

void slv_engine_close(slv_world *world) {
    if (world->engine) {
        world->backend->destroy(world->engine);
        world->engine = NULL;
    }
}

// --- Failing ----------------------------------------------------------------------------------------

// The CPU takes over; the old engine is kept where even that fails.
static slv_result go_on_with_cpu(slv_world *world, slv_layout *layout, const slv_plan *plan,
                                 slv_error *cause) {
    const slv_backend *backend = world->backend;
    void *engine = world->engine;
    slv_world_def def = slv_default_world_def();
    slv_error error;
    def.threads = world->threads;
    def.tasks = world->tasks.run ? &world->tasks : NULL;
    slv_result status = open_backend(world, &slv_cpu_backend, &def, &error);
    if (status == SLV_OK) {
        status = world->backend->load(world->engine, layout, plan, &error);
    }
    if (status != SLV_OK) {
        slv_engine_close(world);
        world->backend = backend;
        world->engine = engine;
        return status;
    }
    slv_layout_stage(layout, (slv_staging){.state = NULL});
    backend->destroy(engine);
    explain(world, cause);
    world->behind = 0;
    return SLV_OK;
}

static void attach_bodies(slv_world *world, const slv_layout *layout) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_features_attach(layout, i, world->bodies[i]);
    }
}

static bool may_go_on(const slv_world *world) {
    return world->fallback && world->backend->download != NULL;
}

bool slv_engine_replace(slv_world *world, slv_error *cause) {
    const bool replaced =
        may_go_on(world) && go_on_with_cpu(world, &world->layout, &world->plan, cause) == SLV_OK;
    if (replaced) {
        attach_bodies(world, &world->layout);
    }
    return replaced;
}

// --- Loading ----------------------------------------------------------------------------------------

static size_t count_state(const slv_layout *layout) {
    const unsigned aspects = slv_features_get_state_aspects();
    size_t floats = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        for (int a = 0; a < SLV_ASPECT_COUNT; a++) {
            floats += aspects & 1u << a ? layout->extents[i].state[a].count : 0;
        }
    }
    return floats;
}

slv_result slv_engine_make_room(slv_world *world, slv_layout *layout) {
    if (world->backend->download && !layout->kept) {
        layout->kept = slv_memory_take(&layout->memory, count_state(layout), sizeof *layout->kept);
    }
    return layout->kept || !world->backend->download
               ? SLV_OK
               : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
}

slv_result slv_engine_load(slv_world *world, slv_layout *layout, const slv_plan *plan) {
    if (layout && world->keep_state && slv_engine_make_room(world, layout) != SLV_OK) {
        return SLV_ERROR_MEMORY;
    }
    slv_result status = world->backend->load(world->engine, layout, plan, &world->error);
    if (status != SLV_OK && may_go_on(world) && world->behind == 0) {
        slv_error cause = world->error;
        status = go_on_with_cpu(world, layout ? layout : &world->layout, plan, &cause);
    } else if (status == SLV_OK && layout && world->backend->get_staging) {
        slv_layout_stage(layout, world->backend->get_staging(world->engine));
    }
    if (status == SLV_OK) {
        attach_bodies(world, layout ? layout : &world->layout);
    }
    return status;
}

// --- Copying ----------------------------------------------------------------------------------------

static slv_result upload_aspect(slv_world *world, const slv_body_extents *extents, int aspect) {
    slv_result status = SLV_OK;
    if (extents->state[aspect].count > 0) {
        status =
            world->backend->upload(world->engine, false, extents->state[aspect], &world->error);
    }
    if (status == SLV_OK && extents->table[aspect].count > 0) {
        status = world->backend->upload(world->engine, true, extents->table[aspect], &world->error);
    }
    return status;
}

slv_result slv_engine_upload(slv_world *world) {
    slv_result status = SLV_OK;
    for (uint32_t i = 0; status == SLV_OK && i <= world->layout.body_count; i++) {
        slv_body_extents *extents = &world->layout.extents[i];
        for (int a = 0; status == SLV_OK && a < SLV_ASPECT_COUNT; a++) {
            if (world->backend->upload && extents->written & 1u << a) {
                status = upload_aspect(world, extents, a);
            }
        }
        extents->written = status == SLV_OK ? 0 : extents->written;
    }
    return status;
}

static slv_extent extent_of(const slv_layout *layout, uint32_t body, int aspect) {
    slv_extent extent = layout->extents[body].state[aspect];
    if (aspect == SLV_ASPECT_PREVIOUS && extent.count > 0) { // of the two, the present one
        extent.first = (size_t)layout->bodies[body].prev[layout->parity];
        extent.count /= 2;
    }
    return extent;
}

static slv_result fetch_aspect(slv_world *world, int aspect) {
    slv_result status = SLV_OK;
    for (uint32_t i = 0; status == SLV_OK && i <= world->layout.body_count; i++) {
        const slv_extent extent = extent_of(&world->layout, i, aspect);
        if (extent.count > 0) {
            status = world->backend->download(world->engine, extent, &world->error);
        }
    }
    world->behind &= status == SLV_OK ? ~(1u << aspect) : ~0u;
    return status;
}

slv_result slv_engine_fetch(slv_world *world, unsigned aspects) {
    slv_result status = SLV_OK;
    for (int a = 0; status == SLV_OK && a < SLV_ASPECT_COUNT; a++) {
        if (aspects & world->behind & 1u << a) {
            status = fetch_aspect(world, a);
        }
    }
    return status;
}
