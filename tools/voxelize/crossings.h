// SPDX-License-Identifier: MIT
// Inside test by scan lines: each row of samples along x is a ray, and each crossing with the
// surface changes the winding number. Crossings are collected as (row, first sample behind,
// change), sorted and turned into runs of bits. Other piecewise constant terms of the winding
// number (see winding.h) are pairs of such changes.
#ifndef SLV_VOXELIZE_CROSSINGS_H
#define SLV_VOXELIZE_CROSSINGS_H

#include "tools/voxelize/bvh.h"
#include "tools/voxelize/slab.h"

typedef struct slv_crossing {
    uint32_t row;   // of the slab
    uint32_t first; // the change applies to samples first, first + 1, …
    int32_t change;
} slv_crossing;

typedef struct slv_crossings { // starts zeroed; reusable for any number of slabs
    slv_crossing *items;
    size_t count, capacity;
    slv_crossing *sorted;
    size_t sorted_capacity;
    size_t *row_ends;
    size_t row_capacity;
    bool failed; // out of memory; reported by slv_crossings_fill
} slv_crossings;

void slv_crossings_free(slv_crossings *crossings);

// first may lie outside the row. Rows as slv_slab_row counts them.
void slv_crossings_add(slv_crossings *crossings, const slv_slab *slab, size_t row, int64_t first,
                       int32_t change);

// Adds all crossings of a surface with the rows of the slab. weights[t] (+1, 0, -1) multiplies the
// orientation of triangle t. Samples exactly on a triangle are handled by slv_surface_bits.
void slv_crossings_add_surface(slv_crossings *crossings, const slv_slab *slab,
                               const slv_snapped *snapped, const slv_bvh *bvh,
                               const int8_t *weights);

// Sets the bits where the sum of changes is not zero, or odd, by the rule; clears all other bits
// and the list.
typedef enum slv_fill_rule { SLV_FILL_NONZERO, SLV_FILL_ODD } slv_fill_rule;
slv_result slv_crossings_fill(slv_crossings *crossings, const slv_slab *slab, slv_fill_rule rule,
                              uint64_t *bits, slv_error *error);

// Sets the bits of samples that lie exactly on a triangle; other bits are unchanged.
void slv_surface_bits(const slv_slab *slab, const slv_snapped *snapped, const slv_bvh *bvh,
                      uint64_t *bits);

#endif
