// SPDX-License-Identifier: MIT
#include "runtime/world/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

slv_result slv_begin(slv_world *world) {
    if (!world) {
        return SLV_ERROR_ARGUMENT;
    }
    world->error.text[0] = '\0';
    return SLV_OK;
}

slv_result slv_refuse(slv_world *world, slv_result status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(world->error.text, sizeof world->error.text, format, arguments);
    va_end(arguments);
    return status;
}

const char *slv_world_get_message(const slv_world *world) {
    return world ? world->error.text : "no world";
}

slv_body *slv_find_body(slv_world *world, slv_garment_id id) {
    const uint32_t index =
        slv_handles_find(&world->garment_handles, (slv_handle){id.slot, id.generation});
    if (index == SLV_NO_INDEX) {
        (void)slv_refuse(world, SLV_ERROR_ARGUMENT,
                         id.slot == 0 ? "id: the null id names no garment"
                                      : "id: the garment was removed, or is another world's");
        return NULL;
    }
    return world->bodies[index];
}

slv_garment_id slv_body_id(const slv_world *world, const slv_body *body) {
    const slv_garment_entry *entry = (const slv_garment_entry *)body;
    const slv_handle handle = slv_handles_get(&world->garment_handles, entry->slot);
    return (slv_garment_id){handle.slot, handle.generation};
}

// --- Values -----------------------------------------------------------------------------------------

slv_result slv_check_parameters(slv_error *error, const slv_parameters *parameters) {
    if ((unsigned)parameters->solver >= SLV_SOLVER_COUNT) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "solver is %d, should be one of the slv_solver values",
                        (int)parameters->solver);
    }
    const struct {
        const char *name;
        double value, low, high;
    } ranges[] = {
        {"outer_iterations", parameters->outer_iterations, 0, 10000},
        {"inner_iterations", parameters->inner_iterations, 0, 10000},
        {"relaxation", (double)parameters->relaxation, 1e-3, 1.999},
        {"stiffness", (double)parameters->stiffness, 1e-6, 1e6},
        {"damping", (double)parameters->damping, 0, 1e6},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        slv_result status = slv_check_between(error, ranges[i].name, ranges[i].value, ranges[i].low,
                                              ranges[i].high);
        if (status != SLV_OK) {
            return status;
        }
    }
    slv_result status = slv_check_vector(error, "gravity", parameters->gravity, 3, 1e6);
    return status == SLV_OK ? slv_check_vector(error, "wind", parameters->wind, 3, 1e4) : status;
}

// --- Names ------------------------------------------------------------------------------------------

static const char *const solver_names[SLV_SOLVER_COUNT] = {
    [SLV_PD_GS] = "PD_GS",           [SLV_PD_JACOBI] = "PD_JACOBI", [SLV_PD_RBGS] = "PD_RBGS",
    [SLV_PBD_JACOBI] = "PBD_JACOBI", [SLV_PBD_GS] = "PBD_GS",
};

const char *slv_solver_get_name(slv_solver solver) {
    return (unsigned)solver < SLV_SOLVER_COUNT ? solver_names[solver] : NULL;
}

slv_solver slv_solver_from_name(const char *name) {
    unsigned solver = 0;
    while (solver < SLV_SOLVER_COUNT && (!name || strcmp(name, solver_names[solver]) != 0)) {
        solver++;
    }
    return (slv_solver)solver;
}
