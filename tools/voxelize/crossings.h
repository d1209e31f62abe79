// SPDX-License-Identifier: MIT
// The inside of a surface, row by row: each row of samples along x is a ray, and where it crosses
// the surface the winding number changes. Crossings are collected as (row, first sample behind,
// change), sorted, and turned into runs of bits; anything else that adds a piecewise constant to the
// winding number (see winding.h) is a pair of such changes.
#ifndef SLV_VOXELIZE_CROSSINGS_H
#define SLV_VOXELIZE_CROSSINGS_H

#include "tools/voxelize/bvh.h"
#include "tools/voxelize/slab.h"

typedef struct slv_crossing {
    uint32_t row;   // of the slab
    uint32_t first; // the change holds for samples first, first + 1, …
    int32_t change;
} slv_crossing;

typedef struct slv_crossings { // zero it to begin; reuse it for slab after slab
    slv_crossing *items;
    size_t count, capacity;
    slv_crossing *sorted;
    size_t sorted_capacity;
    size_t *row_ends;
    size_t row_capacity;
    bool failed; // out of memory; fill says so
} slv_crossings;

void slv_crossings_free(slv_crossings *crossings);

// first may lie outside the row. Rows as slv_slab_row counts them.
void slv_crossings_add(slv_crossings *crossings, const slv_slab *slab, size_t row, int64_t first,
                       int32_t change);

// All crossings of a surface with the slab's rows; weights[t] (+1, 0, -1) times the triangle's own
// direction counts. Samples exactly on a triangle are left to slv_surface_bits.
void slv_crossings_add_surface(slv_crossings *crossings, const slv_slab *slab,
                               const slv_snapped *snapped, const slv_bvh *bvh,
                               const int8_t *weights);

// Sets the bits where the sum of changes is not zero, or odd; clears the others and the list.
typedef enum slv_fill_rule { SLV_FILL_NONZERO, SLV_FILL_ODD } slv_fill_rule;
slv_result slv_crossings_fill(slv_crossings *crossings, const slv_slab *slab, slv_fill_rule rule,
                              uint64_t *bits, slv_error *error);

// Sets the bits of samples that lie exactly on a triangle; leaves the others.
void slv_surface_bits(const slv_slab *slab, const slv_snapped *snapped, const slv_bvh *bvh,
                      uint64_t *bits);

#endif
