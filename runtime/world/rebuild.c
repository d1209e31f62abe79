// SPDX-License-Identifier: MIT
#include "runtime/world/rebuild.h"

#include "runtime/layout/layout_build.h"
#include "runtime/step/features.h"
#include "runtime/step/features/contacts.h"
#include "runtime/step/solver.h"
#include "runtime/step/step.h"
#include "runtime/world/collider_list.h"
#include "runtime/world/engine.h"
#include "runtime/world/fetch.h"
#include "runtime/world/status.h"

static slv_neighbor_settings neighbor_settings(const slv_world *world) {
    slv_neighbor_settings settings = {.fixed = world->lists_fixed};
    for (uint32_t r = 0; r < SLV_FEATURE_ROOM; r++) {
        const uint32_t grown = world->list_growth.capacity[r];
        settings.capacity[r] = grown > world->list_room ? grown : world->list_room;
    }
    return settings;
}

static slv_step_settings step_settings(const slv_world *world) {
    return (slv_step_settings){.neighbors = neighbor_settings(world),
                               .contact = {.collider_room = world->colliders.room,
                                           .field_floats = world->colliders.sample_count},
                               .locks = {.links = world->locks.links,
                                         .count = world->locks.count,
                                         .version = world->locks.version}};
}

static slv_layout_settings layout_settings(const slv_world *world, const slv_parameters *parameters,
                                           const slv_step_settings *step) {
    return (slv_layout_settings){
        .solver = parameters->solver,
        .parts = slv_get_solver(parameters->solver)->parts,
        .stiffness = parameters->stiffness,
        .indexed = world->indexed,
        .time_step = world->time_step,
        .hooks = &slv_step_layout_hooks,
        .step = step,
    };
}

// Whether the present layout has just the first `count` bodies, in their order.
static bool has_bodies(const slv_world *world, uint32_t count) {
    bool has = world->layout.body_count == count;
    for (uint32_t i = 0; has && i < count; i++) {
        has = ((const slv_garment_entry *)world->bodies[i])->laid_out == i;
    }
    return has;
}

// Whether the present layout already is what building anew would give.
static bool layout_fits(const slv_world *world, uint32_t count,
                        const slv_layout_settings *settings) {
    const slv_layout *layout = &world->layout;
    bool fits = layout->state && has_bodies(world, count) && !world->stale &&
                layout->settings.stiffness == settings->stiffness &&
                slv_features_fit(layout, world->bodies, settings);
    for (uint32_t i = 0; fits && i < count; i++) {
        fits = slv_layout_get_parts(world->bodies[i], settings) == layout->extents[i].parts;
    }
    return fits;
}

// Takes the state of a body from the present layout, where it has another index after a removal.
static void carry_body(const slv_world *world, slv_layout *layout, uint32_t index) {
    const slv_body *body = world->bodies[index];
    const uint32_t old = ((const slv_garment_entry *)body)->laid_out;
    if (old == SLV_NO_INDEX) {
        return; // new
    }
    for (uint32_t p = 0; p < body->count; p++) {
        float values[6];
        int16_t remainders[6];
        slv_layout_read(&world->layout, old, p, 1, values);
        slv_layout_read_remainders(&world->layout, old, p, 1, remainders);
        slv_layout_write(layout, index, p, 1, values);
        slv_layout_write_remainders(layout, index, p, 1, remainders);
    }
    slv_features_carry(&world->layout, old, layout, index, body);
}

static slv_result make_layout(slv_world *world, uint32_t count, const slv_layout_settings *settings,
                              slv_layout *layout) {
    slv_result status = slv_world_fetch_all(world);
    if (status == SLV_OK) {
        status = slv_layout_create(layout, world->bodies, count, settings, world->memory.allocator,
                                   &world->error);
    }
    for (uint32_t i = 0; status == SLV_OK && i < count; i++) {
        carry_body(world, layout, i);
    }
    if (status == SLV_OK) {
        slv_colliders_write(&world->colliders, layout);
    }
    return status;
}

