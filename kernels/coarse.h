// SPDX-License-Identifier: MIT
// Multigrid for projective dynamics on flat grids. In an outer iteration directions stand still, so corrections solve a
// linear system A u = f: the same scalar matrix for all three components,
//     (A u)_p = u_p / weight_p - sum r u_p',   f_p = b_p / weight_p.
// Each coarser grid has a node at every second cell of both axes, and one beyond the last cell where their number is
// even. P interpolates bilinearly from it and is zero at fixed particles; its matrix is P'AP
// (runtime/layout/coarse_layout.c), which couples a node with its eight neighbors.
//
// A cycle restricts f to all levels, solves the coarsest by its inverse, and on the way up interpolates and relaxes
// (weighted Jacobi on coarse levels, Gauss-Seidel by colors on the grid itself). Corrections begin at zero, so no
// residual is needed on the way down.
//
// Node (i, j) of a level is number first + j * step + i. A row ends with at least one node that is always zero, and
// there is a row of those before and after each level.
#ifndef SLV_KERNELS_COARSE_H
#define SLV_KERNELS_COARSE_H

#include "kernels/grid.h"

enum {
    SLV_COARSE_LEVELS = 16, // at most
    SLV_COARSE_SOLVED = 64, // nodes of the coarsest level at most, padding included
    SLV_COARSE_LINKS = 4    // to the nodes at (1, 0), (0, 1), (1, 1), (-1, 1)
};

// As a level stands in table.
typedef struct slv_coarse_level {
    int first;         // node (0, 0)
    int columns, rows; // nodes
    int step;          // from a row to the next, a multiple of SLV_LANES
} slv_coarse_level;
enum { SLV_COARSE_LEVEL_INTS = 4 };

SLV_INLINE slv_coarse_level slv_coarse_get_level(const SLV_GLOBAL int *table,
                                                 const SLV_PRIVATE slv_body_layout *body,
                                                 int number) {
    int at = body->coarse + number * SLV_COARSE_LEVEL_INTS;
    slv_coarse_level level;
    level.first = table[at];
    level.columns = table[at + 1];
    level.rows = table[at + 2];
    level.step = table[at + 3];
    return level;
}

// The row of cells after row 2 j of a node, or the row of zeros before the first where there is none.
SLV_INLINE int slv_coarse_row_after(int j, int rows) {
    return 2 * j + 1 < rows ? 2 * j + 1 : -1;
}

// --- Down ---------------------------------------------------------------------------------------------

// f of node (i, j) of the first level from b of the particles.
SLV_INLINE void slv_coarse_gather(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                  slv_coarse_level level, int i, int j, int d) {
    const SLV_GLOBAL float *b = state + body->b + d * body->component;
    const SLV_GLOBAL float *scale = state + body->coarse_scale;
    float sum = 0.0f;
    for (int n = -1; n <= 1; n++) {
        int row = n > 0 ? slv_coarse_row_after(j, body->rows) : 2 * j + n;
        int at = body->origin + row * body->row_step + i;
        int even = at + (row & 1) * body->color_step;
        int odd = at + (1 - (row & 1)) * body->color_step;
        float across =
            scale[even] * b[even] + 0.5f * (scale[odd - 1] * b[odd - 1] + scale[odd] * b[odd]);
        sum += n == 0 ? across : 0.5f * across;
    }
    state[body->coarse_f + d * body->coarse_nodes + level.first + j * level.step + i] = sum;
}

// f of node (i, j) of a level from the next finer one.
SLV_INLINE void slv_coarse_restrict(SLV_GLOBAL float *state,
                                    const SLV_PRIVATE slv_body_layout *body, slv_coarse_level finer,
                                    slv_coarse_level level, int i, int j, int d) {
    SLV_GLOBAL float *f = state + body->coarse_f + d * body->coarse_nodes;
    float sum = 0.0f;
    for (int n = -1; n <= 1; n++) {
        int row = n > 0 ? slv_coarse_row_after(j, finer.rows) : 2 * j + n;
        int at = finer.first + row * finer.step + 2 * i;
        float across = f[at] + 0.5f * (f[at - 1] + f[at + 1]);
        sum += n == 0 ? across : 0.5f * across;
    }
    f[level.first + j * level.step + i] = sum;
}

// u of the coarsest level: node n of it, padding included. The inverse is symmetric and lies row by row.
SLV_INLINE void slv_coarse_solve(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                 slv_coarse_level level, int n, int d) {
    const SLV_GLOBAL float *f = state + body->coarse_f + d * body->coarse_nodes + level.first;
    int count = level.rows * level.step;
    float sum = 0.0f;
    for (int m = 0; m < count; m++) {
        sum += state[body->coarse_inverse + m * count + n] * f[m];
    }
    state[body->coarse_u + d * body->coarse_nodes + level.first + n] = sum;
}

// --- Up -----------------------------------------------------------------------------------------------

// Bilinear interpolation between the nodes at one and at two of an array and, where `beside` is 1, those beside them.
SLV_INLINE float slv_coarse_mean(const SLV_GLOBAL float *u, int one, int two, int beside) {
    return 0.25f * ((u[one] + u[one + beside]) + (u[two] + u[two + beside]));
}

// The rows of nodes between which a row of cells lies: the first of each.
typedef struct slv_coarse_rows {
    int one, two;
} slv_coarse_rows;

