// SPDX-License-Identifier: MIT
// The method of SDFGen (Robert Bridson), written anew and plainly for comparison: exact distances in
// a band around each triangle, sweeps that pass the nearest triangle on from neighbor to neighbor,
// signs from the parity of crossings along x. One thread.
#ifndef SLV_BENCH_SDF_SWEEP_BASELINE_H
#define SLV_BENCH_SDF_SWEEP_BASELINE_H

#include "tools/common/mesh.h"
#include "tools/voxelize/lattice.h"

// values: one float a sample, x fastest.
slv_result slv_sdf_sweep_baseline(const slv_mesh *mesh, const slv_lattice *lattice, float *values,
                                  slv_error *error);

#endif
