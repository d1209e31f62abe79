// SPDX-License-Identifier: MIT
#include "runtime/world/engine.h"

#include "runtime/step/features.h"

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

// Room for what half a state is replaced by, where states are kept.
static slv_result make_room(slv_world *world, slv_layout *layout) {
    if (world->backend->download && !layout->kept) {
        layout->kept = slv_memory_take(&layout->memory, count_state(layout), sizeof *layout->kept);
    }
    return layout->kept || !world->backend->download
               ? SLV_OK
               : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
}

slv_result slv_engine_load(slv_world *world, slv_layout *layout, const slv_plan *plan) {
    if (layout && world->keep_state && make_room(world, layout) != SLV_OK) {
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

// Hands on what was written into the layout, where the engine has memory of its own.
static slv_result upload(slv_world *world) {
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

// --- Running ----------------------------------------------------------------------------------------

// Copies the state out of the layout, or back into it.
static void copy_state(slv_layout *layout, bool back) {
    const unsigned aspects = slv_features_get_state_aspects();
    float *kept = layout->kept;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        for (int a = 0; a < SLV_ASPECT_COUNT; a++) {
            const slv_extent extent = layout->extents[i].state[a];
            if (extent.count == 0 || !(aspects & 1u << a)) {
                continue;
            }
            float *own = layout->state + extent.first;
            memcpy(back ? own : kept, back ? kept : own, extent.count * sizeof *own);
            kept += extent.count;
        }
    }
}

// Aspects of this layout that steps may change on a device.
static unsigned changed_aspects(const slv_layout *layout) {
    const unsigned aspects = slv_features_get_state_aspects() | slv_features_get_read_aspects();
    unsigned present = 0;
    for (uint32_t i = 0; i <= layout->body_count; i++) {
        for (int a = 0; a < SLV_ASPECT_COUNT; a++) {
            present |= layout->extents[i].state[a].count > 0 ? 1u << a : 0;
        }
    }
    return aspects & present;
}

// Reads the new state back. Half of it is worth nothing: where the device fails meanwhile, the layout becomes
// what it was. Bodies and colliders follow when all downloads are done, which cannot fail.
static slv_result keep(slv_world *world) {
    copy_state(&world->layout, false);
    slv_result status = slv_engine_fetch(world, changed_aspects(&world->layout));
    if (status != SLV_OK) {
        copy_state(&world->layout, true);
        return status;
    }
    status = slv_world_fetch_bodies(world);
    return status == SLV_OK ? slv_world_fetch_colliders(world) : status;
}

static void note_changes(slv_world *world, uint32_t done) {
    world->bodies_behind = world->bodies_behind || done > 0;
    world->colliders_behind =
        world->colliders_behind || (world->layout.contact.colliders && done > 0);
}

static slv_result play(slv_world *world, const slv_run *run, slv_outcome *outcome) {
    slv_result status = upload(world);
    if (status == SLV_OK) {
        status = world->backend->run(world->engine, run, &world->error);
    }
    if (status == SLV_OK) {
        status = world->backend->finish(world->engine, outcome, &world->error);
    }
    if (status != SLV_OK) {
        return status;
    }
    const int parity = world->layout.parity;
    world->layout.parity ^= (int)(outcome->done & 1);
    note_changes(world, outcome->done);
    if (world->backend->download) {
        world->behind = changed_aspects(&world->layout);
        status = world->keep_state ? keep(world) : SLV_OK;
        world->layout.parity = status == SLV_OK ? world->layout.parity : parity;
    }
    return status;
}

// What the engine has is worth nothing after it failed: should it run again, it gets all from the layout.
static void distrust(slv_world *world) {
    for (uint32_t i = 0; i <= world->layout.body_count; i++) {
        world->layout.extents[i].written = (1u << SLV_ASPECT_COUNT) - 1;
    }
    for (uint32_t i = 0; i < world->layout.body_count; i++) {
        world->stale = world->stale || slv_features_need_rebuild(world->bodies[i]);
    }
    world->behind = 0;
    world->bodies_behind = false;
    slv_colliders_write(&world->colliders, &world->layout); // as last fetched
    world->colliders_behind = false;
}

// As play, from a layout that is made anew where it must be.
static slv_result play_whole(slv_world *world, const slv_run *run, slv_outcome *outcome) {
    slv_run own = *run;
    if (world->stale) {
        slv_result status = slv_world_rebuild_layout(world, world->body_count, &world->parameters);
        if (status != SLV_OK) {
            return status;
        }
    }
    own.launch.parity = world->layout.parity;
    slv_features_begin_run(&world->layout, world->bodies, world->clock.steps, &own);
    return play(world, &own, outcome);
}

static bool replace_engine(slv_world *world, slv_error *cause) {
    const bool replaced =
        may_go_on(world) && go_on_with_cpu(world, &world->layout, &world->plan, cause) == SLV_OK;
    if (replaced) {
        attach_bodies(world, &world->layout);
    }
    return replaced;
}

// What was not read back went with the device: there is nothing to go on from but the start.
static slv_result start_over(slv_world *world, slv_result status, slv_error *cause) {
    slv_world_rewind(world);
    const bool replaced = replace_engine(world, cause);
    (void)slv_fail(&world->error, cause->code,
                   "%.400s; what it had done is lost with it, and the world is back at its start%s",
                   cause->text, replaced ? ", on the CPU" : "");
    return status;
}

static slv_result run_steps(slv_world *world, const slv_run *run, slv_outcome *outcome) {
    const bool whole = world->keep_state || world->behind == 0; // the host has all of the state
    slv_result status = play_whole(world, run, outcome);
    if (status == SLV_OK || !world->backend->download) {
        return status;
    }
    slv_error cause = world->error;
    *outcome = (slv_outcome){.done = 0};
    distrust(world);
    if (!whole) {
        return start_over(world, status, &cause);
    }
    if (replace_engine(world, &cause)) {
        world->error.text[0] = '\0';
        return play_whole(world, run, outcome);
    }
    world->error = cause;
    return status;
}

slv_result slv_engine_run(slv_world *world, const slv_run *run, slv_outcome *outcome) {
    slv_result status = run_steps(world, run, outcome);
    world->clock.steps += outcome->done;
    for (uint32_t i = 0; i < world->body_count; i++) {
        world->bodies[i]->surface.current = false;
        slv_features_end_run(world->bodies[i], outcome->done);
    }
    return status;
}

// --- Public calls -----------------------------------------------------------------------------------

slv_result slv_world_get_timing(slv_world *world, slv_timing *timing) {
    static const char *const names[SLV_STAGE_COUNT] = {
        [SLV_STAGE_WAKE] = "wake",         [SLV_STAGE_INTEGRATE] = "integrate",
        [SLV_STAGE_MOVE] = "move",         [SLV_STAGE_SOLVE] = "solve",
        [SLV_STAGE_CHECK] = "check",       [SLV_STAGE_SLEEP] = "sleep",
        [SLV_STAGE_ROLLBACK] = "rollback",
    };
    _Static_assert((int)SLV_STAGE_COUNT <= (int)SLV_STAGE_LIMIT,
                   "the header has room for all stages");
    slv_result status = slv_begin_with(world, timing, "timing");
    if (status != SLV_OK) {
        return status;
    }
    *timing = (slv_timing){.steps = 0};
    if (world->backend->take_timing) {
        world->backend->take_timing(world->engine, timing);
    }
    timing->stage_count = SLV_STAGE_COUNT;
    for (uint32_t i = 0; i < SLV_STAGE_COUNT; i++) {
        timing->stages[i].name = names[i] ? names[i] : "other";
        timing->launches += timing->stages[i].launches;
    }
    return SLV_OK;
}

slv_result slv_garment_write_gl_buffer(slv_world *world, slv_garment_id id, uint32_t gl_buffer) {
    slv_result status = slv_begin(world);
    const slv_body *body = status == SLV_OK ? slv_find_body(world, id) : NULL;
    if (!body) {
        return SLV_ERROR_ARGUMENT;
    }
    if (!world->backend->write_gl) {
        return slv_refuse(world, SLV_ERROR_UNSUPPORTED,
                          "the %s backend shares no memory with OpenGL", world->backend->name);
    }
    status = upload(world);
    return status == SLV_OK ? world->backend->write_gl(world->engine, slv_body_index(body),
                                                       body->count, gl_buffer, &world->error)
                            : status;
}

slv_result slv_world_set_keep_state(slv_world *world, bool keep_state) {
    slv_result status = slv_begin(world);
    if (status == SLV_OK && keep_state && !world->keep_state && world->backend->download) {
        status = make_room(world, &world->layout);
        if (status == SLV_OK && world->behind != 0) {
            status = keep(world);
        }
    }
    if (status == SLV_OK) {
        world->keep_state = keep_state;
    }
    return status;
}

void slv_world_forget_gl_buffer(slv_world *world, uint32_t gl_buffer) {
    if (world && world->backend->forget_gl) {
        world->backend->forget_gl(world->engine, gl_buffer);
    }
}
