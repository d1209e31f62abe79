// SPDX-License-Identifier: MIT
// Fans of triangles that close the holes of a surface: one fan for each connected piece of its
// boundary, from the boundary's edges to a point near their middle.
#ifndef SLV_VOXELIZE_CAPS_H
#define SLV_VOXELIZE_CAPS_H

#include "tools/voxelize/orientation.h"
#include "tools/voxelize/snapped.h"

slv_result slv_caps_create(const slv_snapped *snapped, const slv_orientation *orientation,
                           slv_snapped *caps, slv_error *error);

// The same triangles halved until they are a few cells long, or a little longer where that would
// make too many. Midpoints are snapped, so that the pieces may leave the whole by a unit.
slv_result slv_caps_divide(const slv_snapped *caps, slv_snapped *pieces, slv_error *error);

#endif
