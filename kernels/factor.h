// SPDX-License-Identifier: MIT
// Solves A x = r with A = L D L', L unit lower triangular and sparse, in a nested order of elimination. Particles are in
// blocks (the nodes of the elimination tree), whose diagonal blocks of L are inverted beforehand. With S a block, its level
// is above those of all blocks that L joins it to from below. All blocks of a level are solved at once:
//     upwards:    t_S = r_S - sum of L_Sj D_j z_j,    z_S = inverse(D_S) inverse(L_SS) t_S
//     downwards:  t_S = z_S - sum of L_jS' x_j,       x_S = inverse(L_SS') t_S
// Each of the four is a pass over rows of numbers, whose signs and products with D are in the numbers already.
// x, y and z are solved together: a particle's vector is one 16-byte load. r is in residuals, t in products, z in directions,
// x in solution.
#ifndef SLV_KERNELS_FACTOR_H
#define SLV_KERNELS_FACTOR_H

#include "kernels/body_layout.h"

// Passes, in launch->index.
enum {
    SLV_FACTOR_GATHER_UP = 0,
    SLV_FACTOR_SOLVE_UP = 1,
    SLV_FACTOR_GATHER_DOWN = 2,
    SLV_FACTOR_SOLVE_DOWN = 3,
    SLV_FACTOR_PASSES = 4,
    SLV_FACTOR_SKIPS =
        4, // with a solving pass: its gathering one has nothing to add and was left out
    SLV_FACTOR_STRIDE = 4 // numbers of a row are padded to a multiple, and summed in so many parts
};

// Vectors of a pass: what it begins with (below 0: zero), multiplies and writes.
typedef struct slv_factor_pass {
    int start, from, to;
} slv_factor_pass;

SLV_INLINE slv_factor_pass slv_get_factor_pass(const SLV_PRIVATE slv_body_layout *body, int index) {
    const int number = index % SLV_FACTOR_PASSES;
    const int skips = index >= SLV_FACTOR_SKIPS ? 1 : 0;
    const int up = number < SLV_FACTOR_GATHER_DOWN ? 1 : 0;
    const int start = up ? body->residuals : body->directions;
    slv_factor_pass pass;
    if (number == SLV_FACTOR_GATHER_UP || number == SLV_FACTOR_GATHER_DOWN) {
        pass.start = start;
        pass.from = up ? body->directions : body->solution;
        pass.to = body->products;
    } else {
        pass.start = -1;
        pass.from = skips ? start : body->products;
        pass.to = up ? body->directions : body->solution;
    }
    return pass;
}

// Row `row` of pass launch->index.
SLV_INLINE void slv_factor_apply(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body,
                                 const SLV_PRIVATE slv_launch *launch, int row) {
    const slv_factor_pass pass = slv_get_factor_pass(body, launch->index);
    const int own = table[body->factor_rows + row];
    const int ends = body->factor_ends[launch->index % SLV_FACTOR_PASSES] + row;
    const int end = table[ends + 1];
    float part[SLV_FACTOR_STRIDE][3];
    for (int i = 0; i < SLV_FACTOR_STRIDE; i++) {
        for (int d = 0; d < 3; d++) {
            part[i][d] = 0.0f;
        }
    }
    for (int n = table[ends]; n < end; n += SLV_FACTOR_STRIDE) {
        for (int i = 0; i < SLV_FACTOR_STRIDE; i++) {
            const int there = pass.from + table[body->factor_columns + n + i];
            const float number = state[body->factor_numbers + n + i];
            for (int d = 0; d < 3; d++) {
                part[i][d] += number * state[there + d];
            }
        }
    }
    for (int d = 0; d < 3; d++) {
        const float start = pass.start < 0 ? 0.0f : state[pass.start + own + d];
        state[pass.to + own + d] = start + ((part[0][d] + part[2][d]) + (part[1][d] + part[3][d]));
    }
}

#endif
