// SPDX-License-Identifier: MIT
#define SLV_DISTANCE_LAYERS slv_distance_layers_avx2
#include "tools/voxelize/distance_lanes.inl"
