// SPDX-License-Identifier: MIT
// Bounding volume hierarchy (binary, binned surface area heuristic) over the triangles of a snapped
// surface. Each node holds the boxes of its two children. Boxes are float32 in cells, rounded
// outwards. The tree does not depend on the number of threads.
#ifndef SLV_VOXELIZE_BVH_H
#define SLV_VOXELIZE_BVH_H

#include "tools/voxelize/snapped.h"

#include <stdbool.h>

typedef struct slv_bvh_node {
    float min[2][3]; // of each child; +infinity where there is no second child
    float max[2][3];
    int32_t child[2];  // >= 0: a node; < 0: leaf ~child
    uint32_t count[2]; // triangles below
} slv_bvh_node;
_Static_assert(sizeof(slv_bvh_node) == 64, "a node fills a cache line");

enum {
    SLV_BVH_LEAF = 8,  // triangles at most in a leaf: the lanes of slv_f8, which test them at once
    SLV_BVH_DEPTH = 80 // upper bound of the nodes on a path from the root
};

typedef struct slv_bvh {
    uint32_t triangle_count;
    uint32_t leaf_count;
    uint32_t node_count;
    uint32_t *order;     // [triangle_count] triangles, grouped by leaf
    uint32_t *starts;    // [leaf_count + 1] where in order each leaf begins
    slv_bvh_node *nodes; // children after their parent; root first
} slv_bvh;

// triangle_count > 0.
slv_result slv_bvh_create(const slv_snapped *snapped, unsigned threads, slv_bvh *bvh,
                          slv_error *error);
void slv_bvh_free(slv_bvh *bvh); // zeroes it

// Box query: all triangles whose boxes overlap [lo, hi] (cells), in a fixed order. A few triangles
// of the same leaves may be given although their own boxes do not overlap.
typedef struct slv_bvh_query {
    const slv_bvh *bvh;
    float lo[3], hi[3];
    unsigned depth;
    int32_t stack[SLV_BVH_DEPTH + 2];
    uint32_t next, end; // remaining range of the current leaf in bvh->order
} slv_bvh_query;

void slv_bvh_query_begin(slv_bvh_query *query, const slv_bvh *bvh, const float lo[3],
                         const float hi[3]);
bool slv_bvh_query_next(slv_bvh_query *query, uint32_t *triangle);

#endif
