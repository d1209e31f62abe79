// SPDX-License-Identifier: MIT
// Position based dynamics by Gauss-Seidel: springs, then each batched kind, one group of constraints that share no
// particle after another; then the groups that are averaged. Particles with more constraints than colors have
// copies (phantoms).
#include "runtime/layout/averaged_layout.h"
#include "runtime/step/feature.h"
#include "runtime/step/features/clusters.h"
#include "runtime/step/launches.h"
#include "runtime/step/solver.h"

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        layout->bodies[i].tensions = slv_reserve_state(cursor, slv_springs_count_room(bodies[i]));
    }
}

static int count_groups(const slv_layout *layout) {
    int most = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        most = layout->bodies[i].group_count > most ? layout->bodies[i].group_count : most;
    }
    return most;
}

static void project_groups(slv_plan_writer *writer) {
    int groups = count_groups(writer->layout);
    for (int g = 0; g < groups; g++) {
        for (uint32_t i = 0; i < writer->layout->body_count; i++) {
            const slv_body_layout *body_layout = &writer->layout->bodies[i];
            if (g < body_layout->group_count - body_layout->averaged_groups) {
                int springs = writer->layout->table[body_layout->groups + 3 * g + 1];
                slv_plan_launch_rows(writer, SLV_ID_spring_project, i, g, 0,
                                     slv_count_lanes(springs));
            }
        }
        slv_plan_barrier(writer);
    }
}

// Kernels of the batched kinds of constraint.
static const struct {
    slv_kernel_id project, correct;
} batch_kernels[SLV_BATCH_COUNT] = {
#define ROW(NAME, number, a, b, c, d, arity, name, ...)                                            \
    [SLV_BATCH_##NAME] = {SLV_ID_##name##_project, SLV_ID_##name##_correct},
    SLV_BATCHED_KINDS(ROW)
#undef ROW
};

static void project_batch(slv_plan_writer *writer, int b) {
    bool more = true;
    for (int g = 0; more; g++) {
        more = false;
        for (uint32_t i = 0; i < writer->layout->body_count; i++) {
            const slv_batch_layout *batch = &writer->layout->bodies[i].batches[b];
            if (g < batch->group_count - batch->averaged_groups) {
                const int *rows = writer->layout->table + batch->groups + 2 * g;
                slv_plan_launch_rows(writer, batch_kernels[b].project, i, g, rows[0], rows[1]);
                more = true;
            }
        }
        slv_plan_barrier(writer);
    }
}

// Launches averaged constraints, which write corrections of their particles.
static void collect_corrections(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        for (int g = body_layout->group_count - body_layout->averaged_groups;
             g < body_layout->group_count; g++) {
            int springs = writer->layout->table[body_layout->groups + 3 * g + 1];
            slv_plan_launch_rows(writer, SLV_ID_spring_correct, i, g, 0, slv_count_lanes(springs));
        }
        for (int b = 0; b < SLV_BATCH_COUNT; b++) {
            const slv_batch_layout *batch = &body_layout->batches[b];
            if (batch->averaged_groups > 0) { // groups lie side by side
                const int *rows = writer->layout->table + batch->groups;
                const int first = batch->group_count - batch->averaged_groups;
                slv_plan_launch_rows(writer, batch_kernels[b].correct, i, 0, rows[2 * first],
                                     rows[2 * batch->group_count - 1]);
            }
        }
    }
}

static void gather_corrections(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (slv_layout_averages(body_layout)) {
            slv_plan_launch_rows(writer, SLV_ID_gather, i, 0, 0, body_layout->slots / SLV_LANES);
        }
    }
    slv_plan_barrier(writer);
}

static void join_copies(slv_plan_writer *writer, int phase, uint32_t index) {
    slv_plan_launch_rows(writer, SLV_ID_phantom_join, index, phase, 0,
                         slv_count_lanes(writer->layout->bodies[index].phantom_count));
}

static bool has_batches(const slv_body_layout *body_layout) {
    bool any = false;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        any |= body_layout->batches[b].group_count > 0;
    }
    return any;
}

// Copies of springs, after springs; or, where springs are averaged or no batches follow, at the end of the
// iteration.
static void join_spring_copies(slv_plan_writer *writer, bool end) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        const bool late = !has_batches(body_layout) || body_layout->averaged_groups > 0;
        if (late == end && body_layout->group_count > 0) {
            join_copies(writer, SLV_PHASE_SPRINGS, i);
        }
    }
    slv_plan_barrier(writer);
}

static void join_batch_copies(slv_plan_writer *writer, int b) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        if (writer->layout->bodies[i].batches[b].group_count > 0) {
            join_copies(writer, SLV_PHASE_BATCHES + b, i);
        }
    }
    slv_plan_barrier(writer);
}

// One iteration of Gauss-Seidel: springs, then each batched kind, color by color; then what is averaged. Copies
// of the last kind are joined after that. Clusters come last: they move whole bodies.
static void project_all(slv_plan_writer *writer) {
    project_groups(writer);
    join_spring_copies(writer, false);
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        if (b > 0) {
            join_batch_copies(writer, b - 1);
        }
        project_batch(writer, b);
    }
    collect_corrections(writer);
    slv_plan_barrier(writer);
    gather_corrections(writer);
    join_spring_copies(writer, true);
    join_batch_copies(writer, SLV_BATCH_COUNT - 1);
    slv_clusters_launch(writer);
}

static void spread_copies(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        slv_plan_launch_rows(writer, SLV_ID_phantom_spread, i, 0, 0,
                             slv_count_lanes(writer->layout->bodies[i].copy_count));
    }
    slv_plan_barrier(writer);
}

// Position based solvers do as many iterations as both loops make together.
static void write(slv_plan_writer *writer) {
    uint32_t outer = writer->parameters->outer_iterations;
    uint32_t inner = writer->parameters->inner_iterations;
    if (outer == 0 || inner == 0) {
        return;
    }
    spread_copies(writer);
    writer->first_iteration = true;
    project_all(writer);
    writer->first_iteration = false;
    slv_plan_begin_loop(writer, inner - 1);
    project_all(writer);
    slv_plan_end_loop(writer);
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
    slv_plan_begin_loop(writer, outer - 1);
    spread_copies(writer); // contacts have moved particles, not their copies
    slv_plan_begin_loop(writer, inner);
    project_all(writer);
    slv_plan_end_loop(writer);
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
    slv_plan_end_loop(writer);
}

const slv_solver_info slv_solver_PBD_GS = {.parts = SLV_PART_BATCHES | SLV_PART_AVERAGES |
                                                    SLV_PART_PHANTOMS,
                                           .batches = (1u << SLV_BATCH_COUNT) - 1,
                                           .clusters = true,
                                           .reserve = reserve,
                                           .write = write};
