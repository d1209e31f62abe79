// SPDX-License-Identifier: MIT
// Where a clip stands in the world at a step: a pose, or an interpolation of two.
#ifndef SLV_RUNTIME_WORLD_CLIP_POSE_H
#define SLV_RUNTIME_WORLD_CLIP_POSE_H

#include "runtime/world/clip.h"

// From the pack's coordinates to the world's.
typedef struct slv_clip_matrix {
    float rows[3][4];
    bool is_identity;
} slv_clip_matrix;

slv_pose slv_clip_pose_at(const slv_clip *clip, uint64_t step);
slv_clip_matrix slv_clip_matrix_at(const slv_clip *clip, uint64_t step);
bool slv_clip_is_led(const slv_clip *clip, uint64_t step);

// How many steps from `step` on may be one straight line, 1 … most.
uint32_t slv_clip_pose_segment(const slv_clip *clip, uint64_t step, double time_step,
                               uint32_t most);

#endif
