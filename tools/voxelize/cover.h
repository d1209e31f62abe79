// SPDX-License-Identifier: MIT
// The samples whose cubes the surface meets: a layer one cell thick around it. Cubes have the side of
// a cell and their sample in the middle. Where the surface only touches a cube it is taken as moved
// by an infinitesimal (e, e^2, e^3) towards greater coordinates: a sheet midway between two layers
// of samples gives one of them, and a connected surface gives cubes connected through their faces.
#ifndef SLV_VOXELIZE_COVER_H
#define SLV_VOXELIZE_COVER_H

#include "tools/voxelize/bvh.h"
#include "tools/voxelize/slab.h"

// Sets the bits of the slab's covered samples; leaves the others.
void slv_cover_bits(const slv_slab *slab, const slv_snapped *snapped, const slv_bvh *bvh,
                    uint64_t *bits);

#endif
