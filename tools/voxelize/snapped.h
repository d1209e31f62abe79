// SPDX-License-Identifier: MIT
// The surface in fixed-point coordinates. A cell of the lattice is 2^fraction_bits units wide and
// sample (i, j, k) lies at (i, j, k) << fraction_bits. Coordinates stay below 2^38 units and every
// determinant (products of three differences) below 2^121, so that orientation tests with 128-bit
// integers are exact.
#ifndef SLV_VOXELIZE_SNAPPED_H
#define SLV_VOXELIZE_SNAPPED_H

#include "formats/result.h"
#include "tools/common/mesh.h"
#include "tools/voxelize/lattice.h"

#include <stdint.h>

__extension__ typedef __int128 slv_wide; // holds all products and determinants exactly

typedef struct slv_snapped {
    unsigned fraction_bits;
    uint32_t point_count;
    int64_t (*points)[3];
    uint32_t triangle_count;
    uint32_t (*triangles)[3]; // indices of points; snapping may make some degenerate
} slv_snapped;

// Samples and surface must lie within 2^23 cells of the lattice's origin.
slv_result slv_snapped_create(const slv_mesh *mesh, const slv_lattice *lattice,
                              slv_snapped *snapped, slv_error *error);
// Allocates point_count points and triangle_count triangles, all zero.
slv_result slv_snapped_reserve(slv_snapped *snapped, unsigned fraction_bits, uint32_t point_count,
                               uint32_t triangle_count, slv_error *error);
void slv_snapped_free(slv_snapped *snapped); // zeroes it

// Corner of a triangle, in units.
static inline const int64_t *slv_snapped_corner(const slv_snapped *snapped, uint32_t triangle,
                                                int corner) {
    return snapped->points[snapped->triangles[triangle][corner]];
}

// (b - a) x (c - a), in units squared: twice the area, along the normal.
static inline void slv_snapped_normal(const int64_t a[3], const int64_t b[3], const int64_t c[3],
                                      slv_wide normal[3]) {
    for (int x = 0; x < 3; x++) {
        const int y = (x + 1) % 3;
        const int z = (x + 2) % 3;
        normal[x] =
            (slv_wide)(b[y] - a[y]) * (c[z] - a[z]) - (slv_wide)(b[z] - a[z]) * (c[y] - a[y]);
    }
}

#endif
