// SPDX-License-Identifier: MIT
// Mass-spring cloth by explicit integrators: springs are forces, and a step evaluates them once, twice or four times
// (kernels/springs.h). Contacts and limits follow once.
#include "kernels/springs.h"

#include "runtime/step/feature.h"
#include "runtime/step/launches.h"
#include "runtime/step/solver.h"
#include "runtime/step/solvers/mass_spring.h"

void slv_mass_spring_set(slv_body_layout *body_layout, const slv_body *body, double time_step) {
    const double reference = body->class_count > 0 ? body->stiffness[0] * body->stiffening : 0.0;
    body_layout->spring_response = (float)(reference * time_step * time_step);
    body_layout->spring_damping = (float)(body->spring_damping / time_step);
}

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_mass_spring_set(&layout->bodies[i], bodies[i], settings->time_step);
    }
    (void)cursor;
}

static void reserve_sums(slv_layout *layout, slv_body *const *bodies,
                         const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    reserve(layout, bodies, settings, cursor);
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        const size_t floats = slv_count_vector_floats(body_layout);
        body_layout->external = slv_reserve_state(cursor, floats);
        body_layout->position_sums = slv_reserve_state(cursor, floats);
        body_layout->velocity_sums = slv_reserve_state(cursor, floats);
    }
}

static void reserve_stages(slv_layout *layout, slv_body *const *bodies,
                           const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    reserve_sums(layout, bodies, settings, cursor);
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        const size_t floats = slv_count_vector_floats(body_layout);
        for (int n = 0; n < 2; n++) {
            body_layout->stage_positions[n] = slv_reserve_state(cursor, floats);
            body_layout->stage_velocities[n] = slv_reserve_state(cursor, floats);
        }
    }
}

// --- Launches ---------------------------------------------------------------------------------------

void slv_mass_spring_launch_blocks(slv_plan_writer *writer, slv_kernel_id kernel, int index) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        slv_plan_launch_rows(writer, kernel, i, index, 0,
                             body_layout->inert ? 0 : slv_count_rows(body_layout));
    }
    slv_plan_barrier(writer);
}

void slv_mass_spring_launch_slices(slv_plan_writer *writer, slv_kernel_id kernel, int index) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        const int slices = writer->layout->table[body_layout->colors + body_layout->color_count];
        slv_plan_launch_rows(writer, kernel, i, index, 0, body_layout->inert ? 0 : slices);
    }
    slv_plan_barrier(writer);
}

static void write_stages(slv_plan_writer *writer, int first, int count) {
    slv_mass_spring_launch_blocks(writer, SLV_ID_springs_begin, first);
    for (int stage = first; stage < first + count; stage++) {
        slv_mass_spring_launch_slices(writer, SLV_ID_springs_evaluate, stage);
    }
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
}

static void write_end(slv_plan_writer *writer) {
    slv_mass_spring_launch_blocks(writer, SLV_ID_springs_end, 0);
}

static void write_explicit_euler(slv_plan_writer *writer) {
    write_stages(writer, SLV_SPRINGS_EULER, 1);
}

static void write_midpoint(slv_plan_writer *writer) {
    write_stages(writer, SLV_SPRINGS_MIDPOINT, 2);
}

static void write_runge_kutta(slv_plan_writer *writer) {
    write_stages(writer, SLV_SPRINGS_RUNGE_KUTTA, 4);
}

static void write_verlet(slv_plan_writer *writer) {
    write_stages(writer, SLV_SPRINGS_VERLET, 1);
}

// Velocities are read only where springs are damped.
static void write_symplectic_euler(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        const bool reads = body_layout->spring_damping > 0.0f && !body_layout->inert;
        slv_plan_launch_rows(writer, SLV_ID_springs_begin, i, SLV_SPRINGS_EULER, 0,
                             reads ? slv_count_rows(body_layout) : 0);
    }
    slv_plan_barrier(writer);
    slv_mass_spring_launch_slices(writer, SLV_ID_springs_advance, 0);
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
}

const slv_solver_info slv_solver_MS_EXPLICIT_EULER = {
    .reserve = reserve_sums, .write = write_explicit_euler, .write_end = write_end};
const slv_solver_info slv_solver_MS_SYMPLECTIC_EULER = {.reserve = reserve,
                                                        .write = write_symplectic_euler};
const slv_solver_info slv_solver_MS_MIDPOINT = {
    .reserve = reserve_stages, .write = write_midpoint, .write_end = write_end};
const slv_solver_info slv_solver_MS_RK4 = {
    .reserve = reserve_stages, .write = write_runge_kutta, .write_end = write_end};
const slv_solver_info slv_solver_MS_VERLET = {
    .reserve = reserve_stages, .write = write_verlet, .write_end = write_end};
