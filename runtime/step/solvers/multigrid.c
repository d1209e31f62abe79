// SPDX-License-Identifier: MIT
// Projective dynamics by multigrid. An outer iteration is one cycle, and the inner iterations are the relaxation of the
// particles themselves after it, with factor 1. Flat grids have coarse grids (kernels/coarse.h), graphs have aggregates
// (kernels/aggregate.h). Bodies that have neither are relaxed as by PD_RBGS.
#include "kernels/aggregate.h"
#include "kernels/cloth.h"
#include "kernels/coarse.h"
#include "runtime/layout/aggregate_layout.h"
#include "runtime/layout/coarse_layout.h"
#include "runtime/step/features/tearing.h"
#include "runtime/step/solvers/projective.h"

#include <string.h>

// Factors of the two iterations of weighted Jacobi on each coarse level: those of Chebyshev for eigenvalues between 0.3
// and 1.7 of the matrix over its diagonal, 1 / (1 -+ 0.7 / sqrt 2). An interval around 1 amplifies nothing between 0 and
// 2; docs/MULTIGRID.md has other intervals.
static const float coarse_factors[2] = {1.980f, 0.669f};

// --- Layout -----------------------------------------------------------------------------------------

// Aggregates reach across a tear: what is torn off would hang on to the rest.
static bool can_have_aggregates(const slv_body_layout *body_layout, const slv_body *body) {
    return !slv_body_is_grid(body_layout) && !slv_tearing_is_possible(body);
}

static bool has_same_stiffness(const slv_body *one, const slv_body *other) {
    bool same = one->class_count == other->class_count;
    for (uint32_t c = 0; same && c < one->class_count; c++) {
        same = one->stiffness[c] == other->stiffness[c];
    }
    return same;
}

// Whether the same springs join the same particles, in the same slots.
static bool has_same_springs(const slv_body *one, const slv_body *other) {
    return one->count == other->count && one->spring_count == other->spring_count &&
           one->stretch_count == other->stretch_count && has_same_stiffness(one, other) &&
           memcmp(one->springs, other->springs, one->spring_count * sizeof *one->springs) == 0 &&
           memcmp(one->color, other->color, one->count * sizeof *one->color) == 0 &&
           memcmp(one->storage_order, other->storage_order,
                  one->count * sizeof *one->storage_order) == 0;
}

// Instances of one pack have one set of levels.
static bool create_aggregates(slv_layout *layout, slv_body *const *bodies, uint32_t index) {
    for (uint32_t i = index; i-- > 0;) {
        if (layout->aggregates[i].aggregates.level_count > 0 &&
            layout->bodies[i].slots == layout->bodies[index].slots &&
            has_same_springs(bodies[i], bodies[index])) {
            layout->aggregates[index] = layout->aggregates[i];
            return true;
        }
    }
    return slv_aggregate_layout_create(&layout->aggregates[index], &layout->bodies[index],
                                       bodies[index], layout->slots[index], &layout->memory);
}

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    layout->aggregates = slv_memory_take(&layout->memory, (size_t)layout->body_count + 1,
                                         sizeof *layout->aggregates);
    for (uint32_t i = 0; layout->aggregates && i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        slv_coarse_layout_reserve(body_layout, &layout->extents[i], cursor);
        if (slv_body_is_grid(body_layout) && body_layout->bend > 0.0f) {
            body_layout->next = slv_reserve_state(cursor, slv_count_vector_floats(body_layout));
        }
        if (!can_have_aggregates(body_layout, bodies[i])) {
            continue;
        }
        if (!create_aggregates(layout, bodies, i)) {
            layout->aggregates = NULL; // fill fails
            return;
        }
        slv_aggregate_layout_reserve(&layout->aggregates[i], body_layout, &layout->extents[i],
                                     cursor);
    }
}

static void set_response(slv_layout *layout, uint32_t index, const slv_body *body,
                         double time_step) {
    (void)body;
    (void)time_step;
    const slv_body_layout *body_layout = &layout->bodies[index];
    if (!layout->coarse_sums) {
        return;
    }
    if (body_layout->coarse_levels > 0) {
        slv_coarse_layout_set_response(body_layout, layout->table, layout->coarse_sums,
                                       layout->state);
        layout->extents[index].written |= 1u << SLV_ASPECT_COARSE;
    }
    if (body_layout->aggregate_levels > 0) {
        slv_aggregate_layout_set_response(&layout->aggregates[index], body_layout,
                                          layout->coarse_sums, layout->state);
        layout->extents[index].written |= 1u << SLV_ASPECT_COARSE;
    }
}

// Whether the matrices of two bodies have the same values: those of the same springs and weights.
static bool has_same_matrices(const slv_layout *layout, uint32_t one, uint32_t other) {
    const slv_body_layout *a = &layout->bodies[one];
    const slv_body_layout *b = &layout->bodies[other];
    const size_t bytes = (size_t)a->slots * sizeof(float);
    const float *state = layout->state;
    if (a->slots != b->slots || a->coarse_levels != b->coarse_levels ||
        a->aggregate_levels != b->aggregate_levels ||
        memcmp(state + a->weight, state + b->weight, bytes) != 0 ||
        memcmp(state + a->anchor, state + b->anchor, bytes) != 0) {
        return false;
    }
    if (a->aggregate_levels > 0) {
        return layout->aggregates[one].aggregates.classes ==
               layout->aggregates[other].aggregates.classes;
    }
    return a->cells == b->cells && a->rows == b->rows && a->shear == b->shear &&
           a->bend == b->bend &&
           memcmp(layout->table + a->present, layout->table + b->present,
                  (size_t)a->slots * sizeof(int)) == 0;
}

