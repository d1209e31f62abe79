// SPDX-License-Identifier: MIT
// Projective dynamics by multigrid (kernels/coarse.h). On flat grids an outer iteration is one cycle, and the inner
// iterations are the relaxation on the grid itself after it, with factor 1. All other bodies are relaxed as by PD_RBGS.
#include "kernels/cloth.h"
#include "kernels/coarse.h"
#include "runtime/layout/coarse_layout.h"
#include "runtime/step/solvers/projective.h"

// Factors of the two iterations of weighted Jacobi on each coarse level: those of Chebyshev for eigenvalues between 0.3
// and 1.7 of the matrix over its diagonal, 1 / (1 -+ 0.7 / sqrt 2). An interval around 1 amplifies nothing between 0 and
// 2; docs/MULTIGRID.md has other intervals.
static const float coarse_factors[2] = {1.980f, 0.669f};

// --- Layout -----------------------------------------------------------------------------------------

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)bodies;
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        slv_coarse_layout_reserve(body_layout, &layout->extents[i], cursor);
        if (slv_body_is_grid(body_layout) && body_layout->bend > 0.0f) {
            body_layout->next = slv_reserve_state(cursor, slv_count_vector_floats(body_layout));
        }
    }
}

static void set_response(slv_layout *layout, uint32_t index, const slv_body *body,
                         double time_step) {
    (void)body;
    (void)time_step;
    const slv_body_layout *body_layout = &layout->bodies[index];
    if (body_layout->coarse_levels > 0 && layout->coarse_sums) {
        slv_coarse_layout_set_response(body_layout, layout->table, layout->coarse_sums,
                                       layout->state);
        layout->extents[index].written |= 1u << SLV_ASPECT_COARSE;
    }
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    (void)scratch;
    size_t room = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const size_t needed = slv_coarse_layout_room(&layout->bodies[i]);
        room = needed > room ? needed : room;
        slv_coarse_layout_fill(&layout->bodies[i], layout->table);
    }
    layout->coarse_sums =
        room > 0 ? slv_memory_take(&layout->memory, room, sizeof *layout->coarse_sums) : NULL;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        set_response(layout, i, bodies[i], settings->time_step);
    }
    return room == 0 || layout->coarse_sums;
}

// --- The coarse part of a cycle -----------------------------------------------------------------------

// A kernel on one level of all bodies that have it; below: that have a coarser one too.
static void launch_level(slv_plan_writer *writer, slv_kernel_id kernel, int level, int below) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (!body_layout->inert && level + below < body_layout->coarse_levels) {
            const slv_coarse_level values =
                slv_coarse_get_level(writer->layout->table, body_layout, level);
            slv_plan_launch_rows(writer, kernel, i, level, 0,
                                 values.step / SLV_LANES * values.rows);
        }
    }
    slv_plan_barrier(writer);
}

static void launch_last_levels(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (!body_layout->inert && body_layout->coarse_levels > 0) {
            const int level = body_layout->coarse_levels - 1;
            const slv_coarse_level values =
                slv_coarse_get_level(writer->layout->table, body_layout, level);
            slv_plan_launch_rows(writer, SLV_ID_coarse_solve, i, level, 0,
                                 values.step / SLV_LANES * values.rows);
        }
    }
    slv_plan_barrier(writer);
}

static void relax_level(slv_plan_writer *writer, int level) {
    const float usual = writer->relaxation;
    for (int n = 0; n < 2; n++) {
        writer->relaxation = coarse_factors[n];
        writer->flags = n == 0 ? 0 : SLV_FROM_NEXT;
        launch_level(writer, SLV_ID_coarse_relax, level, 1);
    }
    writer->flags = 0;
    writer->relaxation = usual;
}

static void correct_coarsely(slv_plan_writer *writer) {
    int levels = 0;
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        levels = body_layout->coarse_levels > levels ? body_layout->coarse_levels : levels;
    }
    for (int level = 0; level < levels; level++) {
        launch_level(writer, level == 0 ? SLV_ID_coarse_gather : SLV_ID_coarse_restrict, level, 0);
    }
    launch_last_levels(writer);
    for (int level = levels - 2; level >= 0; level--) {
        launch_level(writer, SLV_ID_coarse_interpolate, level, 1);
        relax_level(writer, level);
    }
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (!body_layout->inert && body_layout->coarse_levels > 0) {
            slv_plan_launch_rows(writer, SLV_ID_coarse_spread, i, 0, 0, body_layout->rows);
        }
    }
    slv_plan_barrier(writer);
}

// --- Relaxation ---------------------------------------------------------------------------------------

static bool has_stencil(const slv_body_layout *body_layout) {
    return slv_body_is_grid(body_layout) && (body_layout->shear > 0.0f || body_layout->bend > 0.0f);
}

static void lag_bending(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (!body_layout->inert && body_layout->bend > 0.0f) {
            slv_plan_launch_rows(writer, SLV_ID_bend_lag, i, 0, 0, body_layout->rows);
        }
    }
    slv_plan_barrier(writer);
}

// Color `color` of a body, if it has it.
static void relax_body(slv_plan_writer *writer, uint32_t index, int color) {
    const slv_body_layout *body_layout = &writer->layout->bodies[index];
    const float usual = writer->relaxation;
    const int colors = has_stencil(body_layout) ? SLV_CLOTH_COLORS : body_layout->color_count;
    if (body_layout->inert || color >= colors) {
        return;
    }
    writer->relaxation = body_layout->coarse_levels > 0 ? 1.0f : usual;
    writer->flags = has_stencil(body_layout) && body_layout->bend > 0.0f ? SLV_FROM_NEXT : 0;
    if (!slv_body_is_grid(body_layout)) {
        const int *slices = writer->layout->table + body_layout->colors;
        slv_plan_launch_rows(writer, SLV_ID_graph_relax, index, color, slices[color],
                             slices[color + 1]);
    } else {
        const slv_kernel_id kernel = has_stencil(body_layout)  ? SLV_ID_cloth_relax
                                     : body_layout->layers > 1 ? SLV_ID_solid_relax
                                                               : SLV_ID_flat_relax;
        slv_plan_launch_rows(writer, kernel, index, color, 0,
                             body_layout->rows * body_layout->layers);
    }
    writer->flags = 0;
    writer->relaxation = usual;
}

static void relax(slv_plan_writer *writer) {
    const int usual = slv_projective_count_colors(writer->layout);
    const int colors = usual > SLV_CLOTH_COLORS ? usual : SLV_CLOTH_COLORS;
    lag_bending(writer);
    for (int color = 0; color < colors; color++) {
        for (uint32_t i = 0; i < writer->layout->body_count; i++) {
            relax_body(writer, i, color);
        }
        slv_plan_barrier(writer);
    }
}

static void write_multigrid(slv_plan_writer *writer) {
    slv_projective_write(writer, correct_coarsely, relax);
}

const slv_solver_info slv_solver_PD_MULTIGRID = {.parts = SLV_PART_GRID | SLV_PART_STENCIL,
                                                 .reserve = reserve,
                                                 .fill = fill,
                                                 .set_response = set_response,
                                                 .write = write_multigrid};
