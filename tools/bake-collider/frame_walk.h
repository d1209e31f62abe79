// SPDX-License-Identifier: MIT
// All frames once, on all threads, with a progress bar.
#ifndef SLV_BAKE_FRAME_WALK_H
#define SLV_BAKE_FRAME_WALK_H

#include "tools/bake-collider/frames.h"
#include "tools/common/console.h"

typedef struct slv_frame_walk {
    const slv_frames *frames;
    uint32_t stride; // every how many frames; 0 = 1
    unsigned threads;
    const char *what; // for the progress bar
    slv_console *console;
    // For each frame, on any thread, in any order. slot < 2 * threads is the frame's until it is taken.
    slv_result (*see)(void *context, uint32_t frame, const double *positions, unsigned slot,
                      unsigned worker, slv_error *error);
    // For each frame in order, one at a time; may be NULL.
    slv_result (*take)(void *context, uint32_t frame, const double *positions, unsigned slot,
                       slv_error *error);
    void *context;
} slv_frame_walk;

slv_result slv_frame_walk_run(const slv_frame_walk *walk, slv_error *error);

#endif
