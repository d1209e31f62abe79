// SPDX-License-Identifier: MIT
// Hole filling: one fan of triangles for each connected component of the boundary, from its edges
// to a point near its centroid.
#ifndef SLV_VOXELIZE_CAPS_H
#define SLV_VOXELIZE_CAPS_H

#include "tools/voxelize/orientation.h"
#include "tools/voxelize/snapped.h"

slv_result slv_caps_create(const slv_snapped *snapped, const slv_orientation *orientation,
                           slv_snapped *caps, slv_error *error);

// The same triangles bisected until edges are a few cells long, or longer where the number of
// pieces reaches its limit. Midpoints are snapped, so a piece may deviate from its triangle by one
// unit.
slv_result slv_caps_divide(const slv_snapped *caps, slv_snapped *pieces, slv_error *error);

#endif
