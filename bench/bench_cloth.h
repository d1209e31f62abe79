// SPDX-License-Identifier: MIT
// The cloth of the benchmarks of devices.
#ifndef SLV_BENCH_CLOTH_H
#define SLV_BENCH_CLOTH_H

#include <selvage/selvage.h>

// Adds a horizontal cloth of side x side particles, 1 cm apart, which hangs from two corners.
slv_result slv_bench_add_cloth(slv_world *world, uint32_t side);

#endif
