// SPDX-License-Identifier: MIT
// What distances are computed from: triangles prepared for distance.h, and a query.
#ifndef SLV_VOXELIZE_DISTANCE_QUERY_H
#define SLV_VOXELIZE_DISTANCE_QUERY_H

#include "tools/voxelize/bvh.h"

// A triangle in its local frame, in cells: corner a at (0, 0, 0), b at (b_along, 0, 0) on the
// longest edge, c at (c_along, c_across, 0). Degenerate triangles have c_across = 0 and no
// interior.
typedef struct slv_facet {
    double corner[3];
    double along[3], across[3], normal[3]; // orthonormal
    double b_along, c_along, c_across;
    double c_from_b;               // c_along - b_along
    double ac_inverse, bc_inverse; // 1 / squared length of the edges ac and bc; 0 for length 0
} slv_facet;

// The triangles of a leaf as structure of arrays in float32, for culling.
typedef struct slv_facet_leaf {
    float corner[3][SLV_BVH_LEAF];
    float along[3][SLV_BVH_LEAF], across[3][SLV_BVH_LEAF], normal[3][SLV_BVH_LEAF];
    float b_along[SLV_BVH_LEAF], c_along[SLV_BVH_LEAF], c_across[SLV_BVH_LEAF];
    float ac_inverse[SLV_BVH_LEAF], bc_inverse[SLV_BVH_LEAF];
    uint32_t first, count; // range of its facets; lanes from count on repeat the first
} slv_facet_leaf;

// Instruction set. All give the same bits.
typedef enum slv_lanes {
    SLV_LANES_BEST,     // the widest that this processor supports
    SLV_LANES_BASELINE, // supported by every processor of the build target
    SLV_LANES_AVX2
} slv_lanes;

typedef struct slv_distance {
    const slv_bvh *bvh;     // not owned
    slv_facet *facets;      // [bvh->triangle_count], in the order of the BVH
    slv_facet_leaf *leaves; // [bvh->leaf_count]
    slv_lanes lanes;        // never SLV_LANES_BEST
} slv_distance;

// A leaf that may be nearest to some sample of a brick, with the vectors from its triangles to the
// center of the brick.
typedef struct slv_candidate_leaf {
    float distance[SLV_BVH_LEAF];
    float x[SLV_BVH_LEAF], y[SLV_BVH_LEAF], z[SLV_BVH_LEAF]; // unit vectors from triangle to center
    uint32_t leaf;
} slv_candidate_leaf;

// Input and output of slv_distance_layers (distance.h): unsigned distances times unit of whole z layers,
// cells[0] * cells[1] * layers values, x fastest.
typedef struct slv_distance_query {
    const slv_distance *distance;
    uint32_t cells[3];
    uint32_t first_layer, layers;
    double unit; // metres per cell
    float *values;
    slv_candidate_leaf *candidates; // scratch, [bvh->leaf_count]
} slv_distance_query;

#endif
