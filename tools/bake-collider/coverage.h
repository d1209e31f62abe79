// SPDX-License-Identifier: MIT
// Checks that the particles cover the surface in every frame, and adds particles where they do not.
#ifndef SLV_BAKE_COVERAGE_H
#define SLV_BAKE_COVERAGE_H

#include "tools/bake-collider/frames.h"
#include "tools/bake-collider/samples.h"
#include "tools/common/console.h"

typedef struct slv_coverage {
    const slv_frames *frames;
    unsigned threads;
    slv_console *console;
    const slv_sample *samples; // of the surface
    uint32_t count;
    double limit;      // metres: largest allowed distance from a sample to its nearest center
    uint32_t *centers; // [count allocated] samples that are particles
    uint32_t center_count;
    double farthest; // result: largest distance from a sample to its nearest center, metres
    uint32_t farthest_frame;
} slv_coverage;

// Adds samples to the centers until all are covered in all frames, and measures the coverage.
slv_result slv_coverage_complete(slv_coverage *coverage, slv_error *error);

#endif
