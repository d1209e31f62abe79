// SPDX-License-Identifier: MIT
// Exact unsigned distances from samples to a surface. Samples are processed in bricks, and these in
// packets of 2 x 2 x 2. One traversal of the BVH per brick lists the leaves that may be nearest to
// any of its samples. Per packet these leaves are culled, eight triangles at a time in float32 with
// a safety margin. The remaining triangles are measured in double precision, eight samples at a
// time. The nearest triangles of the previous packet give the first upper bounds. The result is the
// minimum over all triangles and does not depend on the culling.
#ifndef SLV_VOXELIZE_DISTANCE_H
#define SLV_VOXELIZE_DISTANCE_H

#include "tools/voxelize/distance_query.h"

// SLV_ERROR_UNSUPPORTED where the processor does not support the requested lanes.
slv_result slv_distance_create(const slv_snapped *snapped, const slv_bvh *bvh, slv_lanes lanes,
                               unsigned threads, slv_distance *distance, slv_error *error);
void slv_distance_free(slv_distance *distance); // zeroes it

void slv_distance_layers(const slv_distance_query *query);

#endif
