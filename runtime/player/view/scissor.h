// SPDX-License-Identifier: MIT
// The part of a picture in which things and their shadows are. The rest is floor and background, which cost
// far less to draw; drivers that draw on the processor cannot leave work out pixel by pixel.
#ifndef SLV_PLAYER_SCISSOR_H
#define SLV_PLAYER_SCISSOR_H

#include "runtime/player/view/frame_block.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct slv_bounds {
    float low[3], high[3]; // metres
} slv_bounds;

slv_bounds slv_bounds_none(void);
// Points are `stride` floats apart. What is not finite is left out.
void slv_bounds_add(slv_bounds *bounds, const float *points, size_t count, size_t stride);

typedef struct slv_scissor {
    int left, bottom, right, top; // pixels, the last two just outside
} slv_scissor;

slv_scissor slv_scissor_whole(int width, int height);
// Of all within these bounds, and of what it keeps light from. `margin` metres round it belong to it too.
slv_scissor slv_scissor_find(const slv_frame_block *block, const slv_bounds *bounds, float margin,
                             int width, int height);

#endif
