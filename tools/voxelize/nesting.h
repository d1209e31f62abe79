// SPDX-License-Identifier: MIT
// Which patches lie in which. A patch lies in a closed one that winds round all of it: points of it
// are tried, picked by where they are, so that the order of a file's points does not matter.
#ifndef SLV_VOXELIZE_NESTING_H
#define SLV_VOXELIZE_NESTING_H

#include "tools/voxelize/bvh.h"
#include "tools/voxelize/patches.h"

typedef struct slv_container { // what is known of one patch while another's points are tried
    uint32_t holds;            // points it holds, its own surface included
    bool around;               // it winds round some that do not lie on it
    bool touched, on;          // by the ray being followed; the ray starts on it
    int winding;               // how often it winds round the ray's start
} slv_container;

typedef struct slv_nesting {
    const slv_patches *patches; // not owned
    const slv_bvh *bvh;
    slv_container *states; // [patch count]
    uint64_t round;        // counts the questions
    uint64_t *tried_for;   // [point_count] the last question for which each point was tried
    uint32_t *touched;     // [patch count] patches
    uint32_t *containers;  // [patch count] closed patches that hold the patch last asked about
    uint32_t container_count;
    bool in_open; // the open patches, taken together, wind round it
} slv_nesting;

slv_result slv_nesting_create(const slv_patches *patches, const slv_bvh *bvh, slv_nesting *nesting,
                              slv_error *error);
void slv_nesting_free(slv_nesting *nesting); // zeroes it

// Fills containers and container_count; and in_open, which takes longer, where open_too is set.
// Patches that are left out hold nothing.
void slv_nesting_find(slv_nesting *nesting, uint32_t patch, bool open_too);

#endif
