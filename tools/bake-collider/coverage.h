// SPDX-License-Identifier: MIT
// Whether the particles cover the surface in every frame; and particles where they do not.
#ifndef SLV_BAKE_COVERAGE_H
#define SLV_BAKE_COVERAGE_H

#include "tools/bake-collider/frames.h"
#include "tools/bake-collider/points.h"
#include "tools/common/console.h"

typedef struct slv_coverage {
    const slv_frames *frames;
    unsigned threads;
    slv_console *console;
    const slv_point *points; // samples of the surface
    uint32_t count;
    double limit;      // metres: every sample must have a centre this near
    uint32_t *centres; // [room for count] samples that are particles
    uint32_t centre_count;
    double farthest; // found: the most that a sample is away from its nearest centre
    uint32_t farthest_frame;
} slv_coverage;

// Adds samples to the centres until all are covered in all frames, and measures how well.
slv_result slv_coverage_complete(slv_coverage *coverage, slv_error *error);

#endif
