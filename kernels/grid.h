// SPDX-License-Identifier: MIT
// Projective dynamics on a grid, addressed by strides. Cell (i, j, k) has color (i + j + k) & 1 and is
// number i >> 1 of its row; all its neighbors have the other color and lie at fixed distances. Around
// the cells lies a margin of zeros, so no cell needs to ask whether it is at the edge.
//
// `axes` is 2 for flat grids and 3 for solid ones. Sums begin at +0 and so are never -0; then adding the
// +0 of a missing pair changes nothing, and a flat grid, a solid one and a list of springs agree to the
// last bit.
#ifndef SLV_KERNELS_GRID_H
#define SLV_KERNELS_GRID_H

#include "kernels/body_layout.h"

// A cell's slot and the slots of its neighbors, in the order of the SLV_SLOT_… numbers.
typedef struct slv_cell {
    int own;
    int near[6];
} slv_cell;

SLV_BODY int slv_grid_slot(const SLV_PRIVATE slv_part *part, int color, int row, int column) {
    return part->origin + color * part->color_step + row / part->rows * part->layer_step +
           row % part->rows * part->row_step + column;
}

SLV_BODY slv_cell slv_grid_cell(const SLV_PRIVATE slv_part *part, int color, int row, int column) {
    int j = row % part->rows;
    int k = row / part->rows;
    int odd = (color + j + k) & 1; // cells of this color begin at i = odd
    int place = part->origin + k * part->layer_step + j * part->row_step + column;
    int other = (1 - color) * part->color_step + place;
    slv_cell cell;
    cell.own = color * part->color_step + place;
    cell.near[0] = other - 1 + odd;
    cell.near[1] = other + odd;
    cell.near[2] = other - part->row_step;
    cell.near[3] = other + part->row_step;
    cell.near[4] = other - part->layer_step;
    cell.near[5] = other + part->layer_step;
    return cell;
}

// Adds what the spring to a neighbor asks for: L times the direction from it, less the way there is.
#define SLV_GRID_PULL(direction)                                                                   \
    {                                                                                              \
        int there = part->q + cell.near[direction];                                                \
        float dx = x - state[there];                                                               \
        float dy = y - state[there + part->component];                                             \
        float dz = z - state[there + 2 * part->component];                                         \
        float square = dx * dx + dy * dy + dz * dz;                                                \
        square = (present & (1 << (direction))) != 0 ? square : 0.0f;                              \
        float scale = square > 0.0f ? part->rest / slv_square_root(square) - 1.0f : 0.0f;          \
        sum_x += scale * dx;                                                                       \
        sum_y += scale * dy;                                                                       \
        sum_z += scale * dz;                                                                       \
    }

SLV_BODY void slv_grid_project_one(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_part *part, int color, int row, int column,
                                   int axes) {
    slv_cell cell = slv_grid_cell(part, color, row, column);
    int own = part->q + cell.own;
    float x = state[own];
    float y = state[own + part->component];
    float z = state[own + 2 * part->component];
    float sum_x = 0.0f;
    float sum_y = 0.0f;
    float sum_z = 0.0f;
    int present = table[part->present + cell.own];
    SLV_GRID_PULL(0)
    SLV_GRID_PULL(1)
    SLV_GRID_PULL(2)
    SLV_GRID_PULL(3)
    if (axes == 3) {
        SLV_GRID_PULL(4)
        SLV_GRID_PULL(5)
    }
    float weight = state[part->weight + cell.own];
    float anchor = state[part->anchor + cell.own];
    int inertial = part->y + cell.own;
    int fixed_part = part->b + cell.own;
    state[fixed_part] = weight * sum_x + anchor * (state[inertial] - x);
    state[fixed_part + part->component] =
        weight * sum_y + anchor * (state[inertial + part->component] - y);
    state[fixed_part + 2 * part->component] =
        weight * sum_z + anchor * (state[inertial + 2 * part->component] - z);
}

// b of a red cell and of the black one in the same column.
SLV_BODY void slv_grid_project(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_part *part, int row, int column, int axes) {
    slv_grid_project_one(state, table, part, 0, row, column, axes);
    slv_grid_project_one(state, table, part, 1, row, column, axes);
}

// Component d of the correction that a cell's neighbors and its inertia would have.
SLV_BODY float slv_grid_target(const SLV_GLOBAL float *state, const SLV_PRIVATE slv_part *part,
                               slv_cell cell, int d, int axes) {
    int u = part->u + d * part->component;
    float sum = 0.0f + (state[u + cell.near[0]] + state[u + cell.near[1]]);
    sum += state[u + cell.near[2]] + state[u + cell.near[3]];
    if (axes == 3) {
        sum += state[u + cell.near[4]] + state[u + cell.near[5]];
    }
    return state[part->weight + cell.own] * sum + state[part->b + d * part->component + cell.own];
}

SLV_BODY void slv_grid_relax(SLV_GLOBAL float *state, const SLV_PRIVATE slv_part *part,
                             float relaxation, int color, int row, int column, int d, int axes) {
    slv_cell cell = slv_grid_cell(part, color, row, column);
    int own = part->u + d * part->component + cell.own;
    float target = slv_grid_target(state, part, cell, d, axes);
    state[own] += relaxation * (target - state[own]);
}

SLV_BODY void slv_grid_jacobi(SLV_GLOBAL float *state, const SLV_PRIVATE slv_part *part,
                              const SLV_PRIVATE slv_launch *launch, int row, int column, int d,
                              int axes) {
    slv_cell cell = slv_grid_cell(part, launch->color, row, column);
    float degree = state[part->degrees + cell.own];
    float share = launch->damped ? launch->relaxation / degree : launch->relaxation;
    int own = d * part->component + cell.own;
    float target = slv_grid_target(state, part, cell, d, axes);
    float u = state[part->u + own];
    state[part->next + own] = u + share * (target - u);
}

// Plain Gauss-Seidel: every cell in own order, x fastest.
SLV_BODY void slv_grid_sweep(SLV_GLOBAL float *state, const SLV_PRIVATE slv_part *part,
                             float relaxation, int axes) {
    for (int row = 0; row < part->rows * part->layers; row++) {
        int parity = (row % part->rows + row / part->rows) & 1;
        for (int i = 0; i < part->cells; i++) {
            for (int d = 0; d < 3; d++) {
                slv_grid_relax(state, part, relaxation, (i + parity) & 1, row, i >> 1, d, axes);
            }
        }
    }
}

#endif
