// SPDX-License-Identifier: MIT
// The scissor rectangle that contains all objects and their shadows. Outside it are only floor and background,
// which a cheaper program draws. This pays with software drivers, which cannot skip work per pixel.
#ifndef SLV_PLAYER_SCISSOR_H
#define SLV_PLAYER_SCISSOR_H

#include "runtime/player/view/frame_block.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct slv_bounds {
    float low[3], high[3]; // metres
} slv_bounds;

slv_bounds slv_bounds_none(void);
// Extends the bounds by points `stride` floats apart. Points that are not finite are ignored.
void slv_bounds_add(slv_bounds *bounds, const float *points, size_t count, size_t stride);

typedef struct slv_scissor {
    int left, bottom, right, top; // pixels; right and top are exclusive
} slv_scissor;

slv_scissor slv_scissor_whole(int width, int height);
// The rectangle of the bounds, enlarged by `margin` metres, and of their shadows on the floor.
slv_scissor slv_scissor_find(const slv_frame_block *block, const slv_bounds *bounds, float margin,
                             int width, int height);

#endif