SLV_INLINE slv_coarse_rows slv_coarse_rows_at(slv_coarse_level level, int row) {
    slv_coarse_rows rows;
    rows.one = level.first + (row >> 1) * level.step;
    rows.two = rows.one + (row & 1) * level.step;
    return rows;
}

// u of node (i, j) of a level from the next coarser one.
SLV_INLINE void slv_coarse_interpolate(SLV_GLOBAL float *state,
                                       const SLV_PRIVATE slv_body_layout *body,
                                       slv_coarse_level level, slv_coarse_level coarser, int i,
                                       int j, int d) {
    SLV_GLOBAL float *u = state + body->coarse_u + d * body->coarse_nodes;
    slv_coarse_rows rows = slv_coarse_rows_at(coarser, j);
    u[level.first + j * level.step + i] =
        slv_coarse_mean(u, rows.one + (i >> 1), rows.two + (i >> 1), i & 1);
}

// Weighted Jacobi: node n, from u to next or, with SLV_FROM_NEXT, back.
SLV_INLINE void slv_coarse_relax(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                 const SLV_PRIVATE slv_launch *launch, int step, int n, int d) {
    int back = (launch->flags & SLV_FROM_NEXT) != 0;
    const SLV_GLOBAL float *u =
        state + (back ? body->coarse_next : body->coarse_u) + d * body->coarse_nodes;
    const SLV_GLOBAL float *right = state + body->coarse_links;
    const SLV_GLOBAL float *below = right + body->coarse_nodes;
    const SLV_GLOBAL float *falling = below + body->coarse_nodes;
    const SLV_GLOBAL float *rising = falling + body->coarse_nodes;
    float sum = state[body->coarse_f + d * body->coarse_nodes + n];
    sum += right[n] * u[n + 1] + right[n - 1] * u[n - 1];
    sum += below[n] * u[n + step] + below[n - step] * u[n - step];
    sum += falling[n] * u[n + step + 1] + falling[n - step - 1] * u[n - step - 1];
    sum += rising[n] * u[n + step - 1] + rising[n - step + 1] * u[n - step + 1];
    float target = state[body->coarse_diagonal + n] * sum;
    state[(back ? body->coarse_u : body->coarse_next) + d * body->coarse_nodes + n] =
        u[n] + launch->relaxation * (target - u[n]);
}

// Component d of the corrections of both cells of a column, from the first level.
SLV_INLINE void slv_coarse_spread(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                  slv_coarse_level level, int row, int column, int d) {
    const SLV_GLOBAL float *coarse = state + body->coarse_u + d * body->coarse_nodes;
    slv_coarse_rows rows = slv_coarse_rows_at(level, row);
    int even = slv_grid_slot(body, row & 1, row, column);
    int odd = slv_grid_slot(body, 1 - (row & 1), row, column);
    SLV_GLOBAL float *u = state + body->u + d * body->component;
    float at = slv_coarse_mean(coarse, rows.one + column, rows.two + column, 0);
    float between = slv_coarse_mean(coarse, rows.one + column, rows.two + column, 1);
    u[even] = state[body->weight + even] > 0.0f ? at : u[even];
    u[odd] = state[body->weight + odd] > 0.0f ? between : u[odd];
}

// --- Kernels: element `element` of a level, all components ---------------------------------------------

SLV_INLINE void slv_coarse_gather_node(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body, int element) {
    slv_coarse_level level = slv_coarse_get_level(table, body, 0);
    if (element % level.step < level.columns) {
        for (int d = 0; d < 3; d++) {
            slv_coarse_gather(state, body, level, element % level.step, element / level.step, d);
        }
    }
}

SLV_INLINE void slv_coarse_restrict_node(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                         const SLV_PRIVATE slv_body_layout *body,
                                         const SLV_PRIVATE slv_launch *launch, int element) {
    slv_coarse_level finer = slv_coarse_get_level(table, body, launch->index - 1);
    slv_coarse_level level = slv_coarse_get_level(table, body, launch->index);
    if (element % level.step < level.columns) {
        for (int d = 0; d < 3; d++) {
            slv_coarse_restrict(state, body, finer, level, element % level.step,
                                element / level.step, d);
        }
    }
}

SLV_INLINE void slv_coarse_solve_node(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body,
                                      const SLV_PRIVATE slv_launch *launch, int element) {
    slv_coarse_level level = slv_coarse_get_level(table, body, launch->index);
    for (int d = 0; d < 3; d++) {
        slv_coarse_solve(state, body, level, element, d);
    }
}

SLV_INLINE void slv_coarse_interpolate_node(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                            const SLV_PRIVATE slv_body_layout *body,
                                            const SLV_PRIVATE slv_launch *launch, int element) {
    slv_coarse_level level = slv_coarse_get_level(table, body, launch->index);
    slv_coarse_level coarser = slv_coarse_get_level(table, body, launch->index + 1);
    if (element % level.step < level.columns) {
        for (int d = 0; d < 3; d++) {
            slv_coarse_interpolate(state, body, level, coarser, element % level.step,
                                   element / level.step, d);
        }
    }
}

SLV_INLINE void slv_coarse_relax_node(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body,
                                      const SLV_PRIVATE slv_launch *launch, int element) {
    slv_coarse_level level = slv_coarse_get_level(table, body, launch->index);
    if (element % level.step < level.columns) {
        for (int d = 0; d < 3; d++) {
            slv_coarse_relax(state, body, launch, level.step, level.first + element, d);
        }
    }
}

#endif
