// SPDX-License-Identifier: MIT
// The generalised winding number of a surface with holes (Jacobson et al. 2013): a sample is inside
// where the surface winds round it at least half. Each hole is capped by a fan of triangles, which
// makes the whole closed; rays give its integer winding number W exactly. The surface's own is then
// w = W - c, where c, the caps' winding number, is their solid angle over 4 pi. |w| < 1/2 means that
// W is the integer nearest to c: so it suffices to know that integer, which is 0 all over space
// except near the caps, and the same throughout blocks of samples wherever bounds on c say so.
// Far caps are summed as dipoles over a tree (after Barill et al. 2018), with bounds on the error.
#ifndef SLV_VOXELIZE_WINDING_H
#define SLV_VOXELIZE_WINDING_H

#include "tools/voxelize/cap_tree.h"
#include "tools/voxelize/crossings.h"
#include "tools/voxelize/orientation.h"

typedef struct slv_winding {
    const slv_snapped *surface; // not owned
    const int8_t *surface_weights;
    slv_cap_tree fans;   // what W and c are about
    slv_cap_tree pieces; // the same, cut small, for bounds on c over blocks
} slv_winding;

// Both must outlive the winding; the orientation's boundary must not be empty.
slv_result slv_winding_create(const slv_snapped *surface, const slv_orientation *orientation,
                              unsigned threads, slv_winding *winding, slv_error *error);
void slv_winding_free(slv_winding *winding); // zeroes it

// Adds the crossings of the caps, and takes away the integer nearest to c.
void slv_winding_add(const slv_winding *winding, const slv_slab *slab, slv_crossings *crossings);

#endif
