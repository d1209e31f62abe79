// SPDX-License-Identifier: MIT
// Writes the positions of points over all frames as the sections of a motion, group by group; only
// a few groups are in memory at a time.
#ifndef SLV_BAKE_MOTION_OUTPUT_H
#define SLV_BAKE_MOTION_OUTPUT_H

#include "formats/collider_pack.h"
#include "formats/writer.h"
#include "tools/bake-collider/frames.h"
#include "tools/bake-collider/points.h"
#include "tools/common/console.h"

typedef struct slv_motion_output {
    const slv_frames *frames;
    const slv_point *points;
    uint32_t count;
    slv_motion_kind kind;
    bool keep_order;  // keeps the given order instead of that of the predictors
    double error;     // largest error of a decoded position, metres
    const char *what; // for the progress bar
    unsigned threads;
    uint32_t *order; // [count] or NULL: receives the point stored at each index
    // Results.
    double largest_error;
    float min[3], max[3]; // of decoded positions
    uint64_t bytes;       // of the three sections as stored; tables before they are compressed
} slv_motion_output;

// Adds three sections.
slv_result slv_motion_output_run(slv_motion_output *output, slv_writer *writer,
                                 slv_console *console, slv_error *error);

#endif
