// SPDX-License-Identifier: MIT
// Fast winding number of the caps (after Barill et al. 2018) with error bounds: a BVH over the
// triangles with a dipole and a quadrupole expansion per child. Far branches are evaluated by their
// expansion.
#ifndef SLV_VOXELIZE_CAP_TREE_H
#define SLV_VOXELIZE_CAP_TREE_H

#include "tools/voxelize/bvh.h"

typedef struct slv_cap_cluster { // in cells
    double center[3];            // weighted by area
    double dipole[3];            // sum of area times normal (area vectors)
    double quadrupole[3][3];     // sum of area vectors times offset from the center
    double area;
    double spread; // upper bound of the sum of area times squared distance from the center
    double radius; // of the bounding sphere around the center
} slv_cap_cluster;

typedef struct slv_cap_triangle { // in cells
    double corners[3][3];
    double center[3];
    double normal[3]; // length 1, or 0 without area
    double area, radius;
} slv_cap_triangle;

typedef struct slv_cap_tree {
    slv_snapped caps;
    slv_bvh bvh;
    slv_cap_triangle *triangles;    // in the order of the BVH
    int8_t *weights;                // [caps.triangle_count] all 1
    slv_cap_cluster (*clusters)[2]; // [node_count] one per child
} slv_cap_tree;

// Takes ownership of the caps, also on failure. There must be at least one.
slv_result slv_cap_tree_create(slv_snapped *caps, unsigned threads, slv_cap_tree *tree,
                               slv_error *error);
void slv_cap_tree_free(slv_cap_tree *tree); // zeroes it

// The winding number of the caps at all points within radius of the center: value ± error. An error
// of 1 or more means that no useful bound was found.
typedef struct slv_cap_winding {
    double value, error;
    bool on_cap; // the point lies on a triangle: value and error are undefined
} slv_cap_winding;

// A branch is evaluated by its expansion where it is at least `opening` times its size away.
slv_cap_winding slv_cap_tree_winding(const slv_cap_tree *tree, const double center[3],
                                     double radius, double opening);

// The same for a single sample. The side of each near triangle is decided exactly.
slv_cap_winding slv_cap_tree_winding_at_sample(const slv_cap_tree *tree, const uint32_t sample[3],
                                               double opening);

#endif
