// SPDX-License-Identifier: MIT
// Visibility along the axes from the faces of a manifold patch: which side of the patch faces the
// outside of the surface, and whether other patches enclose it. Each sampled face casts rays in the
// six axis directions from its centroid.
#ifndef SLV_VOXELIZE_VISIBILITY_H
#define SLV_VOXELIZE_VISIBILITY_H

#include "tools/voxelize/bvh.h"
#include "tools/voxelize/manifold_patches.h"

typedef struct slv_visibility {
    const slv_manifold_patches *patches; // not owned
    const slv_bvh *bvh;
    // Triangles tested by all rays so far; limited, see slv_visibility_over_budget.
    uint64_t tested_count;
} slv_visibility;

// True once the rays have tested more triangles than the budget allows. Surfaces with many
// coincident triangles need unbounded time; later rays are not cast and their results must be
// ignored.
bool slv_visibility_over_budget(const slv_visibility *visibility);

// Sums over pairs of opposite rays from the sampled faces of a patch. Each pair has as weight the
// squared component of the unit normal along its axis, so each face has the weight 1.
typedef struct slv_facing {
    double total;
    double
        outward;   // the front ray hits nothing, the back ray an odd number of faces, as in a solid
    double inward; // the same with front and back exchanged
    double not_solid; // one ray hits nothing, the other an even number: impossible in a solid
} slv_facing;

// Uses the current orientation of the patch.
slv_facing slv_visibility_facing(slv_visibility *visibility, uint32_t patch);

// True where the winding number of the other patches, without excluded ones, is not zero for more
// than half of the rays.
bool slv_visibility_is_enclosed(slv_visibility *visibility, uint32_t patch);

#endif
