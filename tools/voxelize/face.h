// SPDX-License-Identifier: MIT
// One triangle of a snapped surface against the lattice's columns, without rounding. A column is the
// line of samples along one axis; seen along it the triangle is flat, and whole-number edge functions
// tell on which side of each edge the column passes.
#ifndef SLV_VOXELIZE_FACE_H
#define SLV_VOXELIZE_FACE_H

#include "tools/voxelize/slab.h"
#include "tools/voxelize/snapped.h"

#include <stdbool.h>

typedef struct slv_face {
    unsigned fraction_bits;
    const int64_t *corners[3];
    slv_wide normal[3]; // by the corners' order; all zero for a triangle without area
} slv_face;

slv_face slv_face_make(const slv_snapped *snapped, uint32_t triangle);

// The axis along which the triangle looks largest.
int slv_face_dominant_axis(const slv_face *face);

// Where the plane meets a column.
typedef struct slv_height {
    int64_t floor; // cells: the last sample at or before it
    bool exact;    // that sample lies on the plane
} slv_height;

// Calls visit for the columns along axis, among the samples of the slab, that pass through the
// triangle; u and v are the column's sample numbers along axes (axis + 1) % 3 and (axis + 2) % 3.
// A column through an edge or a corner is met by all triangles there when `closed` is set; else by
// exactly as many as if it ran beside by a little of the next axis and far less of the one after, so
// that on a closed surface every ray enters as often as it leaves. The normal along axis must not be
// zero.
typedef void slv_face_visit(void *context, const slv_face *face, int64_t u, int64_t v,
                            slv_height height);
void slv_face_columns(const slv_face *face, int axis, const slv_slab *slab, bool closed,
                      slv_face_visit *visit, void *context);

// What the triangle adds to the winding number at a point (in units): +1, -1, or 0 where the ray from
// the point towards lesser x misses it. Ties as for columns that are not closed.
int slv_face_winding(const slv_face *face, const int64_t point[3]);

#endif
