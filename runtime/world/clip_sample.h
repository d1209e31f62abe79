// SPDX-License-Identifier: MIT
// Points of a clip at any time: where they lie between two decoded frames, in the world's coordinates.
#ifndef SLV_RUNTIME_WORLD_CLIP_SAMPLE_H
#define SLV_RUNTIME_WORLD_CLIP_SAMPLE_H

#include "runtime/world/clip_pose.h"
#include "runtime/world/clip_time.h"

// A place between two frames: rows of the two, and where in them.
typedef struct slv_clip_sampler {
    slv_clip_matrix matrix;
    const float *from, *to;
    uint32_t from_frame, to_frame; // in their groups
    float share;
} slv_clip_sampler;

// In the pose of a step. Waits for frames that are not decoded yet; the place's groups must be wanted. Valid until others are.
slv_result slv_clip_sampler_make(slv_world *world, slv_clip *clip, slv_motion_kind motion,
                                 slv_clip_place place, uint64_t step, slv_clip_sampler *made);
void slv_clip_sample(const slv_clip_sampler *sampler, uint32_t point, float at[3]);

// Wants the groups of a segment's two ends, then of what comes after step `end` at this speed.
void slv_clip_want_ahead(const slv_world *world, slv_clip *clip, slv_clip_place from,
                         slv_clip_place to, uint64_t end);

#endif
