// SPDX-License-Identifier: MIT
#include "runtime/step/step.h"

#include "runtime/layout/soft_layout.h"
#include "runtime/step/feature.h"

#include <limits.h>

static const float most_relaxed = 1.5f; // where there are contacts

// --- Launches ---------------------------------------------------------------------------------------

static bool is_grid(const slv_body_layout *body_layout) {
    return slv_body_is_grid(body_layout);
}

// Rows of a grid, blocks of slots otherwise: all that a part has.
static int count_rows(const slv_body_layout *body_layout) {
    return is_grid(body_layout) ? body_layout->rows * body_layout->layers
                                : body_layout->slots / SLV_BLOCK;
}

static void launch_blocks(slv_plan_writer *writer, slv_kernel_id split, slv_kernel_id joined) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        slv_plan_launch_rows(writer, is_grid(body_layout) ? split : joined, i, 0, 0,
                             count_rows(body_layout));
    }
    slv_plan_barrier(writer);
}

// The same without those that no solver moves: there, nothing is to be found and nothing to be applied.
static void launch_solved(slv_plan_writer *writer, slv_kernel_id split, slv_kernel_id joined) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (!body_layout->inert) {
            slv_plan_launch_rows(writer, is_grid(body_layout) ? split : joined, i, 0, 0,
                                 count_rows(body_layout));
        }
    }
    slv_plan_barrier(writer);
}

// A kernel in its forms for flat grids, solid ones and graphs.
typedef struct forms {
    slv_kernel_id flat, solid, graph;
} forms;

// Particles of the colors first … end - 1 in all parts.
static void launch_particles(slv_plan_writer *writer, forms kernel, int first, int end) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        int colors = body_layout->inert ? 0 : body_layout->color_count;
        int stop = end < colors ? end : colors;
        if (!is_grid(body_layout) && first < stop) { // colors lie side by side
            const int *slices = writer->layout->table + body_layout->colors;
            slv_plan_launch_rows(writer, kernel.graph, i, first, slices[first], slices[stop]);
        }
        for (int c = first; is_grid(body_layout) && c < stop; c++) {
            slv_plan_launch_rows(writer, body_layout->layers > 1 ? kernel.solid : kernel.flat, i, c,
                                 0, count_rows(body_layout));
        }
    }
    slv_plan_barrier(writer);
}

static int count_colors(const slv_layout *layout) {
    int most = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_body_layout *body_layout = &layout->bodies[i];
        most = !body_layout->inert && body_layout->color_count > most ? body_layout->color_count
                                                                      : most;
    }
    return most;
}

static int count_groups(const slv_layout *layout) {
    int most = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        most = layout->bodies[i].group_count > most ? layout->bodies[i].group_count : most;
    }
    return most;
}

// --- Solvers ----------------------------------------------------------------------------------------

// One linear iteration, color by color.
static void relax_colors(slv_plan_writer *writer) {
    const forms relax = {SLV_ID_flat_relax, SLV_ID_solid_relax, SLV_ID_graph_relax};
    int colors = count_colors(writer->layout);
    for (int c = 0; c < colors; c++) {
        launch_particles(writer, relax, c, c + 1);
    }
}

static void relax_jacobi(slv_plan_writer *writer) {
    const forms jacobi = {SLV_ID_flat_jacobi, SLV_ID_solid_jacobi, SLV_ID_graph_jacobi};
    launch_particles(writer, jacobi, 0, INT_MAX);
    launch_solved(writer, SLV_ID_accept_split, SLV_ID_accept_joined);
}

// One particle after another: one row, one element.
static void relax_in_order(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        slv_kernel_id sweep = !is_grid(body_layout)     ? SLV_ID_graph_sweep
                              : body_layout->layers > 1 ? SLV_ID_solid_sweep
                                                        : SLV_ID_flat_sweep;
        slv_plan_launch_rows(writer, sweep, i, 0, 0, body_layout->inert ? 0 : 1);
    }
    slv_plan_barrier(writer);
}

