// SPDX-License-Identifier: MIT
// A garment under construction and its memory. Functions that add to it allocate their arrays here
// and set the pointers of the garment; one call frees all of them.
#ifndef SLV_VOXELIZE_GARMENT_BUILDER_H
#define SLV_VOXELIZE_GARMENT_BUILDER_H

#include "formats/garment.h"

typedef struct slv_builder_block slv_builder_block;

typedef struct slv_garment_builder { // starts zeroed
    slv_garment garment;
    slv_builder_block *blocks;
} slv_garment_builder;

// Array of count elements of size bytes, uninitialized, 16-byte aligned, freed with the builder.
// NULL, with *error filled, where memory is short; never NULL for count == 0.
void *slv_builder_array(slv_garment_builder *builder, uint64_t count, size_t size,
                        slv_error *error);

void slv_builder_free(slv_garment_builder *builder); // empties it

// Fills info.bounds_min and info.bounds_max from the particles.
void slv_builder_measure_bounds(slv_garment_builder *builder);

// Distributes mass (kilograms) over the particles: equally where weights is NULL, otherwise in
// proportion to weights (one per stored particle, > 0). Fills inverse masses and info.mass.
slv_result slv_builder_distribute_mass(slv_garment_builder *builder, double mass,
                                       const double *weights, slv_error *error);

#endif
