// SPDX-License-Identifier: MIT
// Where the samples of a field lie: origin + (i, j, k) * spacing, as SDFGen places them.
#ifndef SLV_VOXELIZE_LATTICE_H
#define SLV_VOXELIZE_LATTICE_H

#include <stddef.h>
#include <stdint.h>

typedef struct slv_lattice {
    uint32_t cells[3];
    double origin[3]; // metres, in the mesh's (frame-relative) coordinates
    double spacing;   // metres
} slv_lattice;

static inline size_t slv_lattice_count(const slv_lattice *lattice) {
    return (size_t)lattice->cells[0] * lattice->cells[1] * lattice->cells[2];
}

#endif
