// SPDX-License-Identifier: MIT
// One pass over all frames, on all threads, with a progress bar.
#ifndef SLV_BAKE_FRAME_PASS_H
#define SLV_BAKE_FRAME_PASS_H

#include "tools/bake-collider/frames.h"
#include "tools/common/console.h"

typedef struct slv_frame_pass {
    const slv_frames *frames;
    uint32_t stride; // frames per step; 0 means 1
    unsigned threads;
    const char *what; // for the progress bar
    slv_console *console;
    // Called for each frame on any thread, in any order. slot < 2 * threads belongs to the frame
    // until it is consumed.
    slv_result (*process)(void *context, uint32_t frame, const double *positions, unsigned slot,
                          unsigned worker, slv_error *error);
    // Called for each frame in order, one at a time; may be NULL.
    slv_result (*consume)(void *context, uint32_t frame, const double *positions, unsigned slot,
                          slv_error *error);
    void *context;
} slv_frame_pass;

slv_result slv_frame_pass_run(const slv_frame_pass *pass, slv_error *error);

#endif
