// SPDX-License-Identifier: MIT
#include "runtime/world/clip_pose.h"

#include "kernels/collider.h"
#include "runtime/base/float_modes.h"
#include "runtime/world/clip.h"
#include "runtime/world/clock.h"
#include "runtime/world/fetch.h"
#include "runtime/world/origin.h"
#include "runtime/world/sleeping.h"
#include "runtime/world/status.h"
#include "runtime/world/transport.h"

#include <math.h>
#include <string.h>

// Points of a clip that turns go in chords. At one turn a second and 1 m from the axis a chord of 0.01 s is
// 0.0005 m from its arc.
static const double longest_chord = 0.01; // s

// --- Poses ------------------------------------------------------------------------------------------

// Fraction of the path done `past` steps after move_step: 0 … 1.
static double path_fraction(const slv_clip_play *play, double past) {
    const double fraction = (past - play->move_begin) / play->move_length;
    return play->move_length > 0.0 ? fmin(fmax(fraction, 0.0), 1.0) : 1.0;
}

static slv_pose pose_after(const slv_clip_play *play, double past) {
    const double fraction = path_fraction(play, past);
    slv_pose pose = play->to;
    if (fraction >= 1.0) {
        return pose;
    }
    float dot = 0.0f;
    for (int i = 0; i < 4; i++) {
        dot += play->from.rotation[i] * play->to.rotation[i];
    }
    for (int d = 0; d < 3; d++) {
        const double from = (double)play->from.position[d];
        pose.position[d] = (float)(from + fraction * ((double)play->to.position[d] - from));
    }
    for (int i = 0; i < 4; i++) {
        const double from = (double)play->from.rotation[i];
        const double to = (double)(dot < 0.0f ? -play->to.rotation[i] : play->to.rotation[i]);
        pose.rotation[i] = (float)(from + fraction * (to - from));
    }
    slv_normalize_rotation(pose.rotation);
    return pose;
}

static double steps_past(const slv_clip *clip, uint64_t step) {
    return (double)(step - clip->play.move_step);
}

slv_pose slv_clip_pose_at(const slv_clip *clip, uint64_t step) {
    return pose_after(&clip->play, steps_past(clip, step));
}

bool slv_clip_is_led(const slv_clip *clip, uint64_t step) {
    return path_fraction(&clip->play, steps_past(clip, step)) < 1.0;
}

slv_clip_matrix slv_clip_matrix_at(const slv_clip *clip, uint64_t step) {
    const slv_pose pose = slv_clip_pose_at(clip, step);
    const float x = pose.rotation[0];
    const float y = pose.rotation[1];
    const float z = pose.rotation[2];
    const float w = pose.rotation[3];
    const float turn[3][3] = {
        {1.0f - 2.0f * (y * y + z * z), 2.0f * (x * y - z * w), 2.0f * (x * z + y * w)},
        {2.0f * (x * y + z * w), 1.0f - 2.0f * (x * x + z * z), 2.0f * (y * z - x * w)},
        {2.0f * (x * z - y * w), 2.0f * (y * z + x * w), 1.0f - 2.0f * (x * x + y * y)},
    };
    const double *frame = clip->frames.info.frame;
    slv_clip_matrix matrix = {.is_identity = true};
    for (int r = 0; r < 3; r++) {
        double moved = (double)pose.position[r];
        for (int c = 0; c < 3; c++) {
            matrix.rows[r][c] = clip->scale * turn[r][c];
            moved += (double)matrix.rows[r][c] * frame[c];
            matrix.is_identity = matrix.is_identity && matrix.rows[r][c] == (r == c ? 1.0f : 0.0f);
        }
        matrix.rows[r][3] = (float)moved;
        matrix.is_identity = matrix.is_identity && matrix.rows[r][3] == 0.0f;
    }
    return matrix;
}

