// SPDX-License-Identifier: MIT
// Mass-spring cloth by implicit Euler. An outer iteration linearizes forces, an inner one is an iteration of conjugate
// gradients (kernels/implicit.h). The plan has all of them; those behind the end of a solve do nothing.
#include "kernels/implicit.h"

#include "runtime/step/feature.h"
#include "runtime/step/launches.h"
#include "runtime/step/solver.h"
#include "runtime/step/solvers/mass_spring.h"

#include <limits.h>

static size_t count_sums(const slv_body_layout *body_layout) {
    size_t sums = 0;
    slv_sum_level level = {0, 0};
    for (int n = 0; level.count != 1; n++) {
        level = slv_get_sum_level(body_layout, n);
        sums += (size_t)level.count;
    }
    return sums;
}

void slv_gradients_reserve(slv_layout *layout, slv_body *const *bodies,
                           const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        const size_t floats = slv_count_vector_floats(body_layout);
        if (cursor->too_large || body_layout->end_count > INT_MAX / 4) {
            cursor->too_large = true;
            return;
        }
        slv_mass_spring_set(body_layout, bodies[i], settings->time_step);
        body_layout->gradients =
            slv_reserve_state(cursor, SLV_GRADIENTS_SUMS + count_sums(body_layout));
        body_layout->spring_blocks = slv_reserve_state(cursor, 4 * (size_t)body_layout->end_count);
        body_layout->block_inverses = slv_reserve_state(cursor, 2 * floats);
        body_layout->external = slv_reserve_state(cursor, floats);
        body_layout->step_velocities = slv_reserve_state(cursor, floats);
        body_layout->residuals = slv_reserve_state(cursor, floats);
        body_layout->directions = slv_reserve_state(cursor, floats);
        body_layout->products = slv_reserve_state(cursor, floats);
        body_layout->solution = slv_reserve_state(cursor, floats);
    }
}

// --- Launches ---------------------------------------------------------------------------------------

// Bodies that conjugate gradients solve: a factor that fits needs none (runtime/step/solvers/mass_spring_constant.c).
static bool iterates(const slv_body_layout *body_layout) {
    return !body_layout->inert && !body_layout->factor_fits;
}

// A kernel over blocks of slots, or over slices, of all these bodies; then a barrier.
static void launch_blocks(slv_plan_writer *writer, slv_kernel_id kernel) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        slv_plan_launch_rows(writer, kernel, i, 0, 0,
                             iterates(body_layout) ? slv_count_rows(body_layout) : 0);
    }
    slv_plan_barrier(writer);
}

static void launch_slices(slv_plan_writer *writer, slv_kernel_id kernel) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        const int slices = writer->layout->table[body_layout->colors + body_layout->color_count];
        slv_plan_launch_rows(writer, kernel, i, 0, 0, iterates(body_layout) ? slices : 0);
    }
    slv_plan_barrier(writer);
}

// The first level with SLV_LANES sums at most.
static int last_level(const slv_body_layout *body_layout) {
    int level = 0;
    while (slv_get_sum_level(body_layout, level).count > SLV_LANES) {
        level++;
    }
    return level;
}

void slv_gradients_launch_sum(slv_plan_writer *writer, slv_kernel_id find) {
    const slv_layout *layout = writer->layout;
    bool more = true;
    for (int level = 0; more; level++) {
        more = false;
        for (uint32_t i = 0; i < layout->body_count; i++) {
            if (iterates(&layout->bodies[i]) && level < last_level(&layout->bodies[i])) {
                slv_plan_launch_rows(writer, SLV_ID_gradients_reduce, i, level, 0,
                                     slv_get_sum_level(&layout->bodies[i], level + 1).count);
                more = true;
            }
        }
        slv_plan_barrier(writer);
    }
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_plan_launch_rows(writer, find, i, last_level(&layout->bodies[i]), 0,
                             iterates(&layout->bodies[i]) ? 1 : 0);
    }
    slv_plan_barrier(writer);
}

void slv_gradients_launch(slv_plan_writer *writer) {
    launch_blocks(writer, SLV_ID_gradients_begin);
    writer->flags = SLV_BEGINS;
    slv_gradients_launch_sum(writer, SLV_ID_gradients_find_beta);
    writer->flags = 0;
    slv_plan_begin_loop(writer, writer->parameters->inner_iterations);
    launch_slices(writer, SLV_ID_gradients_multiply);
    launch_blocks(writer, SLV_ID_gradients_measure);
    slv_gradients_launch_sum(writer, SLV_ID_gradients_find_alpha);
    launch_blocks(writer, SLV_ID_gradients_advance);
    slv_gradients_launch_sum(writer, SLV_ID_gradients_find_beta);
    launch_blocks(writer, SLV_ID_gradients_turn);
    slv_plan_end_loop(writer);
}

static void write_linearization(slv_plan_writer *writer) {
    slv_mass_spring_launch_slices(writer, SLV_ID_implicit_linearize, 0);
    slv_gradients_launch(writer);
    slv_mass_spring_launch_blocks(writer, SLV_ID_implicit_accept, 0);
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
}

static void write(slv_plan_writer *writer) {
    const uint32_t outer = writer->parameters->outer_iterations;
    if (outer == 0 || writer->parameters->inner_iterations == 0) {
        return;
    }
    slv_mass_spring_launch_blocks(writer, SLV_ID_springs_begin, SLV_SPRINGS_EULER);
    writer->first_iteration = true;
    write_linearization(writer);
    writer->first_iteration = false;
    slv_plan_begin_loop(writer, outer - 1);
    slv_mass_spring_launch_blocks(writer, SLV_ID_implicit_measure, 0);
    write_linearization(writer);
    slv_plan_end_loop(writer);
}

const slv_solver_info slv_solver_MS_IMPLICIT_EULER = {.reserve = slv_gradients_reserve,
                                                      .write = write};
