// SPDX-License-Identifier: MIT
// Multigrid for projective dynamics on graphs, by smoothed aggregation (Vanek, Mandel and Brezina 1996). The linear
// system and the cycle are those of kernels/coarse.h; only the coarse levels differ. A node of a level stands for an
// aggregate: some particles, or nodes of the finer level, that springs join. Interpolation P takes the value of a
// particle's aggregate, smoothed by an iteration of Jacobi over the springs, and is zero at fixed particles. A level's
// matrix is P'AP (runtime/model/aggregates.h).
//
// All matrices lie alike: slices of SLV_LANES rows, entry by entry, as springs do in kernels/graph.h. Vectors of a node
// are joined: SLV_PARTICLE_FLOATS a node, the fourth is zero.
#ifndef SLV_KERNELS_AGGREGATE_H
#define SLV_KERNELS_AGGREGATE_H

#include "kernels/body_layout.h"

enum {
    SLV_AGGREGATE_LEVELS = 8, // at most
    SLV_AGGREGATE_SOLVED = 64 // nodes of a coarsest level whose inverse is stored, at most
};

// As a level stands in table. Of a matrix with rows by slices, `…_ends` is where table has the first row of entries of
// each slice, and the end.
typedef struct slv_aggregate_level {
    int first;              // node
    int slices;             // of nodes
    int restriction_ends;   // from the finer level: rows are nodes
    int interpolation_ends; // to the finer level: rows are nodes of that, or slots
    int matrix_ends;        // without diagonals; of the coarsest level its inverse
} slv_aggregate_level;
enum { SLV_AGGREGATE_LEVEL_INTS = 5 };

SLV_INLINE slv_aggregate_level slv_aggregate_get_level(const SLV_GLOBAL int *table,
                                                       const SLV_PRIVATE slv_body_layout *body,
                                                       int number) {
    int at = body->aggregates + number * SLV_AGGREGATE_LEVEL_INTS;
    slv_aggregate_level level;
    level.first = table[at];
    level.slices = table[at + 1];
    level.restriction_ends = table[at + 2];
    level.interpolation_ends = table[at + 3];
    level.matrix_ends = table[at + 4];
    return level;
}

// Adds row `lane` of a slice of a matrix, times the vectors at `from`, to a sum.
SLV_INLINE void slv_aggregate_add_row(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body, int ends, int slice,
                                      int lane, int from, SLV_PRIVATE float *sum) {
    for (int n = table[ends + slice]; n < table[ends + slice + 1]; n++) {
        int at = n * SLV_LANES + lane;
        float value = state[body->aggregate_values + at];
        int there = from + table[body->aggregate_columns + at];
        for (int d = 0; d < SLV_PARTICLE_FLOATS; d++) {
            sum[d] += value * state[there + d];
        }
    }
}

SLV_INLINE void slv_aggregate_store(SLV_GLOBAL float *state, int at,
                                    const SLV_PRIVATE float *values) {
    for (int d = 0; d < SLV_PARTICLE_FLOATS; d++) {
        state[at + d] = values[d];
    }
}

// Offset of node `lane` of a slice of a level in the arrays of nodes.
SLV_INLINE int slv_aggregate_offset(slv_aggregate_level level, int slice, int lane) {
    return (level.first + slice * SLV_LANES + lane) * SLV_PARTICLE_FLOATS;
}

// f of a node of level launch->index from b of the particles, or from f of the next finer level.
SLV_INLINE void slv_aggregate_restrict(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body,
                                       const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    slv_aggregate_level level = slv_aggregate_get_level(table, body, launch->index);
    float sum[SLV_PARTICLE_FLOATS] = {0.0f, 0.0f, 0.0f, 0.0f};
    slv_aggregate_add_row(state, table, body, level.restriction_ends, slice, lane,
                          launch->index == 0 ? body->b : body->aggregate_f, sum);
    slv_aggregate_store(state, body->aggregate_f + slv_aggregate_offset(level, slice, lane), sum);
}

// u of a node of the coarsest level.
SLV_INLINE void slv_aggregate_solve(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body,
                                    const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    slv_aggregate_level level = slv_aggregate_get_level(table, body, launch->index);
    float sum[SLV_PARTICLE_FLOATS] = {0.0f, 0.0f, 0.0f, 0.0f};
    slv_aggregate_add_row(state, table, body, level.matrix_ends, slice, lane, body->aggregate_f,
                          sum);
    slv_aggregate_store(state, body->aggregate_u + slv_aggregate_offset(level, slice, lane), sum);
}

// u of a node of level launch->index from the next coarser one.
SLV_INLINE void slv_aggregate_interpolate(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                          const SLV_PRIVATE slv_body_layout *body,
                                          const SLV_PRIVATE slv_launch *launch, int slice,
                                          int lane) {
    slv_aggregate_level level = slv_aggregate_get_level(table, body, launch->index);
    slv_aggregate_level coarser = slv_aggregate_get_level(table, body, launch->index + 1);
    float sum[SLV_PARTICLE_FLOATS] = {0.0f, 0.0f, 0.0f, 0.0f};
    slv_aggregate_add_row(state, table, body, coarser.interpolation_ends, slice, lane,
                          body->aggregate_u, sum);
    slv_aggregate_store(state, body->aggregate_u + slv_aggregate_offset(level, slice, lane), sum);
}

// Weighted Jacobi: a node of level launch->index, from u to next or, with SLV_FROM_NEXT, back.
SLV_INLINE void slv_aggregate_relax(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body,
                                    const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    slv_aggregate_level level = slv_aggregate_get_level(table, body, launch->index);
    int back = (launch->flags & SLV_FROM_NEXT) != 0;
    int from = back ? body->aggregate_next : body->aggregate_u;
    int to = back ? body->aggregate_u : body->aggregate_next;
    int at = slv_aggregate_offset(level, slice, lane);
    float reciprocal = state[body->aggregate_diagonal + level.first + slice * SLV_LANES + lane];
    float sum[SLV_PARTICLE_FLOATS];
    for (int d = 0; d < SLV_PARTICLE_FLOATS; d++) {
        sum[d] = state[body->aggregate_f + at + d];
    }
    slv_aggregate_add_row(state, table, body, level.matrix_ends, slice, lane, from, sum);
    for (int d = 0; d < SLV_PARTICLE_FLOATS; d++) {
        float own = state[from + at + d];
        state[to + at + d] = own + launch->relaxation * (reciprocal * sum[d] - own);
    }
}

// Corrections of a particle from the first level. Those of fixed particles hold their remainders.
SLV_INLINE void slv_aggregate_spread(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body, int slice, int lane) {
    slv_aggregate_level level = slv_aggregate_get_level(table, body, 0);
    int slot = slice * SLV_LANES + lane;
    float sum[SLV_PARTICLE_FLOATS] = {0.0f, 0.0f, 0.0f, 0.0f};
    slv_aggregate_add_row(state, table, body, level.interpolation_ends, slice, lane,
                          body->aggregate_u, sum);
    if (state[body->weight + slot] > 0.0f) {
        slv_aggregate_store(state, body->u + slot * SLV_PARTICLE_FLOATS, sum);
    }
}

#endif