static slv_result make_plan(slv_world *world, const slv_layout *layout,
                            const slv_parameters *parameters, slv_plan *plan) {
    return slv_plan_create(plan, layout, parameters, slv_step_write, world->memory.allocator)
               ? SLV_OK
               : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
}

// The engine has it: what was written into it so far needs no upload.
static void adopt_layout(slv_world *world, slv_layout layout) {
    slv_layout_destroy(&world->layout);
    world->layout = layout;
    world->behind = 0;
    for (uint32_t i = 0; i <= layout.body_count; i++) {
        layout.extents[i].written = 0;
    }
    for (uint32_t i = 0; i < layout.body_count; i++) {
        ((slv_garment_entry *)world->bodies[i])->laid_out = i;
    }
    world->stale = false;
    world->colliders_behind = false;
    world->bodies_behind = false;
}

static void stiffen(slv_world *world, uint32_t count, float stiffness) {
    for (uint32_t i = 0; i < count; i++) {
        world->bodies[i]->stiffening = (double)stiffness;
    }
}

// Refuses a solver that leaves out constraints of the bodies from number `first` to `count`.
static slv_result check_solver(slv_world *world, uint32_t first, uint32_t count,
                               slv_solver solver) {
    slv_result status = SLV_OK;
    for (uint32_t i = first; status == SLV_OK && i < count; i++) {
        status = slv_solver_check(slv_get_solver(solver), slv_solver_get_name(solver),
                                  world->bodies[i], &world->error);
    }
    return status;
}

// Whether a garment can touch anything, as slv_contacts_exist, or has locks: before there is a layout.
static bool has_contacts(const slv_world *world, uint32_t count) {
    bool touches = false;
    for (uint32_t i = 0; i < count && !touches; i++) {
        const slv_body *body = world->bodies[i];
        const bool collides =
            world->colliders.room > 0 && slv_contacts_get_material(body)->with_colliders;
        touches = body->spring_count > 0 &&
                  (collides || world->locks.count > 0 || slv_contacts_include_particles(body) ||
                   slv_contacts_include_surfaces(body));
    }
    return touches;
}

slv_solver slv_world_choose_solver(const slv_world *world, slv_solver solver, uint32_t count) {
    return slv_solver_choose(solver, world->bodies, count, has_contacts(world, count));
}

slv_result slv_world_rebuild_layout(slv_world *world, uint32_t count,
                                    const slv_parameters *parameters) {
    slv_parameters chosen = *parameters;
    chosen.solver = slv_world_choose_solver(world, parameters->solver, count);
    slv_result status = check_solver(world, 0, count, chosen.solver);
    if (status != SLV_OK) {
        return status;
    }
    const slv_step_settings step = step_settings(world);
    const slv_layout_settings settings = layout_settings(world, &chosen, &step);
    stiffen(world, count, parameters->stiffness);
    bool anew = !layout_fits(world, count, &settings);
    slv_layout layout = {.state = NULL};
    slv_plan plan = {.entries = NULL};
    status = anew ? make_layout(world, count, &settings, &layout) : SLV_OK;
    if (status == SLV_OK && !anew && world->incomplete) { // only colliders are new
        slv_colliders_write(&world->colliders, &world->layout);
    }
    if (status == SLV_OK) {
        status = make_plan(world, anew ? &layout : &world->layout, &chosen, &plan);
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
        world->incomplete = false;
        world->layout.plan_behind = false;
    } else {
        stiffen(world, count, world->parameters.stiffness);
    }
    return status;
}

slv_result slv_world_change_bodies(slv_world *world, uint32_t count) {
    const slv_solver solver = slv_world_choose_solver(world, world->parameters.solver, count);
    const slv_result status = check_solver(world, count > 0 ? count - 1 : 0, count, solver);
    if (status == SLV_OK) {
        world->incomplete = true;
    }
    return status;
}

slv_result slv_world_complete_layout(slv_world *world) {
    const slv_parameters parameters = world->parameters;
    return slv_world_rebuild_layout(world, world->body_count, &parameters);
}

slv_result slv_world_renew_layout(slv_world *world) {
    return world->stale ? slv_world_rebuild_layout(world, world->body_count, &world->parameters)
                        : SLV_OK;
}
