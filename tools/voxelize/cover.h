// SPDX-License-Identifier: MIT
// Conservative voxelization: the samples whose cubes intersect the surface, a layer one cell thick.
// A cube has the side of a cell and its sample at the center. Ties are resolved by a symbolic
// perturbation: the surface is shifted by (e, e^2, e^3). A sheet midway between two layers then
// covers one of them, and a connected surface gives face-connected cubes.
#ifndef SLV_VOXELIZE_COVER_H
#define SLV_VOXELIZE_COVER_H

#include "tools/voxelize/bvh.h"
#include "tools/voxelize/slab.h"

// Sets the bits of the covered samples of the slab; other bits are unchanged.
void slv_cover_bits(const slv_slab *slab, const slv_snapped *snapped, const slv_bvh *bvh,
                    uint64_t *bits);

#endif
