// SPDX-License-Identifier: MIT
// Nearest particle of a lattice at any distance: an occupancy pyramid over blocks of samples,
// searched in order of distance.
#ifndef SLV_VOXELIZE_NEAREST_H
#define SLV_VOXELIZE_NEAREST_H

#include "tools/voxelize/grid_index.h"

#define SLV_NEAREST_LEVELS 32

typedef struct slv_nearest_level {
    uint32_t blocks[3];
    uint8_t *occupied; // [blocks], x fastest; 1 where some sample of the block carries a particle
} slv_nearest_level;

typedef struct slv_nearest {
    const slv_grid_index *index; // borrowed
    size_t level_count;
    slv_nearest_level levels[SLV_NEAREST_LEVELS]; // [0]: blocks of 4 x 4 x 4 samples; then 8^3, …
} slv_nearest;

// index has at least one particle.
slv_result slv_nearest_create(const slv_grid_index *index, slv_nearest *nearest, slv_error *error);
void slv_nearest_free(slv_nearest *nearest);

// cell_position: (point - origin) / spacing. Of equally near particles the first in own order is found.
void slv_nearest_find(const slv_nearest *nearest, const double cell_position[3],
                      uint32_t sample[3]);

#endif
