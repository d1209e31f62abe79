// SPDX-License-Identifier: MIT
// slv_distance_layers for each instruction set; see distance_lanes.inl.
#ifndef SLV_VOXELIZE_DISTANCE_LANES_H
#define SLV_VOXELIZE_DISTANCE_LANES_H

#include "tools/voxelize/distance_query.h"

void slv_distance_layers_baseline(const slv_distance_query *query);
void slv_distance_layers_avx2(const slv_distance_query *query);

#endif
