// SPDX-License-Identifier: MIT
// Which way round each triangle counts. Files come with faces flipped, doubled, inside out, and with
// walls inside; neighbors are made to agree, copies are left out, and closed parts that lie in no
// other part are turned outwards, so that the winding number is not zero where a person sees inside.
#ifndef SLV_VOXELIZE_ORIENTATION_H
#define SLV_VOXELIZE_ORIENTATION_H

#include "tools/voxelize/bvh.h"
#include "tools/voxelize/patches.h"

typedef struct slv_boundary_edge { // what keeps the surface from being closed
    uint32_t from, to; // points; the triangles use from → to oftener than to → from …
    uint32_t times;    // … by so much, at least 1
} slv_boundary_edge;

typedef struct slv_orientation {
    int8_t *weights; // [triangle_count] +1 as it stands, -1 turned round, 0 left out
    uint32_t flipped_count;
    uint32_t boundary_count; // 0: closed
    slv_boundary_edge *boundary;
    bool one_sided; // closed, but no way of turning its triangles makes all neighbors agree
} slv_orientation;

// Decides with the patches of a surface and its tree; turns and leaves out patches on the way.
slv_result slv_orientation_create(slv_patches *patches, const slv_bvh *bvh,
                                  slv_orientation *orientation, slv_error *error);
void slv_orientation_free(slv_orientation *orientation); // zeroes it

#endif