static void find_directions(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (body_layout->inert) {
            continue;
        }
        if (is_grid(body_layout)) {
            slv_kernel_id project =
                body_layout->layers > 1 ? SLV_ID_solid_project : SLV_ID_flat_project;
            slv_plan_launch_rows(writer, project, i, 0, 0, count_rows(body_layout));
        } else {
            int slices = writer->layout->table[body_layout->colors + body_layout->color_count];
            slv_plan_launch_rows(writer, SLV_ID_graph_project, i, 0, 0, slices);
        }
    }
    slv_plan_barrier(writer);
}

static void relax_gently(slv_plan_writer *writer, void (*relax)(slv_plan_writer *)) {
    float usual = writer->relaxation;
    writer->relaxation = 1.0f;
    relax(writer);
    writer->relaxation = usual;
}

// Algorithm 4 of the red-black paper: directions are found anew in each outer iteration and stand still
// during the inner ones.
//
// A contact moves single particles. The first color that answers takes the whole of such a jump upon
// itself, so the cloth as a whole is moved by half of it; over-relaxation would make that ω/(2-ω) times as
// much, in every step, until the cloth flies away. So where there are contacts the first iteration has
// none, and the others only so much.
static void solve_projective(slv_plan_writer *writer, void (*relax)(slv_plan_writer *)) {
    uint32_t outer = writer->parameters->outer_iterations;
    uint32_t inner = writer->parameters->inner_iterations;
    const slv_contact_layout *contact = &writer->layout->contact;
    bool touches = contact->colliders || contact->pairs;
    uint32_t gentle = touches && writer->relaxation > 1.0f && inner > 0 ? 1 : 0;
    if (touches && writer->relaxation > most_relaxed) {
        writer->relaxation = most_relaxed;
    }
    slv_plan_begin_loop(writer, outer);
    find_directions(writer);
    slv_plan_begin_loop(writer, gentle);
    relax_gently(writer, relax);
    slv_plan_end_loop(writer);
    slv_plan_begin_loop(writer, inner - gentle);
    relax(writer);
    slv_plan_end_loop(writer);
    launch_solved(writer, SLV_ID_apply_split, SLV_ID_apply_joined);
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
    slv_plan_end_loop(writer);
}

static void project_groups(slv_plan_writer *writer) {
    int groups = count_groups(writer->layout);
    for (int g = 0; g < groups; g++) {
        for (uint32_t i = 0; i < writer->layout->body_count; i++) {
            const slv_body_layout *body_layout = &writer->layout->bodies[i];
            if (g < body_layout->group_count - body_layout->averaged_groups) {
                int springs = writer->layout->table[body_layout->groups + 3 * g + 1];
                slv_plan_launch_rows(writer, SLV_ID_spring_project, i, g, 0,
                                     (springs + SLV_LANES - 1) / SLV_LANES);
            }
        }
        slv_plan_barrier(writer);
    }
}

static int count_lanes(int count) {
    return (count + SLV_LANES - 1) / SLV_LANES;
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
            slv_plan_launch_rows(writer, SLV_ID_spring_correct, i, g, 0, count_lanes(springs));
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
        if (slv_soft_averages(body_layout)) {
            slv_plan_launch_rows(writer, SLV_ID_gather, i, 0, 0, body_layout->slots / SLV_LANES);
        }
    }
    slv_plan_barrier(writer);
}

static void join_copies(slv_plan_writer *writer, int phase, uint32_t index) {
    slv_plan_launch_rows(writer, SLV_ID_phantom_join, index, phase, 0,
                         count_lanes(writer->layout->bodies[index].phantom_count));
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
// of the last kind are joined after that.
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
}

static void spread_copies(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        slv_plan_launch_rows(writer, SLV_ID_phantom_spread, i, 0, 0,
                             count_lanes(writer->layout->bodies[i].copy_count));
    }
    slv_plan_barrier(writer);
}

