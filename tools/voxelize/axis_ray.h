// SPDX-License-Identifier: MIT
// Axis-aligned ray casting through a snapped surface in exact integer arithmetic.
#ifndef SLV_VOXELIZE_AXIS_RAY_H
#define SLV_VOXELIZE_AXIS_RAY_H

#include "tools/voxelize/bvh.h"

typedef struct slv_axis_ray {
    const slv_snapped *surface; // not owned
    int axis;
    bool forward;
    int64_t point[3]; // transformed, as all corners are, so that the ray points to -x
    slv_bvh_query query;
    uint64_t tested_count; // triangles tested so far
} slv_axis_ray;

typedef struct slv_axis_ray_hit {
    uint32_t triangle;
    int winding; // +1 where the ray leaves through the front, -1 where it enters, 0 for no crossing
    bool on;     // the origin lies on the triangle
} slv_axis_ray_hit;

// Starts a ray at a point (units) along the positive (forward) or negative direction of the axis.
void slv_axis_ray_begin(slv_axis_ray *ray, const slv_snapped *surface, const slv_bvh *bvh,
                        const int64_t point[3], int axis, bool forward);
// Gives the next triangle that the ray crosses or that its origin lies on; the order is not by
// distance. Rays through an edge or a corner are perturbed symbolically, as in raster_triangle.h.
bool slv_axis_ray_next(slv_axis_ray *ray, slv_axis_ray_hit *hit);

#endif
