// SPDX-License-Identifier: MIT
#include "runtime/player/view/scissor.h"

#include <float.h>

slv_bounds slv_bounds_none(void) {
    return (slv_bounds){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

void slv_bounds_add(slv_bounds *bounds, const float *points, size_t count, size_t stride) {
    slv_bounds b = *bounds;
    for (size_t p = 0; p < count; p++) {
        for (int d = 0; d < 3; d++) {
            const float value = points[p * stride + (size_t)d];
            b.low[d] = value < b.low[d] ? value : b.low[d]; // false for NaN
            b.high[d] = value > b.high[d] ? value : b.high[d];
        }
    }
    *bounds = b;
}

slv_scissor slv_scissor_whole(int width, int height) {
    return (slv_scissor){0, 0, width, height};
}

// Extends the rectangle in clip space by a point; false where the point is before the near plane.
static bool widen(const slv_frame_block *block, slv_vec3 p, float low[2], float high[2]) {
    const float *m = block->view_projection.m;
    const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    for (int d = 0; d < 2; d++) {
        const float at = (m[d] * p.x + m[4 + d] * p.y + m[8 + d] * p.z + m[12 + d]) / w;
        low[d] = fminf(low[d], at);
        high[d] = fmaxf(high[d], at);
    }
    return w > block->screen[2]; // near plane
}

// The shadow of a point on the floor; a point below the floor is returned unchanged.
static slv_vec3 shadow_of(const slv_frame_block *block, int light, slv_vec3 p) {
    const float *d = block->light_direction[light];
    const float along = fmaxf(p.y - block->floor_center[1], 0.0f) / d[1];
    return slv_v3_sub(p, slv_v3_scale(slv_v3(d[0], d[1], d[2]), along));
}

static int pixel_of(float clip, int size, int more) {
    const float at = fminf(fmaxf(0.5f * clip + 0.5f, 0.0f), 1.0f) * (float)size;
    const int pixel = (int)at + more;
    return pixel < 0 ? 0 : pixel > size ? size : pixel;
}

slv_scissor slv_scissor_find(const slv_frame_block *block, const slv_bounds *bounds, float margin,
                             int width, int height) {
    float low[2] = {FLT_MAX, FLT_MAX};
    float high[2] = {-FLT_MAX, -FLT_MAX};
    bool ahead = true;
    if (!(bounds->low[0] <= bounds->high[0])) {
        return (slv_scissor){0, 0, 0, 0}; // no points
    }
    for (int corner = 0; corner < 8; corner++) {
        const slv_vec3 p = slv_v3(corner & 1 ? bounds->high[0] + margin : bounds->low[0] - margin,
                                  corner & 2 ? bounds->high[1] + margin : bounds->low[1] - margin,
                                  corner & 4 ? bounds->high[2] + margin : bounds->low[2] - margin);
        ahead = widen(block, p, low, high) && ahead;
        for (int n = 0; n < 2; n++) {
            ahead = widen(block, shadow_of(block, n, p), low, high) && ahead;
        }
    }
    if (!ahead) {
        return slv_scissor_whole(width, height);
    }
    return (slv_scissor){pixel_of(low[0], width, -2), pixel_of(low[1], height, -2),
                         pixel_of(high[0], width, 3), pixel_of(high[1], height, 3)};
}
