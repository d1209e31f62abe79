// SPDX-License-Identifier: MIT
// A garment that is being built: the view that will be written, and its memory. Functions that add to it
// allocate their arrays here and point the view at them; one call frees everything.
#ifndef SLV_VOXELIZE_DRAFT_H
#define SLV_VOXELIZE_DRAFT_H

#include "formats/garment.h"

typedef struct slv_draft_block slv_draft_block;

typedef struct slv_draft { // all zero is an empty draft
    slv_garment garment;
    slv_draft_block *blocks;
} slv_draft;

// count elements of size bytes, uninitialised, 16-byte aligned, freed with the draft. NULL, with
// *error filled, where memory runs out; never NULL for count == 0.
void *slv_draft_array(slv_draft *draft, uint64_t count, size_t size, slv_error *error);

void slv_draft_free(slv_draft *draft); // empties it

// Fills info.bounds_min and info.bounds_max from the particles.
void slv_draft_measure_bounds(slv_draft *draft);

// Gives every particle its share of mass (kilograms): equal shares where weights is NULL, else in
// proportion to weights (one per stored particle, > 0). Fills inverse masses and info.mass.
slv_result slv_draft_spread_mass(slv_draft *draft, double mass, const double *weights,
                                 slv_error *error);

#endif
