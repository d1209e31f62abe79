// SPDX-License-Identifier: MIT
// From the steps of a world to the frames of a clip and the weights between them.
#ifndef SLV_RUNTIME_WORLD_CLIP_TIME_H
#define SLV_RUNTIME_WORLD_CLIP_TIME_H

#include "runtime/world/clip.h"

// Interpolates two frames: (1 - weight) of `from` and weight of `to`.
typedef struct slv_clip_blend {
    uint32_t from, to;
    float weight;
} slv_clip_blend;

// Seconds of the clip after so many steps of the world, within its length.
double slv_clip_time(const slv_clip *clip, uint64_t step, double time_step);
slv_clip_blend slv_clip_blend_at(const slv_clip *clip, double time);

// Clip seconds a second at that step: 0 where a clip that does not loop is over.
double slv_clip_pace(const slv_clip *clip, uint64_t step, double time_step);

// How many steps from `step` on stay between the same two frames, at least 1 and at most `most`.
uint32_t slv_clip_segment(const slv_clip *clip, uint64_t step, double time_step, uint32_t most);

#endif
