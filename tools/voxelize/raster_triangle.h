// SPDX-License-Identifier: MIT
// Exact scan conversion of one triangle of a snapped surface. A column is the line of samples along
// one axis. Integer edge functions of the projected triangle give the side of each edge on which a
// column passes.
#ifndef SLV_VOXELIZE_RASTER_TRIANGLE_H
#define SLV_VOXELIZE_RASTER_TRIANGLE_H

#include "tools/voxelize/slab.h"
#include "tools/voxelize/snapped.h"

#include <stdbool.h>

typedef struct slv_raster_triangle {
    unsigned fraction_bits;
    const int64_t *corners[3];
    slv_wide normal
        [3]; // not normalized, by the order of the corners; all zero for a degenerate triangle
} slv_raster_triangle;

slv_raster_triangle slv_raster_triangle_make(const slv_snapped *snapped, uint32_t triangle);

// The axis of the largest normal component.
int slv_raster_triangle_dominant_axis(const slv_raster_triangle *face);

// Where the plane of the triangle intersects a column.
typedef struct slv_plane_height {
    int64_t floor; // cells: index of the last sample at or below the intersection
    bool exact;    // that sample lies exactly on the plane
} slv_plane_height;

// Calls visit for each column along axis, among the samples of the slab, that passes through the
// triangle. u and v are the sample numbers of the column along axes (axis + 1) % 3 and (axis + 2) %
// 3. With `closed`, a column through an edge or a corner intersects all triangles there. Without it
// the column is perturbed symbolically by (e, e^2) along u and v, so that on a closed surface every
// ray enters as often as it leaves. The normal component along axis must not be zero.
typedef void slv_column_visit(void *context, const slv_raster_triangle *face, int64_t u, int64_t v,
                              slv_plane_height height);
void slv_raster_triangle_columns(const slv_raster_triangle *face, int axis, const slv_slab *slab,
                                 bool closed, slv_column_visit *visit, void *context);

// Contribution of the triangle to the winding number at a point (units): +1, -1, or 0 where the ray
// from the point to -x misses it. Ties are perturbed as for columns without `closed`.
int slv_raster_triangle_winding(const slv_raster_triangle *face, const int64_t point[3]);

#endif
