// SPDX-License-Identifier: MIT
// From the steps of a world to places between the frames of a clip.
#ifndef SLV_RUNTIME_WORLD_CLIP_TIME_H
#define SLV_RUNTIME_WORLD_CLIP_TIME_H

#include "runtime/world/clip.h"

// Between two frames: (1 - share) of one and share of the other.
typedef struct slv_clip_place {
    uint32_t from, to;
    float share;
} slv_clip_place;

// Seconds of the clip after so many steps of the world, within its length.
double slv_clip_time(const slv_clip *clip, uint64_t step, double time_step);
slv_clip_place slv_clip_place_at(const slv_clip *clip, double time);

// Clip seconds a second at that step: 0 where a clip that does not loop is over.
double slv_clip_pace(const slv_clip *clip, uint64_t step, double time_step);

// How many steps from `step` on stay between the same two frames, at least 1 and at most `most`.
uint32_t slv_clip_segment(const slv_clip *clip, uint64_t step, double time_step, uint32_t most);

#endif
