// SPDX-License-Identifier: MIT
// Distance constraints with Lagrange multipliers (kernels/lagrange.h). An outer iteration linearizes all constraints, an
// inner one is an iteration of conjugate gradients.
#include "kernels/lagrange.h"

#include "runtime/step/feature.h"
#include "runtime/step/launches.h"
#include "runtime/step/solver.h"
#include "runtime/step/solvers/mass_spring.h"

#include <limits.h>

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    slv_gradients_reserve(layout, bodies, settings, cursor);
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        if (cursor->too_large || body_layout->end_count > INT_MAX / SLV_LAGRANGE_FLOATS) {
            cursor->too_large = true;
            return;
        }
        body_layout->end_multipliers =
            slv_reserve_state(cursor, SLV_LAGRANGE_FLOATS * (size_t)body_layout->end_count);
        body_layout->slot_sums = slv_reserve_state(cursor, (size_t)body_layout->slots);
    }
}

// Squares of residuals, or with find_alpha direction . product.
static void launch_sum(slv_plan_writer *writer, slv_kernel_id find) {
    slv_mass_spring_launch_blocks(writer, SLV_ID_lagrange_sum, 0);
    slv_gradients_launch_sum(writer, find);
}

static void write_linearization(slv_plan_writer *writer) {
    slv_mass_spring_launch_slices(writer, SLV_ID_lagrange_linearize, 0);
    slv_mass_spring_launch_slices(writer, SLV_ID_lagrange_advance, 0);
    writer->flags = SLV_BEGINS;
    launch_sum(writer, SLV_ID_gradients_find_beta);
    writer->flags = 0;
    slv_plan_begin_loop(writer, writer->parameters->inner_iterations);
    slv_mass_spring_launch_slices(writer, SLV_ID_lagrange_spread, 0);
    slv_mass_spring_launch_slices(writer, SLV_ID_lagrange_multiply, 0);
    launch_sum(writer, SLV_ID_gradients_find_alpha);
    slv_mass_spring_launch_slices(writer, SLV_ID_lagrange_advance, 1);
    launch_sum(writer, SLV_ID_gradients_find_beta);
    slv_mass_spring_launch_slices(writer, SLV_ID_lagrange_turn, 0);
    slv_plan_end_loop(writer);
    slv_mass_spring_launch_slices(writer, SLV_ID_lagrange_finish, 0);
    slv_mass_spring_launch_blocks(writer, SLV_ID_implicit_accept, 0);
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
}

static void write(slv_plan_writer *writer) {
    const uint32_t outer = writer->parameters->outer_iterations;
    if (outer == 0 || writer->parameters->inner_iterations == 0) {
        return;
    }
    writer->first_iteration = true;
    write_linearization(writer);
    writer->first_iteration = false;
    slv_plan_begin_loop(writer, outer - 1);
    write_linearization(writer);
    slv_plan_end_loop(writer);
}

const slv_solver_info slv_solver_MS_LAGRANGE = {.reserve = reserve, .write = write};
