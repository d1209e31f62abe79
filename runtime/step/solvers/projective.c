// SPDX-License-Identifier: MIT
// Projective dynamics: the linear system of a global step by Gauss-Seidel in own order, by Jacobi, or color by
// color (red-black on grids). Solves springs between particles; grids lie by strides.
#include "runtime/step/solvers/projective.h"

#include "runtime/step/feature.h"
#include "runtime/step/features/contacts.h"
#include "runtime/step/features/locks.h"
#include "runtime/step/launches.h"

#include <limits.h>

static const float most_relaxed_with_contacts = 1.5f;

static void reserve_next(slv_layout *layout, slv_body *const *bodies,
                         const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)bodies;
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        body_layout->next = slv_reserve_state(cursor, slv_count_vector_floats(body_layout));
    }
}

// --- Launches ---------------------------------------------------------------------------------------

// One kernel for each layout: flat grids, solid grids and graphs.
typedef struct kernel_variants {
    slv_kernel_id flat, solid, graph;
} kernel_variants;

// Particles of the colors first … end - 1 in all bodies.
static void launch_particles(slv_plan_writer *writer, kernel_variants kernel, int first, int end) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        int colors = body_layout->inert ? 0 : body_layout->color_count;
        int stop = end < colors ? end : colors;
        if (!slv_body_is_grid(body_layout) && first < stop) { // colors lie side by side
            const int *slices = writer->layout->table + body_layout->colors;
            slv_plan_launch_rows(writer, kernel.graph, i, first, slices[first], slices[stop]);
        }
        for (int c = first; slv_body_is_grid(body_layout) && c < stop; c++) {
            slv_plan_launch_rows(writer, body_layout->layers > 1 ? kernel.solid : kernel.flat, i, c,
                                 0, slv_count_rows(body_layout));
        }
    }
    slv_plan_barrier(writer);
}

int slv_projective_count_colors(const slv_layout *layout) {
    int most = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_body_layout *body_layout = &layout->bodies[i];
        most = !body_layout->inert && body_layout->color_count > most ? body_layout->color_count
                                                                      : most;
    }
    return most;
}

// --- Solvers ----------------------------------------------------------------------------------------

// One linear iteration, color by color.
static void relax_colors(slv_plan_writer *writer) {
    const kernel_variants relax = {SLV_ID_flat_relax, SLV_ID_solid_relax, SLV_ID_graph_relax};
    int colors = slv_projective_count_colors(writer->layout);
    for (int c = 0; c < colors; c++) {
        launch_particles(writer, relax, c, c + 1);
    }
}

static void relax_jacobi(slv_plan_writer *writer) {
    const kernel_variants jacobi = {SLV_ID_flat_jacobi, SLV_ID_solid_jacobi, SLV_ID_graph_jacobi};
    launch_particles(writer, jacobi, 0, INT_MAX);
    slv_launch_solved(writer, SLV_ID_accept_split, SLV_ID_accept_joined);
}

// One particle after another: one row, one element.
static void relax_in_order(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        slv_kernel_id sweep = !slv_body_is_grid(body_layout) ? SLV_ID_graph_sweep
                              : body_layout->layers > 1      ? SLV_ID_solid_sweep
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
        if (slv_body_is_grid(body_layout)) {
            slv_kernel_id project = body_layout->layers > 1     ? SLV_ID_solid_project
                                    : body_layout->bend > 0.0f  ? SLV_ID_bend_project
                                    : body_layout->shear > 0.0f ? SLV_ID_shear_project
                                                                : SLV_ID_flat_project;
            slv_plan_launch_rows(writer, project, i, 0, 0, slv_count_rows(body_layout));
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

static void apply(slv_plan_writer *writer) {
    slv_launch_solved(writer, SLV_ID_apply_split, SLV_ID_apply_joined);
}

// The end of an outer iteration: applies corrections, and then what features do. Where features do nothing, corrections
// need not be applied yet: then, unless `always`, launches nothing and returns false.
static bool end_iteration(slv_plan_writer *writer, bool always) {
    const uint32_t solved = writer->count;
    apply(writer);
    const uint32_t applied = writer->count;
    slv_features_launch(writer, SLV_POINT_ITERATION_END);
    slv_plan_barrier(writer);
    const bool needed = always || writer->count > applied;
    if (!needed) {
        slv_plan_drop_since(writer, solved);
    }
    return needed;
}

// Algorithm 4 of the red-black paper: directions are found anew in each outer iteration and stand still
// during the inner ones. Corrections sum up over the outer iterations and are applied after the last, or in each where
// features read positions in between. A correction of the whole (`correct`) begins each with corrections of its own.
//
// A contact or a lock moves single particles. The first color after it takes up the whole of that jump, so the cloth as a
// whole is moved by half of it. Over-relaxation by w makes that w/(2-w) times as much in every step, until the
// cloth flies away. So with either the first inner iteration has none, and the others at most
// most_relaxed_with_contacts.
void slv_projective_write(slv_plan_writer *writer, void (*correct)(slv_plan_writer *),
                          void (*relax)(slv_plan_writer *)) {
    uint32_t outer = writer->parameters->outer_iterations;
    uint32_t inner = writer->parameters->inner_iterations;
    bool has_jumps = slv_contacts_exist(writer->layout) || slv_locks_exist(writer->layout);
    uint32_t gentle = has_jumps && writer->relaxation > 1.0f && inner > 0 ? 1 : 0;
    if (has_jumps && writer->relaxation > most_relaxed_with_contacts) {
        writer->relaxation = most_relaxed_with_contacts;
    }
    slv_plan_begin_loop(writer, outer);
    find_directions(writer);
    if (correct) {
        correct(writer);
    }
    slv_plan_begin_loop(writer, gentle);
    relax_gently(writer, relax);
    slv_plan_end_loop(writer);
    slv_plan_begin_loop(writer, inner - gentle);
    relax(writer);
    slv_plan_end_loop(writer);
    const bool applied = end_iteration(writer, correct != NULL);
    slv_plan_end_loop(writer);
    if (!applied && outer > 0) {
        apply(writer);
    }
}

static void write_gauss_seidel(slv_plan_writer *writer) {
    slv_projective_write(writer, NULL, relax_in_order);
}

static void write_jacobi(slv_plan_writer *writer) {
    slv_projective_write(writer, NULL, relax_jacobi);
}

static void write_red_black(slv_plan_writer *writer) {
    slv_projective_write(writer, NULL, relax_colors);
}

const slv_solver_info slv_solver_PD_GS = {.parts = SLV_PART_GRID, .write = write_gauss_seidel};
const slv_solver_info slv_solver_PD_JACOBI = {
    .parts = SLV_PART_GRID, .reserve = reserve_next, .write = write_jacobi};
const slv_solver_info slv_solver_PD_RBGS = {.parts = SLV_PART_GRID, .write = write_red_black};
