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

// most: limit of the number of samples; SLV_ERROR_ARGUMENT where more are needed.
slv_result slv_samples_make(const slv_surface *surface, double reach, uint32_t most,
                            slv_samples *samples, slv_error *error);
void slv_samples_free(slv_samples *samples);

#endif
