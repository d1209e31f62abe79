// SPDX-License-Identifier: MIT
// Samples of the surface so dense that in every frame each point of the surface has a sample within
// `reach`.
#ifndef SLV_BAKE_SAMPLES_H
#define SLV_BAKE_SAMPLES_H

#include "tools/bake-collider/points.h"
#include "tools/bake-collider/surface.h"

typedef struct slv_samples {
    uint32_t count;
    slv_point *points;
} slv_samples;

// Bytes of memory for each sample, while they are made and later for placement and coverage; 131 were
// measured with seven million samples.
#define SLV_SAMPLE_BYTES 160.0

// A number of samples that will be needed, without making them: most meshes need a little more.
double slv_samples_estimate(const slv_surface *surface, double reach);

// limit: MiB of memory; SLV_ERROR_ARGUMENT where more is needed, in most cases before any is
// allocated.
slv_result slv_samples_make(const slv_surface *surface, double reach, uint64_t limit,
                            slv_samples *samples, slv_error *error);
void slv_samples_free(slv_samples *samples);

#endif
