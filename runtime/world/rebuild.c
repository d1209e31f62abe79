// SPDX-License-Identifier: MIT
#include "runtime/step/features.h"
#include "runtime/step/features/sleep.h"
#include "runtime/world/engine.h"
#include "runtime/world/tearing.h"
#include "runtime/world/world.h"

#include <string.h>

// Making a new layout and plan, and bringing the present layout up to date.

// --- Layout -----------------------------------------------------------------------------------------

static slv_layout_settings layout_settings(const slv_world *world,
                                           const slv_parameters *parameters) {
    return (slv_layout_settings){
        .solver = parameters->solver,
        .stiffness = parameters->stiffness,
        .indexed = world->indexed,
        .time_step = world->time_step,
        .contact = {.collider_room = world->colliders.room,
                    .list_room = world->list_room,
                    .field_floats = world->colliders.sample_count},
        .hooks = &slv_feature_layout_hooks,
    };
}

// Whether the present form already is what building anew would give.
static bool layout_fits(const slv_world *world, uint32_t count,
                        const slv_layout_settings *settings) {
    const slv_layout *layout = &world->layout;
    const slv_contact_settings *contact = &layout->contact.settings;
    bool fits = layout->state && layout->body_count == count && !world->stale &&
                layout->stiffness == settings->stiffness &&
                contact->collider_room == settings->contact.collider_room &&
                contact->list_room == settings->contact.list_room &&
                contact->field_floats == settings->contact.field_floats;
    for (uint32_t i = 0; fits && i < count; i++) {
        const slv_body *body = world->bodies[i];
        fits = slv_layout_is_grid(body, settings) == (layout->bodies[i].stride == 1) &&
               body->move_room <= (uint32_t)layout->bodies[i].move_room;
    }
    return fits;
}

static slv_result make_layout(slv_world *world, uint32_t count, const slv_layout_settings *settings,
                              slv_layout *layout) {
    slv_memory scratch = {.allocator = world->memory.allocator};
    uint32_t largest = 0;
    for (uint32_t i = 0; i < world->layout.body_count; i++) {
        largest = world->bodies[i]->count > largest ? world->bodies[i]->count : largest;
    }
    slv_result status = slv_world_fetch_state(world);
    if (status == SLV_OK) {
        status = slv_world_fetch_colliders(world);
    }
    if (status == SLV_OK) {
        status = slv_tear_fetch(world);
    }
    float *values = slv_memory_take(&scratch, largest, 6 * sizeof *values);
    if (status == SLV_OK) {
        status = values ? slv_layout_create(layout, world->bodies, count, settings,
                                            world->memory.allocator, &world->error)
                        : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; status == SLV_OK && i < count; i++) {
        const uint32_t old = slv_body_index(world->bodies[i]);
        const uint32_t particles = world->bodies[i]->count;
        if (old >= world->layout.body_count) {
            continue; // new
        }
        slv_layout_read(&world->layout, old, 0, particles, values);
        slv_layout_write(layout, i, 0, particles, values);
        if (world->bodies[i]->move_count > 0) {
            memcpy(slv_layout_paths(layout, i), world->bodies[i]->paths,
                   world->bodies[i]->move_count * sizeof(slv_move_path));
        }
        if (slv_layout_sleeps(&world->layout) && slv_layout_sleeps(layout)) {
            slv_sleep_write(layout, i, slv_sleep_read(&world->layout, old));
            slv_rest_positions_read(&world->layout, old, 0, particles, values);
            slv_rest_positions_write(layout, i, 0, particles, values);
        }
    }
    if (status == SLV_OK) {
        slv_colliders_write(&world->colliders, layout);
    }
    slv_memory_release(&scratch);
    return status;
}

static slv_result make_plan(slv_world *world, const slv_layout *layout,
                            const slv_parameters *parameters, slv_plan *plan) {
    return slv_plan_create(plan, layout, parameters, world->memory.allocator)
               ? SLV_OK
               : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
}

// The engine has it: what was written into it so far needs no upload.
static void adopt_layout(slv_world *world, slv_layout layout) {
    slv_layout_destroy(&world->layout);
    world->layout = layout;
    world->behind = 0;
    for (uint32_t i = 0; i < layout.body_count; i++) {
        layout.extents[i].written = 0;
        world->bodies[i]->moves_changed = true;
    }
    world->layout.contact.written = false;
    world->stale = false;
    world->colliders_behind = false;
}

static void stiffen(slv_world *world, uint32_t count, float stiffness) {
    for (uint32_t i = 0; i < count; i++) {
        world->bodies[i]->stiffening = (double)stiffness;
    }
}

slv_result slv_world_rebuild_layout(slv_world *world, uint32_t count,
                                    const slv_parameters *parameters) {
    slv_layout_settings settings = layout_settings(world, parameters);
    stiffen(world, count, parameters->stiffness);
    bool anew = !layout_fits(world, count, &settings);
    slv_layout layout = {.state = NULL};
    slv_plan plan = {.entries = NULL};
    slv_result status = anew ? make_layout(world, count, &settings, &layout) : SLV_OK;
    if (status == SLV_OK) {
        status = make_plan(world, anew ? &layout : &world->layout, parameters, &plan);
    }
    bool loads = anew || !slv_plan_equals(&plan, &world->plan);
    if (status == SLV_OK && loads) {
        status = slv_engine_load(world, anew ? &layout : NULL, &plan);
    }
    if (status != SLV_OK || !loads) {
        slv_plan_destroy(&plan);
        slv_layout_destroy(&layout);
    } else {
        slv_plan_destroy(&world->plan);
        world->plan = plan;
        if (anew) {
            adopt_layout(world, layout);
        }
    }
    if (status == SLV_OK) {
        world->parameters = *parameters;
    } else {
        stiffen(world, count, world->parameters.stiffness);
    }
    return status;
}

// --- What an engine has newer -----------------------------------------------------------------------

slv_result slv_world_fetch_positions(slv_world *world) {
    return slv_engine_fetch(world, 1u << SLV_ASPECT_POSITIONS);
}

slv_result slv_world_fetch_state(slv_world *world) {
    return slv_engine_fetch(world, slv_engine_state_mask());
}

slv_result slv_world_fetch_colliders(slv_world *world) {
    slv_result status = SLV_OK;
    if (!world->colliders_behind) {
        return status;
    }
    if (world->backend->download) {
        status =
            world->backend->download(world->engine, world->layout.contact.records, &world->error);
    }
    if (status == SLV_OK) {
        slv_colliders_read(&world->colliders, &world->layout);
        world->colliders_behind = false;
    }
    return status;
}
