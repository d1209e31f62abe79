// SPDX-License-Identifier: MIT
// Polygons into triangles.
#ifndef SLV_TOOLS_POLYGON_H
#define SLV_TOOLS_POLYGON_H

#include "formats/result.h"

#include <stdint.h>

// Concave polygons take time by the square of their corners: more than these are refused.
#define SLV_MAX_CONCAVE_CORNERS 8192u

// Space that one call leaves to the next, so that a million quads need no million allocations.
// Starts zeroed.
typedef struct slv_polygon_scratch {
    double *plane;  // [capacity][2] the corners in the polygon's plane
    uint32_t *next; // [capacity] the corners left, as a ring
    uint32_t *previous;
    uint32_t capacity;
} slv_polygon_scratch;
void slv_polygon_scratch_free(slv_polygon_scratch *scratch);

// Splits the polygon of `count` >= 3 corners (corners[count][3], in order, holes joined by bridges)
// into exactly count - 2 triangles of corner numbers, wound like the polygon. Simple polygons, convex
// or not, are covered exactly; others as well as they can be. Needs no unit and no exact plane.
slv_result slv_polygon_split(const double *corners, uint32_t count, uint32_t *triangles,
                             slv_polygon_scratch *scratch, slv_error *error);

#endif
