// SPDX-License-Identifier: MIT
// Points of a clip at any time: where they lie between two decoded frames, in the world's coordinates.
#ifndef SLV_RUNTIME_WORLD_CLIP_SAMPLE_H
#define SLV_RUNTIME_WORLD_CLIP_SAMPLE_H

#include "runtime/world/clip_pose.h"
#include "runtime/world/clip_time.h"

// A blend of two frames: rows of their groups, and the frames within these.
typedef struct slv_clip_sampler {
    slv_clip_matrix matrix;
    const float *from, *to;
    uint32_t from_frame, to_frame; // in their groups
    float weight;                  // of `to`
} slv_clip_sampler;

// In the pose of a step. Waits for frames that are not decoded yet. The groups of the blend must be requested.
// Valid until other groups are requested.
slv_result slv_clip_sampler_make(slv_world *world, slv_clip *clip, slv_motion_kind motion,
                                 slv_clip_blend blend, uint64_t step, slv_clip_sampler *made);
void slv_clip_sample(const slv_clip_sampler *sampler, uint32_t point, float at[3]);

// Requests the groups of a segment's two ends, then those after step `end` at this speed.
void slv_clip_prefetch(const slv_world *world, slv_clip *clip, slv_clip_blend from,
                       slv_clip_blend to, uint64_t end);

#endif