uint32_t slv_clip_pose_segment(const slv_clip *clip, uint64_t step, double time_step,
                               uint32_t most) {
    if (!slv_clip_is_led(clip, step)) {
        return most;
    }
    const slv_clip_play *play = &clip->play;
    const double past = steps_past(clip, step);
    // The steps in which the path begins and ends have a kink within them and stand alone.
    const double kink = past < play->move_begin ? 1.0 : play->move_begin + play->move_length - past;
    const double chord = floor(longest_chord / time_step + 1e-6);
    return (uint32_t)fmax(fmin(fmin(floor(kink + 1e-6), chord), (double)most), 1.0);
}

// --- Public calls -----------------------------------------------------------------------------------

static slv_clip *begin(slv_world *world, slv_clip_id id, const double position[3],
                       const float rotation[4], slv_pose *pose, slv_result *status) {
    slv_clip *clip = slv_find_clip(world, id, status);
    if (clip) {
        *status = slv_origin_take_pose(world, position, rotation, SLV_POSITION_LIMIT, pose);
    }
    return *status == SLV_OK ? clip : NULL;
}

// New moves are written with the next step, from where the particles are.
static slv_result begin_anew(slv_world *world, slv_clip *clip) {
    slv_result status = SLV_OK;
    clip->play.segment_end = world->clock.steps;
    clip->play.moved = 0;
    clip->mesh_current = false;
    for (uint32_t l = 0; status == SLV_OK && l < clip->link_count; l++) {
        status = slv_sleep_wake(world, slv_body_index(clip->links[l].body));
    }
    return status;
}

static void carry_link(slv_world *world, const slv_clip_link *link,
                       const slv_transport *transport) {
    slv_body *body = link->body;
    const uint32_t index = slv_body_index(body);
    for (uint32_t i = 0; i < link->count; i++) {
        const uint32_t particle = link->particles[i];
        if (body->fixed[particle]) {
            slv_transport_carry_particle(transport, &world->layout, index, particle);
        }
    }
    body->surface.current = false;
}

slv_result slv_clip_set_pose(slv_world *world, slv_clip_id id, const double position[3],
                             const float rotation[4]) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status;
    slv_pose pose;
    slv_clip *clip = begin(world, id, position, rotation, &pose, &status);
    if (clip) {
        status = slv_world_fetch_state(world);
    }
    if (!clip || status != SLV_OK) {
        return status;
    }
    const slv_pose old = slv_clip_pose_at(clip, world->clock.steps);
    const slv_transport transport = slv_transport_between(&old, &pose);
    for (uint32_t l = 0; l < clip->link_count; l++) {
        carry_link(world, &clip->links[l], &transport);
    }
    clip->play.from = clip->play.to = pose;
    clip->play.move_begin = clip->play.move_length = 0.0;
    clip->play.move_step = world->clock.steps;
    return begin_anew(world, clip);
}

slv_result slv_clip_lead(slv_world *world, slv_clip_id id, const double position[3],
                         const float rotation[4], double seconds) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status;
    slv_pose pose;
    slv_clip *clip = begin(world, id, position, rotation, &pose, &status);
    if (clip) {
        status = slv_check_lead(&world->error, seconds);
    }
    if (!clip || status != SLV_OK) {
        return status;
    }
    slv_clip_play *play = &clip->play;
    const double fraction = slv_clock_get_fraction(&world->clock, world->time_step);
    play->from = pose_after(play, steps_past(clip, world->clock.steps) + fraction);
    play->to = pose;
    play->move_step = world->clock.steps;
    play->move_begin = fraction;
    play->move_length = seconds / world->time_step;
    return begin_anew(world, clip);
}

slv_result slv_clip_get_pose(slv_world *world, slv_clip_id id, double position[3],
                             float rotation[4]) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status;
    const slv_clip *clip = slv_find_clip(world, id, &status);
    if (!clip) {
        return status;
    }
    const slv_pose pose = slv_clip_pose_at(clip, world->clock.steps);
    if (position) {
        slv_origin_make_global(world, pose.position, position);
    }
    if (rotation) {
        memcpy(rotation, pose.rotation, sizeof pose.rotation);
    }
    return SLV_OK;
}
