// SPDX-License-Identifier: MIT
// Position based dynamics by Jacobi: each particle takes the average of the corrections of its springs and
// tetrahedra, from one array of positions into another.
#include "runtime/step/feature.h"
#include "runtime/step/features/clusters.h"
#include "runtime/step/launches.h"
#include "runtime/step/solver.h"

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)bodies;
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        body_layout->next = body_layout->b; // which only strain limits use, between iterations
        body_layout->multipliers = slv_reserve_state(cursor, (size_t)body_layout->end_count);
    }
}

// One iteration of averaged Jacobi: from q into the other array, or back. Position based solvers know
// graphs only.
static void average_once(slv_plan_writer *writer, bool back) {
    writer->flags = back ? SLV_FROM_NEXT : 0;
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        int slices = writer->layout->table[body_layout->colors + body_layout->color_count];
        slv_plan_launch_rows(writer, SLV_ID_average, i, 0, 0, body_layout->inert ? 0 : slices);
    }
    slv_plan_barrier(writer);
    writer->flags = back ? 0 : SLV_FROM_NEXT; // where positions are now
    slv_clusters_launch(writer);
    writer->flags = 0;
}

static void average_twice(slv_plan_writer *writer) {
    average_once(writer, false);
    average_once(writer, true);
}

// The inner iterations, which end in q: an odd one is carried over.
static void average_inner(slv_plan_writer *writer, bool first) {
    uint32_t inner = writer->parameters->inner_iterations;
    bool odd = inner % 2 == 1;
    writer->first_iteration = first;
    average_once(writer, false);
    writer->first_iteration = false;
    if (inner > 1) {
        average_once(writer, true);
        slv_plan_begin_loop(writer, inner / 2 - 1);
        average_twice(writer);
        slv_plan_end_loop(writer);
    }
    if (odd && inner > 1) {
        average_once(writer, false);
    }
    writer->flags = SLV_TO_POSITIONS;
    for (uint32_t i = 0; odd && i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        slv_plan_launch_rows(writer, SLV_ID_accept_joined, i, 0, 0,
                             body_layout->inert ? 0 : slv_count_rows(body_layout));
    }
    writer->flags = 0;
    slv_plan_barrier(writer);
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
}

static void write(slv_plan_writer *writer) {
    uint32_t outer = writer->parameters->outer_iterations;
    if (outer == 0 || writer->parameters->inner_iterations == 0) {
        return;
    }
    average_inner(writer, true);
    slv_plan_begin_loop(writer, outer - 1);
    average_inner(writer, false);
    slv_plan_end_loop(writer);
}

const slv_solver_info slv_solver_PBD_JACOBI = {.parts = SLV_PART_VERTEX_TETRAHEDRA,
                                               .batches = 1u << SLV_BATCH_TETRAHEDRON,
                                               .clusters = true,
                                               .reserve = reserve,
                                               .write = write};
