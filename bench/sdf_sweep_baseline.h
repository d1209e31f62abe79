// SPDX-License-Identifier: MIT
// Baseline: the method of SDFGen (Robert Bridson), reimplemented for comparison. Exact distances in a band around
// each triangle; sweeps that propagate the nearest triangle to neighbors; signs from the parity of crossings along x.
// One thread.
#ifndef SLV_BENCH_SDF_SWEEP_BASELINE_H
#define SLV_BENCH_SDF_SWEEP_BASELINE_H

#include "tools/common/mesh.h"
#include "tools/voxelize/lattice.h"

// values: one float a sample, x fastest.
slv_result slv_sdf_sweep_baseline(const slv_mesh *mesh, const slv_lattice *lattice, float *values,
                                  slv_error *error);

#endif
