// SPDX-License-Identifier: MIT
// The winding number of caps, near and far: a tree over their triangles, and for each branch its
// dipole, the first terms of what its dipole leaves out, and its size, so that branches far away count
// as one and the error is known.
#ifndef SLV_VOXELIZE_CAP_TREE_H
#define SLV_VOXELIZE_CAP_TREE_H

#include "tools/voxelize/bvh.h"

typedef struct slv_cap_cluster { // in cells
    double centre[3];            // weighted by area
    double moment[3];            // sum of area times normal
    double twist[3][3];          // sum of moment times offset from the centre
    double area;
    double spread; // sum of area times squared distance from the centre, at most
    double radius; // round the centre
} slv_cap_cluster;

typedef struct slv_cap_triangle { // in cells
    double corners[3][3];
    double centre[3];
    double normal[3]; // length 1, or 0 without area
    double area, radius;
} slv_cap_triangle;

typedef struct slv_cap_tree {
    slv_snapped caps;
    slv_bvh bvh;
    slv_cap_triangle *triangles;    // in the tree's order
    int8_t *weights;                // [caps.triangle_count] all 1
    slv_cap_cluster (*clusters)[2]; // of the children of each node
} slv_cap_tree;

// Takes the caps over, of which there must be some, even where it fails.
slv_result slv_cap_tree_create(slv_snapped *caps, unsigned threads, slv_cap_tree *tree,
                               slv_error *error);
void slv_cap_tree_free(slv_cap_tree *tree); // zeroes it

// The caps' winding number at all points within radius of the centre: value, give or take error (at
// least 1 where nothing useful can be said).
typedef struct slv_cap_view {
    double value, error;
    bool on_cap; // the point is on a triangle: value and error are undefined
} slv_cap_view;

// A branch counts as one where it is at least `opening` times its size away.
slv_cap_view slv_cap_tree_view(const slv_cap_tree *tree, const double centre[3], double radius,
                               double opening);

// The same for a single sample, whose side of each near triangle is decided without rounding.
slv_cap_view slv_cap_tree_view_sample(const slv_cap_tree *tree, const uint32_t sample[3],
                                      double opening);

#endif
