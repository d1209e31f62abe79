// SPDX-License-Identifier: MIT
#include "runtime/layout/grid_layout.h"

#include <limits.h>

// A grid. A row of a plane is a margin of at least SLV_ROW_ALIGNMENT zeros and then the cells of
// one color, padded to whole vectors; the margin of the next row closes it. There is one row of zeros
// before and after each layer (two where there is bending), and one layer of them at either end. The first cell of
// every row begins a line of cache.

enum { LINE = 16 }; // floats

static size_t align(size_t count, size_t alignment) {
    return (count + alignment - 1) / alignment * alignment;
}

// The grid without axes of extent 1 behind x: rows lie along y, or along z where there is no y.
static void compact(const uint32_t cells[3], uint32_t extent[3]) {
    extent[0] = cells[0];
    extent[1] = cells[1] > 1 ? cells[1] : cells[2];
    extent[2] = cells[1] > 1 ? cells[2] : 1;
}

static void number_slots(const slv_body_layout *body_layout, const slv_body *body,
                         uint32_t *slots) {
    for (uint32_t p = 0; p < body->count; p++) {
        uint32_t at[3];
        slv_body_get_grid_coordinates(body, p, at);
        uint32_t row = body->cells[1] > 1 ? at[1] : at[2];
        uint32_t layer = body->cells[1] > 1 ? at[2] : 0;
        uint32_t color = (at[0] + row + layer) & 1;
        slots[p] = (uint32_t)body_layout->origin + color * (uint32_t)body_layout->color_step +
                   layer * (uint32_t)body_layout->layer_step +
                   row * (uint32_t)body_layout->row_step + at[0] / 2;
    }
}

// The kinds of springs beside those of the first class.
static void set_stencil(slv_body_layout *body_layout, const slv_body *body) {
    const slv_stencil *stencil = &body->stencil;
    if (stencil->regular && stencil->shear.exists) {
        body_layout->shear =
            (float)(body->stiffness[stencil->shear.stiffness_class] / body->stiffness[0]);
        body_layout->shear_rest = stencil->shear.rest;
    }
    if (stencil->regular && stencil->bend.exists) {
        body_layout->bend =
            (float)(body->stiffness[stencil->bend.stiffness_class] / body->stiffness[0]);
        body_layout->bend_rest = stencil->bend.rest;
    }
}

void slv_grid_layout_reserve(slv_body_layout *body_layout, slv_body_extents *extents,
                             const slv_body *body, uint32_t *slots, slv_layout_cursor *cursor) {
    uint32_t extent[3];
    compact(body->cells, extent);
    size_t columns = align(((size_t)extent[0] + 1) / 2, SLV_ROW_ALIGNMENT);
    size_t row = align(SLV_ROW_ALIGNMENT + columns, LINE);
    size_t rows_beside = body->stencil.regular && body->stencil.bend.exists ? 2 : 1;
    size_t layer = row * ((size_t)extent[1] + 2 * rows_beside);
    size_t margin = extent[2] > 1 ? layer : 0;
    size_t plane = align(2 * margin + layer * extent[2] + LINE, SLV_BLOCK / 2);
    if (2 * plane > INT_MAX / 4) {
        cursor->too_large = true;
        return;
    }
    *body_layout = (slv_body_layout){
        .arrangement = SLV_SPLIT,
        .stride = 1,
        .slots = (int)(2 * plane),
        .columns = (int)columns,
        .rows = (int)extent[1],
        .layers = (int)extent[2],
        .row_step = (int)row,
        .layer_step = (int)layer,
        .color_step = (int)plane,
        .origin = (int)(margin + rows_beside * row + LINE),
        .cells = (int)extent[0],
        .particles = (int)body->count,
        .rest = body->spring_count > 0 ? body->springs[0].rest : 0.0f,
        .color_count = 2,
    };
    set_stencil(body_layout, body);
    body_layout->present = slv_reserve_table(cursor, 2 * plane);
    slv_reserve_vectors(cursor, body_layout, extents, 0, 0);
    number_slots(body_layout, body, slots);
}

// A flat grid's second axis takes the second pair of directions, whichever axis of space it was.
void slv_grid_layout_fill(const slv_body_layout *body_layout, const slv_body *body,
                          const uint32_t *slots, int *table) {
    bool rows_along_z = body->cells[1] == 1;
    for (uint32_t p = 0; p < body->count; p++) {
        const bool regular = body->stencil.regular;
        int present = regular ? body->stencil.directions[p] : body->present[p];
        if (rows_along_z && !regular) {
            present = (present & 3) | (present >> 2 & 12);
        }
        table[body_layout->present + (int)slots[p]] = present;
    }
}