// Position based solvers do as many iterations as both loops make together.
static void solve_by_color(slv_plan_writer *writer) {
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

// One iteration of averaged Jacobi: from q into the other array, or back. Position based solvers know
// graphs only.
static void average_once(slv_plan_writer *writer, int back) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        int slices = writer->layout->table[body_layout->colors + body_layout->color_count];
        slv_plan_launch_rows(writer, SLV_ID_average, i, back, 0, body_layout->inert ? 0 : slices);
    }
    slv_plan_barrier(writer);
}

static void average_twice(slv_plan_writer *writer) {
    average_once(writer, 0);
    average_once(writer, 1);
}

// The inner iterations, which end in q: an odd one is carried over.
static void average_inner(slv_plan_writer *writer, bool first) {
    uint32_t inner = writer->parameters->inner_iterations;
    bool odd = inner % 2 == 1;
    writer->first_iteration = first;
    average_once(writer, 0);
    writer->first_iteration = false;
    if (inner > 1) {
        average_once(writer, 1);
        slv_plan_begin_loop(writer, inner / 2 - 1);
        average_twice(writer);
        slv_plan_end_loop(writer);
    }
    if (odd && inner > 1) {
        average_once(writer, 0);
    }
    for (uint32_t i = 0; odd && i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        slv_plan_launch_rows(writer, SLV_ID_accept_joined, i, 1, 0,
                             body_layout->inert ? 0 : count_rows(body_layout));
    }
    slv_plan_barrier(writer);
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
}

static void solve_averaged(slv_plan_writer *writer) {
    uint32_t outer = writer->parameters->outer_iterations;
    if (outer == 0 || writer->parameters->inner_iterations == 0) {
        return;
    }
    average_inner(writer, true);
    slv_plan_begin_loop(writer, outer - 1);
    average_inner(writer, false);
    slv_plan_end_loop(writer);
}

static void solve(slv_plan_writer *writer) {
    switch (writer->parameters->solver) {
    case SLV_PD_GS:
        solve_projective(writer, relax_in_order);
        break;
    case SLV_PD_JACOBI:
        solve_projective(writer, relax_jacobi);
        break;
    case SLV_PD_RBGS:
        solve_projective(writer, relax_colors);
        break;
    case SLV_PBD_JACOBI:
        solve_averaged(writer);
        break;
    case SLV_PBD_GS:
        solve_by_color(writer);
        break;
    case SLV_SOLVER_COUNT:
        break;
    }
}

// --- The step ---------------------------------------------------------------------------------------

void slv_step_write(slv_plan_writer *writer, slv_stage stage) {
    switch (stage) {
    case SLV_STAGE_WAKE:
        slv_features_launch(writer, SLV_POINT_WAKE);
        break;
    case SLV_STAGE_INTEGRATE:
        launch_blocks(writer, SLV_ID_integrate_split, SLV_ID_integrate_joined);
        break;
    case SLV_STAGE_MOVE:
        slv_features_launch(writer, SLV_POINT_MOVE);
        break;
    case SLV_STAGE_SOLVE:
        slv_features_launch(writer, SLV_POINT_SOLVE_BEGIN);
        solve(writer);
        slv_features_launch(writer, SLV_POINT_SOLVE_END);
        break;
    case SLV_STAGE_CHECK:
        launch_blocks(writer, SLV_ID_check_divergence_split, SLV_ID_check_divergence_joined);
        break;
    case SLV_STAGE_SLEEP:
        slv_features_launch(writer, SLV_POINT_STEP_END);
        break;
    case SLV_STAGE_ROLLBACK:
        launch_blocks(writer, SLV_ID_rollback_split, SLV_ID_rollback_joined);
        slv_features_launch(writer, SLV_POINT_ROLLBACK);
        break;
    case SLV_STAGE_COUNT:
        break;
    }
}
