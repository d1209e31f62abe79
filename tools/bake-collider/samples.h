// SPDX-License-Identifier: MIT
// Samples of the surface so dense that in every frame each point of the surface has a sample within
// `reach`.
#ifndef SLV_BAKE_SAMPLES_H
#define SLV_BAKE_SAMPLES_H

#include "tools/bake-collider/points.h"
#include "tools/bake-collider/surface.h"

// There are many. Weights are multiples of powers of two, exact in float.
typedef struct slv_sample {
    uint32_t vertex[3];
    float weight[2]; // of the second and the third
} slv_sample;

slv_point slv_sample_point(const slv_sample *sample);

typedef struct slv_samples {
    uint32_t count;
    slv_sample *items;
} slv_samples;

// Bytes of memory for each sample, while they are made and later for placement and coverage: the most while a table of
// midpoints grows. 70 were measured with 1.4 million samples.
#define SLV_SAMPLE_BYTES 96.0

// A number of samples that will be needed, without making them: most meshes need a little more.
double slv_samples_estimate(const slv_surface *surface, double reach);

// limit: MiB of memory; SLV_ERROR_ARGUMENT where more is needed, in most cases before any is
// allocated.
slv_result slv_samples_make(const slv_surface *surface, double reach, uint64_t limit,
                            slv_samples *samples, slv_error *error);
void slv_samples_free(slv_samples *samples);

#endif
