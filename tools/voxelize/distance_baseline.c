// SPDX-License-Identifier: MIT
#define SLV_DISTANCE_LAYERS slv_distance_layers_baseline
#include "tools/voxelize/distance_lanes.inl"
