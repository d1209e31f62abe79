// SPDX-License-Identifier: MIT
// Rays along the axes through a snapped surface, without rounding: what a ray from a point crosses
// before it has left everything behind.
#ifndef SLV_VOXELIZE_PROBE_H
#define SLV_VOXELIZE_PROBE_H

#include "tools/voxelize/bvh.h"

typedef struct slv_probe {
    const slv_snapped *surface; // not owned
    int axis;
    bool forward;
    int64_t point[3]; // turned, as all corners will be, so that the ray runs towards lesser x
    slv_bvh_walk walk;
    uint64_t effort; // triangles looked at so far
} slv_probe;

typedef struct slv_probe_hit {
    uint32_t triangle;
    int winding; // +1 where the ray leaves through the triangle's front, -1 where it enters, else 0
    bool on;     // the point lies on the triangle
} slv_probe_hit;

// The ray from the point (in units) towards greater (forward) or lesser coordinates along the axis.
void slv_probe_begin(slv_probe *probe, const slv_snapped *surface, const slv_bvh *bvh,
                     const int64_t point[3], int axis, bool forward);
// Every triangle that the ray crosses or that the point lies on, in no order of distance. A ray
// through an edge or a corner crosses as if it ran a little beside.
bool slv_probe_next(slv_probe *probe, slv_probe_hit *hit);

#endif
