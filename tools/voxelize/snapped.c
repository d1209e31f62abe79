// SPDX-License-Identifier: MIT
#include "tools/voxelize/snapped.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    REACH_BITS = 38,        // |coordinate| <= 2^38 units
    MAX_FRACTION_BITS = 28, // 4e-9 of a cell: far below the precision of a float32 distance
    MIN_FRACTION_BITS = 15  // limits the extent to 2^23 cells
};

// Largest coordinate of surface and samples relative to the origin of the lattice, in cells.
static double reach_of(const slv_mesh *mesh, const slv_lattice *lattice) {
    double reach = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        reach = fmax(reach, (double)lattice->cells[axis]);
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
        const double cells = (mesh->points[i] - lattice->origin[i % 3]) / lattice->spacing;
        // A NaN must not pass as small.
        reach = fabs(cells) <= reach ? reach : (cells != cells ? HUGE_VAL : fabs(cells));
    }
    return reach;
}

slv_result slv_snapped_reserve(slv_snapped *snapped, unsigned fraction_bits, uint32_t point_count,
                               uint32_t triangle_count, slv_error *error) {
    *snapped = (slv_snapped){.fraction_bits = fraction_bits,
                             .point_count = point_count,
                             .triangle_count = triangle_count};
    // One spare element: malloc(0) may return NULL, which would look like a failure.
    snapped->points = calloc((size_t)point_count + 1, sizeof *snapped->points);
    snapped->triangles = calloc((size_t)triangle_count + 1, sizeof *snapped->triangles);
    if (snapped->points == NULL || snapped->triangles == NULL) {
        slv_snapped_free(snapped);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for a surface of %u triangles",
                        triangle_count);
    }
    return SLV_OK;
}

slv_result slv_snapped_create(const slv_mesh *mesh, const slv_lattice *lattice,
                              slv_snapped *snapped, slv_error *error) {
    *snapped = (slv_snapped){0};
    const double reach = reach_of(mesh, lattice);
    unsigned bits = MAX_FRACTION_BITS;
    while (bits >= MIN_FRACTION_BITS && ldexp(reach, (int)bits) > ldexp(1.0, REACH_BITS)) {
        bits--;
    }
    if (bits < MIN_FRACTION_BITS) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "the mesh spans %.3g cells of %g m along an axis; at most %g are possible",
                        reach, lattice->spacing, ldexp(1.0, REACH_BITS - MIN_FRACTION_BITS));
    }
    const slv_result result =
        slv_snapped_reserve(snapped, bits, mesh->point_count, mesh->triangle_count, error);
    if (result != SLV_OK) {
        return result;
    }
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const double cells =
                (mesh->points[3 * (size_t)i + (size_t)axis] - lattice->origin[axis]) /
                lattice->spacing;
            snapped->points[i][axis] = (int64_t)rint(ldexp(cells, (int)bits));
        }
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        slv_mesh_corner_points(mesh, t, snapped->triangles[t]);
    }
    return SLV_OK;
}

void slv_snapped_free(slv_snapped *snapped) {
    free(snapped->points);
    free(snapped->triangles);
    *snapped = (slv_snapped){0};
}
