// SPDX-License-Identifier: MIT
// Coarse levels of a graph, for multigrid (kernels/aggregate.h): where their matrices and vectors lie.
#ifndef SLV_RUNTIME_LAYOUT_AGGREGATE_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_AGGREGATE_LAYOUT_H

#include "runtime/layout/layout.h"
#include "runtime/model/aggregates.h"

// A matrix as kernels read it: row r of the pattern at position r, or at the slot of particle r.
typedef struct slv_placed_matrix {
    const slv_pattern *pattern;
    const uint32_t *slots; // NULL: position r
    uint32_t slices;
    uint32_t *ends; // [slices + 1]: first row of entries of a slice, and the end
} slv_placed_matrix;

typedef struct slv_placed_aggregation {
    uint32_t first; // node, in the arrays of all levels
    slv_placed_matrix restriction, interpolation, matrix;
} slv_placed_aggregation;

// The levels of one body.
typedef struct slv_aggregate_layout {
    slv_aggregates aggregates;
    slv_placed_aggregation levels[SLV_AGGREGATE_LEVELS];
    slv_pattern inverse; // of the coarsest level's matrix: all, or the diagonal of a large one
    uint32_t nodes;      // of all levels, with those that fill slices
    uint32_t entry_rows; // of all matrices
} slv_aggregate_layout;

// Finds the levels of a body that lies as a graph, in memory that lives as long as the layout. False without memory.
// Bodies that are alike may have copies of one struct.
bool slv_aggregate_layout_create(slv_aggregate_layout *own, const slv_body_layout *body_layout,
                                 const slv_body *body, const uint32_t *slots, slv_memory *memory);
void slv_aggregate_layout_reserve(const slv_aggregate_layout *own, slv_body_layout *body_layout,
                                  slv_body_extents *extents, slv_layout_cursor *cursor);

// Writes the levels and which entries exist, which never change.
void slv_aggregate_layout_fill(const slv_aggregate_layout *own, const slv_body_layout *body_layout,
                               int *table);

// Writes what follows from weights and from which particles are fixed. `sums` has slv_aggregate_layout_room values; it
// may hold anything.
size_t slv_aggregate_layout_room(const slv_aggregate_layout *own);
void slv_aggregate_layout_set_response(const slv_aggregate_layout *own,
                                       const slv_body_layout *body_layout, double *sums,
                                       float *state);

#endif
