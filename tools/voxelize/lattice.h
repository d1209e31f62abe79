// SPDX-License-Identifier: MIT
// Regular sample positions: origin + (i, j, k) * spacing, as SDFGen places them.
#ifndef SLV_VOXELIZE_LATTICE_H
#define SLV_VOXELIZE_LATTICE_H

#include <stdbool.h>
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

// The lattice around a box: origin = min - padding*spacing and, per axis, n = trunc((max - min +
// 2*padding*spacing) / spacing), at least 1. Computed in float32 step by step as SDFGen does, so
// that n and origin agree where the quotient is close to an integer; in double where float32 cannot
// separate the samples. The box is relative to the frame of the mesh: a mesh far from its origin
// gets the n of the same mesh near the origin, where SDFGen may differ by one. False, with *lattice
// unchanged, for 2^32 samples or more.
bool slv_lattice_around(const double min[3], const double max[3], double spacing, uint32_t padding,
                        slv_lattice *lattice);

#endif
