// SPDX-License-Identifier: MIT
// Containment of manifold patches. A closed patch contains another one where its winding number is
// not zero at all sampled points of the other. Points are sampled by their coordinates, so the
// order of the points in a file has no influence.
#ifndef SLV_VOXELIZE_NESTING_H
#define SLV_VOXELIZE_NESTING_H

#include "tools/voxelize/bvh.h"
#include "tools/voxelize/manifold_patches.h"

typedef struct slv_container { // state of a possible container during one query
    uint32_t holds;            // sampled points inside it or on its surface
    bool around;               // it has a nonzero winding number at some point that is not on it
    bool touched, on;          // hit by the current ray; the origin of the ray lies on it
    int winding;               // its winding number at the origin of the ray
} slv_container;

typedef struct slv_nesting {
    const slv_manifold_patches *patches; // not owned
    const slv_bvh *bvh;
    slv_container *states; // [patch count]
    uint64_t query;        // number of the current query, from 1
    uint64_t *tested_in;   // [point_count] the last query that tested each point
    uint32_t *touched;     // [patch count] patches hit by the current ray
    uint32_t *containers;  // [patch count] result: closed patches that contain the patch
    uint32_t container_count;
    bool in_open_patches; // result: the open patches together enclose it
} slv_nesting;

slv_result slv_nesting_create(const slv_manifold_patches *patches, const slv_bvh *bvh,
                              slv_nesting *nesting, slv_error *error);
void slv_nesting_free(slv_nesting *nesting); // zeroes it

// Fills containers and container_count for a patch, and in_open_patches where with_open is set,
// which is slower. Excluded patches contain nothing.
void slv_nesting_find(slv_nesting *nesting, uint32_t patch, bool with_open);

#endif
