// SPDX-License-Identifier: MIT
// Exact distances from samples to a surface. Samples are taken by bricks of 4 x 4 x 4, and these by
// packets of 2 x 2 x 2. For a brick the tree is walked once and gives the leaves that may matter to
// any of its samples; for a packet those leaves are sifted, eight triangles at a time in float32 with
// a margin; what is left is measured in double precision, eight samples at a time. The triangles that
// were nearest to the packet before give the first upper bounds. The result is the least distance
// over all triangles, whatever was sifted how.
#ifndef SLV_VOXELIZE_DISTANCE_H
#define SLV_VOXELIZE_DISTANCE_H

#include "tools/voxelize/bvh.h"

// A triangle in a frame of its own, in cells: corner a at (0, 0, 0), b at (b_along, 0, 0) on its
// longest edge, c at (c_along, c_across, 0). Without area: c_across is 0 and so is the inside.
typedef struct slv_facet {
    double corner[3];
    double along[3], across[3], normal[3]; // orthonormal
    double b_along, c_along, c_across;
    double c_from_b;               // c_along - b_along
    double ac_inverse, bc_inverse; // 1 / squared length; 0 for a point
} slv_facet;

// The triangles of a leaf of the tree again, lane by lane, for sifting.
typedef struct slv_facet_leaf {
    float corner[3][SLV_BVH_LEAF];
    float along[3][SLV_BVH_LEAF], across[3][SLV_BVH_LEAF], normal[3][SLV_BVH_LEAF];
    float b_along[SLV_BVH_LEAF], c_along[SLV_BVH_LEAF], c_across[SLV_BVH_LEAF];
    float ac_inverse[SLV_BVH_LEAF], bc_inverse[SLV_BVH_LEAF];
    uint32_t first, count; // of its facets; lanes from count on repeat the first
} slv_facet_leaf;

// Which instructions to use. All give the same bits.
typedef enum slv_lanes {
    SLV_LANES_BEST,     // of what this processor has
    SLV_LANES_BASELINE, // what every processor of the build's target has
    SLV_LANES_AVX2
} slv_lanes;

typedef struct slv_distance {
    const slv_bvh *bvh;     // not owned
    slv_facet *facets;      // [bvh->triangle_count], in the tree's order
    slv_facet_leaf *leaves; // [bvh->leaf_count]
    slv_lanes lanes;        // never SLV_LANES_BEST
} slv_distance;

// SLV_ERROR_UNSUPPORTED where the processor lacks the lanes asked for.
slv_result slv_distance_create(const slv_snapped *snapped, const slv_bvh *bvh, slv_lanes lanes,
                               unsigned threads, slv_distance *distance, slv_error *error);
void slv_distance_free(slv_distance *distance); // zeroes it

// A leaf that matters to a brick, and how its triangles lie from the brick's centre.
typedef struct slv_listed_leaf {
    float distance[SLV_BVH_LEAF];
    float x[SLV_BVH_LEAF], y[SLV_BVH_LEAF], z[SLV_BVH_LEAF]; // from triangle to centre, length 1
    uint32_t leaf;
} slv_listed_leaf;

// Unsigned distances times unit of whole z layers: cells[0] * cells[1] * layers values, x fastest.
typedef struct slv_distance_query {
    const slv_distance *distance;
    uint32_t cells[3];
    uint32_t first_layer, layers;
    double unit; // metres per cell
    float *values;
    slv_listed_leaf *matters; // scratch, [bvh->leaf_count]
} slv_distance_query;
void slv_distance_layers(const slv_distance_query *query);

#endif
