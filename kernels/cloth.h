// SPDX-License-Identifier: MIT
// Projective dynamics on a flat grid with shear and bending: springs to the eight neighbors of a cell and to the four
// cells two away along the threads. Diagonal neighbors and cells two away lie in the cell's own plane, at constant
// distances too (kernels/grid.h).
//
// Cells of one plane in rows of one parity share no spring of the first eight: four colors. Bending joins cells of the
// same color, so a sweep takes it from the corrections before the sweep (slv_cloth_lag). Such a splitting converges for
// any stiffness, since the diagonal holds bending in full; the coarse grids (kernels/coarse.h) do the rest.
#ifndef SLV_KERNELS_CLOTH_H
#define SLV_KERNELS_CLOTH_H

#include "kernels/grid.h"

// Bits of `present` after the six of a grid; the bit of the opposite direction is n ^ 1. Columns count along x, rows
// along the second axis.
enum {
    SLV_CLOTH_DIAGONALS = 6, // (-1, -1), (1, 1), (1, -1), (-1, 1)
    SLV_CLOTH_FAR = 10,      // (-2, 0), (2, 0), (0, -2), (0, 2)
    SLV_CLOTH_DIRECTIONS = 14,
    SLV_CLOTH_COLORS = 4 // 2 * plane + parity of the row
};

// The slots of the diagonal neighbors, in the order of their bits.
typedef struct slv_cell_diagonals {
    int near[4];
} slv_cell_diagonals;

SLV_INLINE slv_cell_diagonals slv_grid_diagonals(const SLV_PRIVATE slv_body_layout *body, int color,
                                                 int row, int own) {
    int odd = (color + row) & 1;
    slv_cell_diagonals found;
    found.near[0] = own - body->row_step + odd - 1;
    found.near[1] = own + body->row_step + odd;
    found.near[2] = own - body->row_step + odd;
    found.near[3] = own + body->row_step + odd - 1;
    return found;
}

// Adds the spring to another slot, as SLV_GRID_SPRING does.
SLV_INLINE void slv_cloth_spring(const SLV_GLOBAL float *state,
                                 const SLV_PRIVATE slv_body_layout *body, int own, int other,
                                 int exists, float rest, SLV_PRIVATE float *sum) {
    float fine[3];
    float displacement[3];
    for (int d = 0; d < 3; d++) {
        int one = own + d * body->component;
        int two = other + d * body->component;
        fine[d] = state[body->u + one] - state[body->u + two];
        displacement[d] = (state[body->q + one] - state[body->q + two]) + fine[d];
    }
    float square = displacement[0] * displacement[0] + displacement[1] * displacement[1] +
                   displacement[2] * displacement[2];
    square = exists ? square : 0.0f;
    float scale = square > 0.0f ? slv_spring_error(rest / slv_square_root(square)) : 0.0f;
    for (int d = 0; d < 3; d++) {
        sum[d] += scale * displacement[d] + (square > 0.0f ? fine[d] : 0.0f);
    }
}

SLV_INLINE void slv_cloth_project_one(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body, int start, int color,
                                      int row, int column, int far) {
    slv_cell cell = slv_grid_cell(body, color, row, column);
    slv_cell_diagonals diagonals = slv_grid_diagonals(body, color, row, cell.own);
    int present = table[body->present + cell.own];
    float stretch[3] = {0.0f, 0.0f, 0.0f};
    float shear[3] = {0.0f, 0.0f, 0.0f};
    float bend[3] = {0.0f, 0.0f, 0.0f};
    for (int n = 0; n < 4; n++) {
        slv_cloth_spring(state, body, cell.own, cell.near[n], present >> n & 1, body->rest,
                         stretch);
    }
    for (int n = 0; n < 4; n++) {
        slv_cloth_spring(state, body, cell.own, diagonals.near[n],
                         present >> (SLV_CLOTH_DIAGONALS + n) & 1, body->shear_rest, shear);
    }
    if (far) {
        for (int n = 0; n < 4; n++) {
            int step = n < 2 ? 1 : 2 * body->row_step;
            slv_cloth_spring(state, body, cell.own, (n & 1) ? cell.own + step : cell.own - step,
                             present >> (SLV_CLOTH_FAR + n) & 1, body->bend_rest, bend);
        }
    }
    float weight = state[body->weight + cell.own];
    float anchor = state[body->anchor + cell.own];
    for (int d = 0; d < 3; d++) {
        int at = d * body->component + cell.own;
        float sum = stretch[d] + body->shear * shear[d];
        sum = far ? sum + body->bend * bend[d] : sum;
        state[body->b + at] = weight * sum + anchor * (state[body->predicted + at] -
                                                       (state[body->q + at] - state[start + at]));
    }
}

// b of a red cell and of the black one in the same column. far: with bending.
SLV_INLINE void slv_cloth_project(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body,
                                  const SLV_PRIVATE slv_launch *launch, int row, int column,
                                  int far) {
    int start = slv_step_start(body, launch);
    slv_cloth_project_one(state, table, body, start, 0, row, column, far);
    slv_cloth_project_one(state, table, body, start, 1, row, column, far);
}

// Component d of b with bending by the corrections so far, into next.
SLV_INLINE void slv_cloth_lag(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                              int row, int column, int d) {
    for (int color = 0; color < 2; color++) {
        int own = slv_grid_slot(body, color, row, column);
        int u = body->u + d * body->component + own;
        float sum = 0.0f + (state[u - 1] + state[u + 1]);
        sum += state[u - 2 * body->row_step] + state[u + 2 * body->row_step];
        state[body->next + d * body->component + own] =
            state[body->weight + own] * (body->bend * sum) +
            state[body->b + d * body->component + own];
    }
}

// Whether a row has cells of color launch->index.
SLV_INLINE int slv_cloth_has_color(const SLV_PRIVATE slv_launch *launch, int row) {
    return ((row ^ launch->index) & 1) == 0;
}

// Component d of a cell in a row that has color launch->index. With SLV_FROM_NEXT what slv_cloth_lag left in next
// takes the place of b.
SLV_INLINE void slv_cloth_relax_cell(SLV_GLOBAL float *state,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int row, int column,
                                     int d) {
    int color = launch->index >> 1;
    slv_cell cell = slv_grid_cell(body, color, row, column);
    slv_cell_diagonals diagonals = slv_grid_diagonals(body, color, row, cell.own);
    int fixed_part = (launch->flags & SLV_FROM_NEXT) != 0 ? body->next : body->b;
    int u = body->u + d * body->component;
    float near = 0.0f + (state[u + cell.near[0]] + state[u + cell.near[1]]);
    near += state[u + cell.near[2]] + state[u + cell.near[3]];
    float shear = 0.0f + (state[u + diagonals.near[0]] + state[u + diagonals.near[1]]);
    shear += state[u + diagonals.near[2]] + state[u + diagonals.near[3]];
    float target = state[body->weight + cell.own] * (near + body->shear * shear) +
                   state[fixed_part + d * body->component + cell.own];
    float own = state[u + cell.own];
    state[u + cell.own] = own + launch->relaxation * (target - own);
}

// The same for any row.
SLV_INLINE void slv_cloth_relax(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                const SLV_PRIVATE slv_launch *launch, int row, int column, int d) {
    if (slv_cloth_has_color(launch, row)) {
        slv_cloth_relax_cell(state, body, launch, row, column, d);
    }
}

#endif
