// SPDX-License-Identifier: MIT
// Generalized winding number of a surface with holes (Jacobson et al. 2013). A sample is inside
// where |w| >= 1/2. Caps close the holes; ray crossings then give the integer winding number W of
// the closed surface exactly. w = W - c, where c is the winding number of the caps: their solid
// angle over 4 pi. |w| < 1/2 means that W is the integer nearest to c, so only that integer is
// needed. It is 0 except near the caps, and constant over blocks of samples where the bounds on c
// allow no other. Far caps are summed by expansions over a tree, see cap_tree.h.
#ifndef SLV_VOXELIZE_WINDING_H
#define SLV_VOXELIZE_WINDING_H

#include "tools/voxelize/cap_tree.h"
#include "tools/voxelize/crossings.h"
#include "tools/voxelize/orientation.h"

typedef struct slv_winding {
    const slv_snapped *surface; // not owned
    const int8_t *surface_weights;
    slv_cap_tree fans;   // the caps that define W and c
    slv_cap_tree pieces; // the caps divided, for bounds on c over blocks
} slv_winding;

// surface and orientation must outlive the winding. The boundary must not be empty.
slv_result slv_winding_create(const slv_snapped *surface, const slv_orientation *orientation,
                              unsigned threads, slv_winding *winding, slv_error *error);
void slv_winding_free(slv_winding *winding); // zeroes it

// Adds the crossings of the caps and subtracts the integer nearest to c.
void slv_winding_add(const slv_winding *winding, const slv_slab *slab, slv_crossings *crossings);

#endif
