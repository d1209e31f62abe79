// SPDX-License-Identifier: MIT
// Mass-spring cloth by implicit steps with a constant matrix (kernels/constant_matrix.h). The matrix is solved by the factor
// of the pack (kernels/factor.h) where masses, stiffnesses, fixed particles and time step are those that it was made
// for; else by conjugate gradients, with an inner iteration each.
#include "kernels/constant_matrix.h"
#include "kernels/factor.h"

#include "runtime/layout/factor_layout.h"
#include "runtime/model/factor.h"
#include "runtime/step/feature.h"
#include "runtime/step/launches.h"
#include "runtime/step/solver.h"
#include "runtime/step/solvers/mass_spring.h"

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    slv_gradients_reserve(layout, bodies, settings, cursor);
    for (uint32_t i = 0; i < layout->body_count && !cursor->too_large; i++) {
        slv_factor_layout_reserve(&layout->bodies[i], bodies[i], cursor);
    }
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    bool done = true;
    for (uint32_t i = 0; done && i < layout->body_count; i++) {
        done = slv_factor_layout_fill(layout, i, bodies[i], scratch);
        layout->bodies[i].factor_fits = slv_factor_fits(bodies[i], settings->time_step) ? 1 : 0;
    }
    return done;
}

// Which particles are fixed has changed: the plan follows.
static void set_response(slv_layout *layout, uint32_t index, const slv_body *body,
                         double time_step) {
    const int fits = slv_factor_fits(body, time_step) ? 1 : 0;
    layout->plan_behind = layout->plan_behind || fits != layout->bodies[index].factor_fits;
    layout->bodies[index].factor_fits = fits;
}

// --- Launches ---------------------------------------------------------------------------------------

static int count_levels(const slv_body_layout *body_layout) {
    return body_layout->factor_fits && !body_layout->inert ? body_layout->factor_level_count : 0;
}

// A pass over level number `level` of each body that has it.
static void launch_pass(slv_plan_writer *writer, int pass, int level) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (level < count_levels(body_layout)) {
            const int *rows = writer->layout->table + body_layout->factor_levels + level;
            slv_plan_launch_rows(writer, SLV_ID_factor_apply, i, pass, rows[0], rows[1]);
        }
    }
    slv_plan_barrier(writer);
}

// All bodies that have a factor which fits. The first level has nothing below it to gather.
static void launch_factors(slv_plan_writer *writer) {
    int levels = 0;
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const int own = count_levels(&writer->layout->bodies[i]);
        levels = own > levels ? own : levels;
    }
    for (int level = 0; level < levels; level++) {
        if (level > 0) {
            launch_pass(writer, SLV_FACTOR_GATHER_UP, level);
        }
        launch_pass(writer, SLV_FACTOR_SOLVE_UP + (level == 0 ? SLV_FACTOR_SKIPS : 0), level);
    }
    for (int level = levels - 1; level >= 0; level--) {
        launch_pass(writer, SLV_FACTOR_GATHER_DOWN, level);
        launch_pass(writer, SLV_FACTOR_SOLVE_DOWN, level);
    }
}

// Bodies that conjugate gradients solve.
static bool iterates(const slv_body_layout *body_layout) {
    return !body_layout->inert && count_levels(body_layout) == 0;
}

static bool any_iterates(const slv_layout *layout) {
    bool any = false;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        any = any || iterates(&layout->bodies[i]);
    }
    return any;
}

static void write_solve(slv_plan_writer *writer, slv_kernel_id evaluate) {
    slv_mass_spring_launch_slices(writer, evaluate, 0);
    launch_factors(writer);
    if (any_iterates(writer->layout)) {
        slv_gradients_launch(writer);
    }
    slv_mass_spring_launch_blocks(writer, SLV_ID_implicit_accept, 0);
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
}

static void write_constant_matrix(slv_plan_writer *writer) {
    slv_mass_spring_launch_blocks(writer, SLV_ID_springs_begin, SLV_SPRINGS_EULER);
    if (any_iterates(writer->layout)) {
        slv_mass_spring_launch_slices(writer, SLV_ID_constant_prepare, 0);
    }
    write_solve(writer, SLV_ID_constant_evaluate);
}

static void write_local_global(slv_plan_writer *writer) {
    bool damped = false;
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        damped = damped || writer->layout->bodies[i].spring_damping > 0.0f;
    }
    if (any_iterates(writer->layout)) {
        slv_mass_spring_launch_slices(writer, SLV_ID_constant_prepare, 0);
    }
    slv_plan_begin_loop(writer, writer->parameters->outer_iterations);
    if (damped) {
        slv_mass_spring_launch_blocks(writer, SLV_ID_implicit_measure, 0);
    }
    write_solve(writer, SLV_ID_constant_local);
    slv_plan_end_loop(writer);
}

const slv_solver_info slv_solver_MS_CONSTANT_MATRIX = {
    .reserve = reserve, .fill = fill, .set_response = set_response, .write = write_constant_matrix};
const slv_solver_info slv_solver_MS_LOCAL_GLOBAL = {
    .reserve = reserve, .fill = fill, .set_response = set_response, .write = write_local_global};
