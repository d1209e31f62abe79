// SPDX-License-Identifier: MIT
// Projective dynamics on a grid, addressed by strides. Cell (i, j, k) has color (i + j + k) & 1 and is
// number i >> 1 of its row; all its neighbors have the other color and lie at constant distances. A
// margin of zeros around the cells makes boundary checks unnecessary.
//
// `axes` is 2 for flat grids and 3 for solid ones. Sums begin at +0 and so are never -0. Adding the +0
// of a missing pair then changes nothing, and a flat grid, a solid one and a list of springs agree to
// the last bit.
#ifndef SLV_KERNELS_GRID_H
#define SLV_KERNELS_GRID_H

#include "kernels/body_layout.h"

// A cell's slot and the slots of its neighbors, in the order of the SLV_SLOT_… numbers.
typedef struct slv_cell {
    int own;
    int near[6];
} slv_cell;

SLV_INLINE int slv_grid_slot(const SLV_PRIVATE slv_body_layout *body, int color, int row,
                             int column) {
    return body->origin + color * body->color_step + row / body->rows * body->layer_step +
           row % body->rows * body->row_step + column;
}

SLV_INLINE slv_cell slv_grid_cell(const SLV_PRIVATE slv_body_layout *body, int color, int row,
                                  int column) {
    int j = row % body->rows;
    int k = row / body->rows;
    int odd = (color + j + k) & 1; // cells of this color begin at i = odd
    int plane_slot = body->origin + k * body->layer_step + j * body->row_step + column;
    int other = (1 - color) * body->color_step + plane_slot;
    slv_cell cell;
    cell.own = color * body->color_step + plane_slot;
    cell.near[0] = other - 1 + odd;
    cell.near[1] = other + odd;
    cell.near[2] = other - body->row_step;
    cell.near[3] = other + body->row_step;
    cell.near[4] = other - body->layer_step;
    cell.near[5] = other + body->layer_step;
    return cell;
}

// Adds the spring to a neighbor: L times the direction from it, less the vector from it. The direction is that of
// positions with their remainders, the vector that of positions alone, since u is a correction to these.
#define SLV_GRID_SPRING(direction)                                                                 \
    {                                                                                              \
        int there = body->q + cell.near[direction];                                                \
        int fine = body->u + cell.near[direction];                                                 \
        float ux = u[0] - state[fine];                                                             \
        float uy = u[1] - state[fine + body->component];                                           \
        float uz = u[2] - state[fine + 2 * body->component];                                       \
        float dx = (x - state[there]) + ux;                                                        \
        float dy = (y - state[there + body->component]) + uy;                                      \
        float dz = (z - state[there + 2 * body->component]) + uz;                                  \
        float square = dx * dx + dy * dy + dz * dz;                                                \
        square = (present & (1 << (direction))) != 0 ? square : 0.0f;                              \
        float scale =                                                                              \
            square > 0.0f ? slv_spring_error(body->rest / slv_square_root(square)) : 0.0f;         \
        sum_x += scale * dx + (square > 0.0f ? ux : 0.0f);                                         \
        sum_y += scale * dy + (square > 0.0f ? uy : 0.0f);                                         \
        sum_z += scale * dz + (square > 0.0f ? uz : 0.0f);                                         \
    }

SLV_INLINE void slv_grid_project_one(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body, int start, int color,
                                     int row, int column, int axes) {
    slv_cell cell = slv_grid_cell(body, color, row, column);
    int own = body->q + cell.own;
    float x = state[own];
    float y = state[own + body->component];
    float z = state[own + 2 * body->component];
    float u[3];
    for (int d = 0; d < 3; d++) {
        u[d] = state[body->u + d * body->component + cell.own];
    }
    float sum_x = 0.0f;
    float sum_y = 0.0f;
    float sum_z = 0.0f;
    int present = table[body->present + cell.own];
    SLV_GRID_SPRING(0)
    SLV_GRID_SPRING(1)
    SLV_GRID_SPRING(2)
    SLV_GRID_SPRING(3)
    if (axes == 3) {
        SLV_GRID_SPRING(4)
        SLV_GRID_SPRING(5)
    }
    float weight = state[body->weight + cell.own];
    float anchor = state[body->anchor + cell.own];
    int from = start + cell.own;
    int inertial = body->predicted + cell.own;
    int fixed_part = body->b + cell.own;
    state[fixed_part] = weight * sum_x + anchor * (state[inertial] - (x - state[from]));
    state[fixed_part + body->component] =
        weight * sum_y +
        anchor * (state[inertial + body->component] - (y - state[from + body->component]));
    state[fixed_part + 2 * body->component] =
        weight * sum_z +
        anchor * (state[inertial + 2 * body->component] - (z - state[from + 2 * body->component]));
}

// b of a red cell and of the black one in the same column.
SLV_INLINE void slv_grid_project(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body,
                                 const SLV_PRIVATE slv_launch *launch, int row, int column,
                                 int axes) {
    int start = slv_step_start(body, launch);
    slv_grid_project_one(state, table, body, start, 0, row, column, axes);
    slv_grid_project_one(state, table, body, start, 1, row, column, axes);
}

// Component d of the correction that solves a cell's equation for given neighbors.
SLV_INLINE float slv_grid_target(const SLV_GLOBAL float *state,
                                 const SLV_PRIVATE slv_body_layout *body, slv_cell cell, int d,
                                 int axes) {
    int u = body->u + d * body->component;
    float sum = 0.0f + (state[u + cell.near[0]] + state[u + cell.near[1]]);
    sum += state[u + cell.near[2]] + state[u + cell.near[3]];
    if (axes == 3) {
        sum += state[u + cell.near[4]] + state[u + cell.near[5]];
    }
    return state[body->weight + cell.own] * sum + state[body->b + d * body->component + cell.own];
}

SLV_INLINE void slv_grid_relax(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                               float relaxation, int color, int row, int column, int d, int axes) {
    slv_cell cell = slv_grid_cell(body, color, row, column);
    int own = body->u + d * body->component + cell.own;
    float target = slv_grid_target(state, body, cell, d, axes);
    state[own] += relaxation * (target - state[own]);
}

SLV_INLINE void slv_grid_jacobi(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                const SLV_PRIVATE slv_launch *launch, int row, int column, int d,
                                int axes) {
    slv_cell cell = slv_grid_cell(body, launch->index, row, column);
    float degree = state[body->degrees + cell.own];
    float relaxation = launch->damped ? launch->relaxation / degree : launch->relaxation;
    int own = d * body->component + cell.own;
    float target = slv_grid_target(state, body, cell, d, axes);
    float u = state[body->u + own];
    state[body->next + own] = u + relaxation * (target - u);
}

// Gauss-Seidel without coloring: every cell in the order of the pack, x fastest.
SLV_INLINE void slv_grid_sweep(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                               float relaxation, int axes) {
    for (int row = 0; row < body->rows * body->layers; row++) {
        int parity = (row % body->rows + row / body->rows) & 1;
        for (int i = 0; i < body->cells; i++) {
            for (int d = 0; d < 3; d++) {
                slv_grid_relax(state, body, relaxation, (i + parity) & 1, row, i >> 1, d, axes);
            }
        }
    }
}

#endif
