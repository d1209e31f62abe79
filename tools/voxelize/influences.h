// SPDX-License-Identifier: MIT
// Particles and weights that a render vertex follows.
//
// Where all eight corners of the cell of the vertex have particles, the weights are trilinear.
// Elsewhere (most of a surface) eight nearby particles are used: the weights w minimize sum w^2/phi
// subject to sum w = 1 and sum w p = v, with phi decreasing with distance. This reproduces the
// vertex exactly. Where the weights would be large, or the particles are coplanar or collinear, the
// offset covers the rest.
#ifndef SLV_VOXELIZE_INFLUENCES_H
#define SLV_VOXELIZE_INFLUENCES_H

#include "tools/voxelize/nearest.h"

#define SLV_INFLUENCES 8

typedef struct slv_influences {
    uint32_t stored[SLV_INFLUENCES]; // unused slots repeat stored[0]
    double weight[SLV_INFLUENCES];   // each within -2 … 2; 0 in unused slots; the sum is 1
} slv_influences;

// cell_position: the vertex in samples, (v - origin) / spacing. The first three particles span a plane.
// Where no three nearby ones do, the second repeats the first, which selects the world axes as
// frame.
void slv_choose_influences(const slv_nearest *nearest, const double cell_position[3],
                           slv_influences *influences);

// Axes of an offset (PACK.md, "REMB"): e1 from p0 to p1, e2 in the plane of all three, n = e1 x e2;
// the world axes where the three are collinear.
void slv_embedding_frame(const double p0[3], const double p1[3], const double p2[3],
                         double axes[3][3]);

#endif
