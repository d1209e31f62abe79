// SPDX-License-Identifier: MIT
// Orientation repair. Input meshes have flipped and duplicated faces, inverted parts and internal
// walls. Adjacent faces are made to agree, duplicates get the weight 0, and closed parts that lie
// in no other part are oriented outwards. The winding number is then not zero inside.
#ifndef SLV_VOXELIZE_ORIENTATION_H
#define SLV_VOXELIZE_ORIENTATION_H

#include "tools/voxelize/bvh.h"
#include "tools/voxelize/manifold_patches.h"

typedef struct slv_boundary_edge { // an edge whose directed uses do not cancel
    uint32_t from, to; // points; the triangles use from → to more often than to → from …
    uint32_t times;    // … by this number, at least 1
} slv_boundary_edge;

typedef struct slv_orientation {
    int8_t *weights; // [triangle_count] +1 as in the file, -1 flipped, 0 ignored
    uint32_t flipped_count;
    uint32_t boundary_count; // 0: closed
    slv_boundary_edge *boundary;
    bool one_sided; // closed, but not orientable
} slv_orientation;

// Orients the patches of a surface; bvh is that of the surface. Flips and excludes patches in
// `patches`.
slv_result slv_orientation_create(slv_manifold_patches *patches, const slv_bvh *bvh,
                                  slv_orientation *orientation, slv_error *error);
void slv_orientation_free(slv_orientation *orientation); // zeroes it

#endif
