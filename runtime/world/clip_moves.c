// SPDX-License-Identifier: MIT
#include "runtime/world/clip_moves.h"

#include "runtime/world/clip_pose.h"
#include "runtime/world/clip_sample.h"
#include "runtime/world/clip_time.h"
#include "runtime/world/sleeping.h"
#include "runtime/world/status.h"

static slv_result write_link(slv_world *world, slv_clip *clip, const slv_clip_link *link,
                             const slv_clip_blend ends[2], uint32_t steps) {
    const uint64_t step = world->clock.steps;
    slv_clip_sampler from;
    slv_clip_sampler to;
    slv_result status = slv_clip_sampler_make(world, clip, link->motion, ends[0], step, &from);
    if (status == SLV_OK) {
        status = slv_clip_sampler_make(world, clip, link->motion, ends[1], step + steps, &to);
    }
    if (status != SLV_OK) {
        return status;
    }
    slv_body *body = link->body;
    bool moves = false;
    for (uint32_t i = 0; i < link->count; i++) {
        const uint32_t particle = link->particles[i];
        if (!body->fixed[particle]) {
            continue; // a caller has freed it
        }
        const uint32_t number = slv_body_find_move(body, particle);
        slv_move_path *path = &body->paths[number];
        body->moves[number] = (slv_move){.particle = particle, .total = steps};
        if (clip->play.moved) { // the first path begins where the particle is
            slv_clip_sample(&from, link->points[i], path->from);
        }
        slv_clip_sample(&to, link->points[i], path->to);
        path->begin = 0.0f;
        path->length = (float)steps;
        for (int d = 0; d < 3; d++) {
            moves = moves || path->from[d] != path->to[d];
        }
    }
    return moves ? slv_sleep_wake(world, slv_body_index(body)) : SLV_OK;
}

// Where the particles of a link are now, for their first path.
static slv_result begin_link(slv_world *world, const slv_clip_link *link) {
    slv_particle_view view;
    slv_result status = slv_garment_get_positions(world, slv_body_id(world, link->body), &view);
    slv_body *body = link->body;
    for (uint32_t i = 0; status == SLV_OK && i < link->count; i++) {
        if (body->fixed[link->particles[i]]) {
            slv_move_path *path = &body->paths[slv_body_find_move(body, link->particles[i])];
            const size_t at = (size_t)view.slot[link->particles[i]] * view.stride;
            path->from[0] = view.x[at];
            path->from[1] = view.y[at];
            path->from[2] = view.z[at];
        }
    }
    return status;
}

static slv_result write_segment(slv_world *world, slv_clip *clip) {
    const uint64_t step = world->clock.steps;
    const uint32_t most =
        slv_clip_pose_segment(clip, step, world->time_step, SLV_CLIP_LONGEST_SEGMENT);
    const uint32_t steps = slv_clip_segment(clip, step, world->time_step, most);
    const slv_clip_blend ends[2] = {
        slv_clip_blend_at(clip, slv_clip_time(clip, step, world->time_step)),
        slv_clip_blend_at(clip, slv_clip_time(clip, step + steps, world->time_step))};
    slv_result status = SLV_OK;
    slv_clip_prefetch(world, clip, ends[0], ends[1], step + steps);
    for (uint32_t l = 0; status == SLV_OK && l < clip->link_count; l++) {
        if (!clip->play.moved) {
            status = begin_link(world, &clip->links[l]);
        }
        if (status == SLV_OK) {
            status = write_link(world, clip, &clip->links[l], ends, steps);
        }
    }
    if (status == SLV_OK) {
        clip->play.segment_end = step + steps;
        clip->play.moved = 1;
    }
    return status;
}

slv_result slv_clips_prepare(slv_world *world, uint32_t *batch) {
    slv_result status = SLV_OK;
    for (uint32_t i = 0; status == SLV_OK && i < world->clip_count; i++) {
        slv_clip *clip = world->clips[i];
        if (clip->play.segment_end <= world->clock.steps || !clip->play.moved) {
            status = write_segment(world, clip);
        }
        const uint64_t left = clip->play.segment_end - world->clock.steps;
        *batch = status == SLV_OK && left < *batch ? (uint32_t)left : *batch;
    }
    return status;
}
