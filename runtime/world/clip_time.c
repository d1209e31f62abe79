// SPDX-License-Identifier: MIT
#include "runtime/world/clip_time.h"

#include <math.h>

// Of a loop: where it begins, and how long it is. A clip of one frame has none.
static double loop_length(const slv_clip *clip) {
    const double length = clip->frames.info.duration - clip->play.loop_from;
    return clip->play.loop && length > 0.0 ? length : 0.0;
}

static double unfolded(const slv_clip *clip, uint64_t step, double time_step) {
    const slv_clip_play *play = &clip->play;
    return play->base_time + play->speed * time_step * (double)(step - play->base_step);
}

// A clip that plays forwards may be before the beginning of its loop, which it enters later. One that plays backwards
// stays in the loop.
static double fold(const slv_clip *clip, double time) {
    const double duration = clip->frames.info.duration;
    const double from = clip->play.loop_from;
    const double length = loop_length(clip);
    const bool inside = time >= (clip->play.speed < 0.0 ? from : 0.0) && time < duration;
    if (length > 0.0 && !inside) {
        const double rounds = floor((time - from) / length);
        time = from + (time - from - rounds * length);
    }
    return time < 0.0 ? 0.0 : time > duration ? duration : time;
}

double slv_clip_time(const slv_clip *clip, uint64_t step, double time_step) {
    return fold(clip, unfolded(clip, step, time_step));
}

double slv_clip_pace(const slv_clip *clip, uint64_t step, double time_step) {
    const double time = unfolded(clip, step, time_step);
    const bool over = time < 0.0 || time > clip->frames.info.duration;
    return over && loop_length(clip) <= 0.0 ? 0.0 : clip->play.speed;
}

slv_clip_blend slv_clip_blend_at(const slv_clip *clip, double time) {
    const slv_clip_info *info = &clip->frames.info;
    const uint32_t last = info->frame_count - 1;
    const double exact = time * info->frame_rate;
    const double whole = floor(exact);
    if (whole < (double)last) {
        return (slv_clip_blend){(uint32_t)whole, (uint32_t)whole + 1, (float)(exact - whole)};
    }
    // Behind the last frame a loop goes on to the frame at which it begins again.
    const double tail = info->duration * info->frame_rate - (double)last;
    if (!(tail > 1e-9) || loop_length(clip) <= 0.0) {
        return (slv_clip_blend){last, last, 0.0f};
    }
    const double first = floor(clip->play.loop_from * info->frame_rate + 0.5);
    const double weight = (exact - (double)last) / tail;
    return (slv_clip_blend){last, first < (double)last ? (uint32_t)first : last,
                            (float)(weight < 1.0 ? weight : 1.0)};
}

uint32_t slv_clip_segment(const slv_clip *clip, uint64_t step, double time_step, uint32_t most) {
    const double speed = clip->play.speed;
    if (speed == 0.0) {
        return most;
    }
    const slv_clip_blend here = slv_clip_blend_at(clip, slv_clip_time(clip, step, time_step));
    // A guess from the speed, corrected by the frames of each step: rounding must not decide.
    const double remaining = speed > 0.0 ? 1.0 - (double)here.weight : (double)here.weight;
    const double guess =
        floor(remaining / (fabs(speed) * time_step * clip->frames.info.frame_rate));
    uint32_t count = guess < 1.0 ? 1 : guess < (double)most ? (uint32_t)guess : most;
    while (count > 1) {
        const double then = unfolded(clip, step + count, time_step);
        const slv_clip_blend there = slv_clip_blend_at(clip, fold(clip, then));
        if (there.from == here.from && there.to == here.to) {
            break;
        }
        count--;
    }
    return count;
}
