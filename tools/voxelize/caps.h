// SPDX-License-Identifier: MIT
// Fans of triangles that close the holes of a surface: one fan for each connected piece of its
// boundary, from the boundary's edges to a point near their middle. Fans may be cut into rings, since
// long triangles make poor bounds.
#ifndef SLV_VOXELIZE_CAPS_H
#define SLV_VOXELIZE_CAPS_H

#include "tools/voxelize/orientation.h"
#include "tools/voxelize/snapped.h"

// ring_limit is how many rings a fan may have at most; 1 for none.
slv_result slv_caps_create(const slv_snapped *snapped, const slv_orientation *orientation,
                           uint32_t ring_limit, slv_snapped *caps, slv_error *error);

#endif
