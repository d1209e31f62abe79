// SPDX-License-Identifier: MIT
// Particles on the surface: placed greedily where none is within the radius, then added wherever a part of
// the surface is uncovered in some frame.
#ifndef SLV_BAKE_PLACEMENT_H
#define SLV_BAKE_PLACEMENT_H

#include "tools/bake-collider/points.h"
#include "tools/bake-collider/surface.h"

typedef struct slv_placement_options {
    double radius;      // metres; 0: from particles
    uint32_t particles; // wanted in the first frame, with radius 0
    double tolerance;   // share of the radius by which coverage may exceed it
    unsigned threads;
} slv_placement_options;

typedef struct slv_placement {
    uint32_t count;
    slv_point *points;
    double radius;   // metres
    double coverage; // metres: every point of the surface has a particle this near, in every frame
    uint32_t coverage_frame; // where it is that far
    uint32_t first_count;    // of these, placed in the first frame; the others for stretched skin
    uint32_t sample_count;   // of the surface that were looked at, in every frame
} slv_placement;

slv_result slv_placement_make(const slv_frames *frames, const slv_surface *surface,
                              const slv_placement_options *options, slv_console *console,
                              slv_placement *placement, slv_error *error);
void slv_placement_free(slv_placement *placement);

#endif
