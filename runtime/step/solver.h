// SPDX-License-Identifier: MIT
// A solver writes the launches that solve constraints. runtime/base/solvers.def lists all of them.
#ifndef SLV_RUNTIME_STEP_SOLVER_H
#define SLV_RUNTIME_STEP_SOLVER_H

#include "runtime/step/plan.h"

typedef struct slv_solver_info {
    unsigned parts; // SLV_PART_…: what it solves beside springs, and whether it supports grids
    // Batched kinds that it solves beside springs, bit n for kind n.
    unsigned batches;
    bool clusters; // it solves clusters
    // Arrays of its own in a layout, as a feature has them (runtime/step/feature.h), which hold nothing from one step
    // to the next. NULL: none.
    void (*reserve)(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor);
    bool (*fill)(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch);
    void (*set_response)(slv_layout *layout, uint32_t index, const slv_body *body,
                         double time_step);
    // Writes the plan of all iterations, with SLV_POINT_ITERATION_END after each outer one.
    void (*write)(slv_plan_writer *writer);
    // Writes what follows the check for divergence, before features have that point. NULL: nothing.
    void (*write_end)(slv_plan_writer *writer);
} slv_solver_info;

// Of a solver below SLV_SOLVER_COUNT.
const slv_solver_info *slv_get_solver(slv_solver solver);

// The solver itself or, for SLV_SOLVER_AUTO, PBD_GS where springs are not the only constraints of all bodies, and else
// PD_MULTIGRID or, with contacts, PD_RBGS. A multigrid cycle does not know contacts: it moves back what they have moved,
// which then stretches the springs beside (docs/MULTIGRID.md).
slv_solver slv_solver_choose(slv_solver solver, slv_body *const *bodies, uint32_t count,
                             bool contacts);

// Fails for a body with clusters or with constraints of a batched kind that the solver leaves out: such a body would move
// as no user expects. `name` is the solver's.
slv_result slv_solver_check(const slv_solver_info *solver, const char *name, const slv_body *body,
                            slv_error *error);

// Whether a layout has the solver's own arrays.
bool slv_solver_fits(const slv_layout *layout, slv_solver solver);

#endif
