// SPDX-License-Identifier: MIT
// The uniform block of shaders/frame.glsl in C (std140 layout). Filled once per picture.
#ifndef SLV_PLAYER_FRAME_BLOCK_H
#define SLV_PLAYER_FRAME_BLOCK_H

#include "runtime/player/view/vector.h"

#include <assert.h>

typedef struct slv_frame_block {
    slv_mat4 view_projection;
    slv_mat4 rays;
    slv_mat4 light_matrix[2];
    float light_direction[2][4];
    float light_color[2][4];
    float light_casters[2][4];
    float light_depth[4];
    float eye[4];
    float sky[4];
    float ground[4];
    float horizon[4];
    float floor_center[4];
    float screen[4];
} slv_frame_block;

static_assert(sizeof(slv_frame_block) == 4 * 64 + 13 * 16, "frame.glsl has the same layout");

#endif
