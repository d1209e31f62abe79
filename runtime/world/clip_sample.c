// SPDX-License-Identifier: MIT
#include "runtime/world/clip_sample.h"

#include "runtime/world/clip_pose.h"
#include "runtime/world/clip_ring.h"
#include "runtime/world/clip_time.h"
#include "runtime/world/status.h"

#include <math.h>

void slv_clip_sample(const slv_clip_sampler *s, uint32_t point, float at[3]) {
    const float *from = s->from + (size_t)point * SLV_ROW_FLOATS + s->from_frame;
    const float *to = s->to + (size_t)point * SLV_ROW_FLOATS + s->to_frame;
    float own[3]; // what is written may lie in memory that is slow to read
    for (int d = 0; d < 3; d++) {
        const float a = from[d * SLV_GROUP_FRAMES];
        const float b = to[d * SLV_GROUP_FRAMES];
        own[d] = a + s->weight * (b - a);
    }
    for (int d = 0; d < 3; d++) {
        const float *row = s->matrix.rows[d];
        at[d] = s->matrix.is_identity
                    ? own[d]
                    : row[0] * own[0] + row[1] * own[1] + row[2] * own[2] + row[3];
    }
}

static slv_result damaged(slv_world *world, const char *fault) {
    return slv_refuse(world, SLV_ERROR_CONTENT, "a group of frames cannot be decoded: %s", fault);
}

slv_result slv_clip_sampler_make(slv_world *world, slv_clip *clip, slv_motion_kind motion,
                                 slv_clip_blend blend, uint64_t step, slv_clip_sampler *made) {
    const char *fault = NULL;
    *made = (slv_clip_sampler){.matrix = slv_clip_matrix_at(clip, step),
                               .weight = blend.weight,
                               .from_frame = blend.from % SLV_GROUP_FRAMES,
                               .to_frame = blend.to % SLV_GROUP_FRAMES};
    made->from = slv_clip_ring_get(clip->ring, blend.from / SLV_GROUP_FRAMES, motion, &fault);
    if (made->from) {
        made->to = slv_clip_ring_get(clip->ring, blend.to / SLV_GROUP_FRAMES, motion, &fault);
    }
    return made->from && made->to ? SLV_OK : damaged(world, fault);
}

void slv_clip_prefetch(const slv_world *world, slv_clip *clip, slv_clip_blend from,
                       slv_clip_blend to, uint64_t end) {
    uint32_t groups[8] = {from.from / SLV_GROUP_FRAMES, from.to / SLV_GROUP_FRAMES,
                          to.from / SLV_GROUP_FRAMES, to.to / SLV_GROUP_FRAMES};
    const double pace =
        fabs(clip->play.speed) * world->time_step * clip->frames.info.frame_rate; // frames a step
    for (int ahead = 1; ahead <= 4; ahead++) {
        const double steps = pace > 0.0 ? SLV_GROUP_FRAMES * 0.5 * ahead / pace : 0.0;
        const uint64_t then = end + (steps < 1e9 ? (uint64_t)steps : 0);
        const slv_clip_blend blend =
            slv_clip_blend_at(clip, slv_clip_time(clip, then, world->time_step));
        groups[3 + ahead] = blend.to / SLV_GROUP_FRAMES;
    }
    slv_clip_ring_request(clip->ring, groups, 8);
}
