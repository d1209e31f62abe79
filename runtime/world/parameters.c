// SPDX-License-Identifier: MIT
// The parameters of a world.
#include "runtime/base/float_modes.h"
#include "runtime/world/begin.h"
#include "runtime/world/fetch.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/sleeping.h"

slv_parameters slv_world_get_parameters(const slv_world *world) {
    return world ? world->parameters : slv_default_world_def().parameters;
}

slv_solver slv_world_get_solver(const slv_world *world) {
    return world ? slv_world_choose_solver(world, world->parameters.solver, world->body_count)
                 : SLV_SOLVER_AUTO;
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
    SLV_DEFAULT_FLOAT_MODES;
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

const char *slv_solver_get_name(slv_solver solver) {
    return solver >= SLV_SOLVER_AUTO && solver < SLV_SOLVER_COUNT
               ? slv_solver_names[solver - SLV_SOLVER_AUTO]
               : NULL;
}

slv_solver slv_solver_from_name(const char *name) {
    const int found = name ? slv_find_name(slv_solver_names, name) : -1;
    return found < 0 ? SLV_SOLVER_COUNT : (slv_solver)(SLV_SOLVER_AUTO + found);
}
