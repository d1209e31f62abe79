// SPDX-License-Identifier: MIT
// Particles on the surface: greedy Poisson-disk sampling of the first frame, then more particles
// where a part of the surface is uncovered in some frame.
#ifndef SLV_BAKE_PLACEMENT_H
#define SLV_BAKE_PLACEMENT_H

#include "tools/bake-collider/points.h"
#include "tools/bake-collider/surface.h"

typedef struct slv_placement_options {
    double radius;      // metres; 0: from particles
    uint32_t particles; // target number in the first frame; used with radius 0
    double tolerance;   // coverage may exceed the radius by this fraction of it
    unsigned threads;
    uint64_t memory_limit; // MiB
} slv_placement_options;

typedef struct slv_placement {
    uint32_t count;
    slv_point *points;
    double radius; // metres
    // Metres: largest distance of a surface point to its nearest particle, over all frames.
    double coverage;
    uint32_t coverage_frame; // frame of that distance
    uint32_t first_count;    // particles placed in the first frame; the others were added
    uint32_t sample_count;   // samples of the surface tested in every frame
} slv_placement;

slv_result slv_placement_make(const slv_frames *frames, const slv_surface *surface,
                              const slv_placement_options *options, slv_console *console,
                              slv_placement *placement, slv_error *error);
void slv_placement_free(slv_placement *placement);

#endif
