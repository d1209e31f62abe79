// SPDX-License-Identifier: MIT
// Triangulation of polygons.
#ifndef SLV_TOOLS_POLYGON_H
#define SLV_TOOLS_POLYGON_H

#include "formats/result.h"

#include <stdbool.h>
#include <stdint.h>

// Ear clipping takes quadratic time: larger concave polygons are rejected.
#define SLV_MAX_CONCAVE_CORNERS 8192u

// Scratch memory reused between calls, so that each polygon needs no allocation. Starts zeroed.
typedef struct slv_polygon_scratch {
    double *plane;  // [capacity][2] the corners in the polygon's plane
    uint32_t *next; // [capacity] doubly linked ring of the remaining corners
    uint32_t *previous;
    uint32_t capacity;
    double *outline; // [reserved][3] and
    uint32_t *split; // [reserved][3] for callers: the corners and triangles of a polygon
    uint32_t reserved;
} slv_polygon_scratch;
void slv_polygon_scratch_free(slv_polygon_scratch *scratch);

// Makes room for a polygon of that many corners in outline and split; false where memory is short.
bool slv_polygon_reserve(slv_polygon_scratch *scratch, uint32_t count);

// Triangulates a polygon of `count` >= 3 corners (corners[count][3], in order, holes joined by
// bridges) into exactly count - 2 triangles of corner indices with the same winding. Simple
// polygons, convex or concave, are covered exactly; others approximately. Works at any scale and
// for non-planar polygons.
slv_result slv_polygon_split(const double *corners, uint32_t count, uint32_t *triangles,
                             slv_polygon_scratch *scratch, slv_error *error);

#endif