// The matrices of a body, copied from the body before it where they have the same values.
static void fill_matrices(slv_layout *layout, uint32_t index, const slv_body *body,
                          double time_step) {
    const slv_extent own = layout->extents[index].state[SLV_ASPECT_COARSE];
    if (own.count > 0 && index > 0 && has_same_matrices(layout, index - 1, index)) {
        const slv_extent other = layout->extents[index - 1].state[SLV_ASPECT_COARSE];
        memcpy(layout->state + own.first, layout->state + other.first, own.count * sizeof(float));
        layout->extents[index].written |= 1u << SLV_ASPECT_COARSE;
    } else {
        set_response(layout, index, body, time_step);
    }
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    (void)scratch;
    size_t room = 0;
    if (!layout->aggregates) {
        return false;
    }
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_body_layout *body_layout = &layout->bodies[i];
        const size_t needed = slv_coarse_layout_room(body_layout);
        const size_t needed_too = slv_aggregate_layout_room(&layout->aggregates[i]);
        room = needed > room ? needed : room;
        room = needed_too > room ? needed_too : room;
        slv_coarse_layout_fill(body_layout, layout->table);
        slv_aggregate_layout_fill(&layout->aggregates[i], body_layout, layout->table);
    }
    layout->coarse_sums =
        room > 0 ? slv_memory_take(&layout->memory, room, sizeof *layout->coarse_sums) : NULL;
    for (uint32_t i = 0; layout->coarse_sums && i < layout->body_count; i++) {
        fill_matrices(layout, i, bodies[i], settings->time_step);
    }
    return room == 0 || layout->coarse_sums;
}

// --- The coarse part of a cycle -----------------------------------------------------------------------

// One kernel for coarse grids, one for aggregates.
typedef struct level_kernels {
    slv_kernel_id grid, graph;
} level_kernels;

static int count_levels(const slv_body_layout *body_layout) {
    return body_layout->inert ? 0 : body_layout->coarse_levels + body_layout->aggregate_levels;
}

// A kernel over the nodes of one level of a body.
static void launch_nodes(slv_plan_writer *writer, level_kernels kernels, uint32_t index,
                         int number) {
    const slv_body_layout *body_layout = &writer->layout->bodies[index];
    const int *table = writer->layout->table;
    if (body_layout->aggregate_levels > 0) {
        const slv_aggregate_level level = slv_aggregate_get_level(table, body_layout, number);
        slv_plan_launch_rows(writer, kernels.graph, index, number, 0, level.slices);
    } else {
        const slv_coarse_level level = slv_coarse_get_level(table, body_layout, number);
        slv_plan_launch_rows(writer, kernels.grid, index, number, 0,
                             level.step / SLV_LANES * level.rows);
    }
}

// A kernel on one level of all bodies that have it; below: that have a coarser one too.
static void launch_level(slv_plan_writer *writer, level_kernels kernels, int level, int below) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        if (level + below < count_levels(&writer->layout->bodies[i])) {
            launch_nodes(writer, kernels, i, level);
        }
    }
    slv_plan_barrier(writer);
}

static void launch_last_levels(slv_plan_writer *writer) {
    const level_kernels solve = {SLV_ID_coarse_solve, SLV_ID_aggregate_solve};
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const int levels = count_levels(&writer->layout->bodies[i]);
        if (levels > 0) {
            launch_nodes(writer, solve, i, levels - 1);
        }
    }
    slv_plan_barrier(writer);
}

static void relax_level(slv_plan_writer *writer, int level) {
    const float usual = writer->relaxation;
    for (int n = 0; n < 2; n++) {
        writer->relaxation = coarse_factors[n];
        writer->flags = n == 0 ? 0 : SLV_FROM_NEXT;
        launch_level(writer, (level_kernels){SLV_ID_coarse_relax, SLV_ID_aggregate_relax}, level,
                     1);
    }
    writer->flags = 0;
    writer->relaxation = usual;
}

static int count_slices(const slv_plan_writer *writer, const slv_body_layout *body_layout) {
    return writer->layout->table[body_layout->colors + body_layout->color_count];
}

static void launch_spread(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (count_levels(body_layout) == 0) {
            continue;
        }
        if (body_layout->aggregate_levels > 0) {
            slv_plan_launch_rows(writer, SLV_ID_aggregate_spread, i, 0, 0,
                                 count_slices(writer, body_layout));
        } else {
            slv_plan_launch_rows(writer, SLV_ID_coarse_spread, i, 0, 0, body_layout->rows);
        }
    }
    slv_plan_barrier(writer);
}

static void correct_coarsely(slv_plan_writer *writer) {
    const level_kernels gather = {SLV_ID_coarse_gather, SLV_ID_aggregate_restrict};
    const level_kernels restriction = {SLV_ID_coarse_restrict, SLV_ID_aggregate_restrict};
    const level_kernels interpolation = {SLV_ID_coarse_interpolate, SLV_ID_aggregate_interpolate};
    int levels = 0;
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const int own = count_levels(&writer->layout->bodies[i]);
        levels = own > levels ? own : levels;
    }
    for (int level = 0; level < levels; level++) {
        launch_level(writer, level == 0 ? gather : restriction, level, 0);
    }
    launch_last_levels(writer);
    for (int level = levels - 2; level >= 0; level--) {
        launch_level(writer, interpolation, level, 1);
        relax_level(writer, level);
    }
    launch_spread(writer);
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
    writer->relaxation = count_levels(body_layout) > 0 ? 1.0f : usual;
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
