// SPDX-License-Identifier: MIT
// Where the samples of a field lie: origin + (i, j, k) * spacing, as SDFGen places them.
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
// 2*padding*spacing) / spacing), but at least 1. Computed in float32 step by step as SDFGen does, so
// that both agree on n and origin where a division comes out close to a whole number; in double where
// the box lies too far out for float32 to tell samples apart. The box is the mesh's within its frame:
// a mesh so far from its origin that it has one gets the n of the same mesh near the origin, where
// SDFGen, with floats of the file's coordinates, may count one less or more. False, with *lattice
// untouched, where it would have 2^32 samples or more.
bool slv_lattice_around(const double min[3], const double max[3], double spacing, uint32_t padding,
                        slv_lattice *lattice);

#endif
