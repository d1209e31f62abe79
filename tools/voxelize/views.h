// SPDX-License-Identifier: MIT
// What can be seen from the faces of a patch, along the axes: which of its sides looks out of
// everything, and whether it stands in the midst of the others.
#ifndef SLV_VOXELIZE_VIEWS_H
#define SLV_VOXELIZE_VIEWS_H

#include "tools/voxelize/bvh.h"
#include "tools/voxelize/patches.h"

typedef struct slv_views {
    const slv_patches *patches; // not owned
    const slv_bvh *bvh;
    uint64_t effort; // triangles that rays have come upon; when it gets too much nothing is seen
} slv_views;

// Surfaces whose triangles lie on top of one another could take for ever; this says that rays have
// been given up.
bool slv_views_given_up(const slv_views *views);

// Sums over the rays from a patch's faces, forwards and backwards along each axis, of the squared part
// of the unit normal along it; so each face counts as one.
typedef struct slv_outlook {
    double all;
    double outwards; // the front sees nothing, the back an odd number of faces, as in a solid
    double inwards;  // the other way round
    double unlike;   // one side sees nothing, the other an even number: not of a solid
} slv_outlook;

// By how the patch's faces count now.
slv_outlook slv_views_outlook(slv_views *views, uint32_t patch);

// The other patches that are not left out wind round most of it.
bool slv_views_enclosed(slv_views *views, uint32_t patch);

#endif
