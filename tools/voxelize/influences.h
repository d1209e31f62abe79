// SPDX-License-Identifier: MIT
// Which particles of a grid carry a vertex, and with what weight.
//
// Where all eight corners of the vertex's cell carry particles, the weights are trilinear. Elsewhere
// (most of a surface) eight nearby particles share it: the weights w minimise sum w^2/phi under
// sum w = 1 and sum w p = v, with phi falling off with distance. That is the smoothest sum that meets
// the vertex exactly; where the weights would be large, or where the particles lie in a plane or on a
// line, part of the way is left to the offset.
#ifndef SLV_VOXELIZE_INFLUENCES_H
#define SLV_VOXELIZE_INFLUENCES_H

#include "tools/voxelize/nearest.h"

#define SLV_INFLUENCES 8

typedef struct slv_influences {
    uint32_t stored[SLV_INFLUENCES]; // unused: stored[0] again
    double weight[SLV_INFLUENCES];   // each within -2 … 2; unused: 0; the sum is 1
} slv_influences;

// place: the vertex in samples, (v - origin) / spacing. The first three particles span a plane; where
// no three of those nearby do, the second is the first again, which makes the frame the world's axes.
void slv_choose_influences(const slv_nearest *nearest, const double place[3],
                           slv_influences *influences);

// The axes that an offset is measured along (PACK.md, "REMB"): e1 from p0 to p1, e2 in the plane of
// all three, n = e1 x e2 across it; the world's where the three lie on a line.
void slv_embedding_frame(const double p0[3], const double p1[3], const double p2[3],
                         double axes[3][3]);

#endif
