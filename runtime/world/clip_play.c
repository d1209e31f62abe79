// SPDX-License-Identifier: MIT
// Where a clip is in its frames, and how fast it goes on.
#include "runtime/base/float_modes.h"
#include "runtime/world/clip.h"
#include "runtime/world/clip_ring.h"
#include "runtime/world/clip_time.h"
#include "runtime/world/handles.h"
#include "runtime/world/sleeping.h"
#include "runtime/world/status.h"

// From now on: new moves are written with the next step.
static slv_result rebase(slv_world *world, slv_clip *clip, double time) {
    slv_result status = SLV_OK;
    clip->play.base_time = time;
    clip->play.base_step = world->clock.steps;
    clip->play.segment_end = world->clock.steps;
    clip->mesh_current = false;
    for (uint32_t l = 0; status == SLV_OK && l < clip->link_count; l++) {
        status = slv_sleep_wake(world, slv_body_index(clip->links[l].body));
    }
    return status;
}

// The clip of a call that gives `value` for one of the fields of its definition; NULL where either is refused.
static slv_clip *find_for(slv_world *world, slv_clip_id id, const char *field, const char *name,
                          double value, slv_result *status) {
    slv_clip *clip = slv_find_clip(world, id, status);
    if (clip) {
        const slv_parameter *row = slv_find_field(&slv_clip_table, field);
        *status = slv_check_between(&world->error, name, value, row->min, row->max);
    }
    return *status == SLV_OK ? clip : NULL;
}

slv_result slv_clip_seek(slv_world *world, slv_clip_id id, double seconds) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status;
    slv_clip *clip = find_for(world, id, "time", "seconds", seconds, &status);
    return clip ? rebase(world, clip, seconds) : status;
}

slv_result slv_clip_set_speed(slv_world *world, slv_clip_id id, double speed) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status;
    slv_clip *clip = find_for(world, id, "speed", "speed", speed, &status);
    if (clip) {
        status = rebase(world, clip, slv_clip_time(clip, world->clock.steps, world->time_step));
        clip->play.speed = speed;
    }
    return status;
}

slv_result slv_clip_get_report(slv_world *world, slv_clip_id id, slv_clip_report *report) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status;
    slv_clip *clip = slv_find_clip_for(world, id, report, "report", &status);
    if (!clip) {
        return status;
    }
    const slv_clip_info *info = &clip->frames.info;
    const slv_ring_counts counts = slv_clip_ring_counts(clip->ring);
    *report = (slv_clip_report){.particle_count = info->particle_count,
                                .vertex_count = info->vertex_count,
                                .attachment_count = clip->frames.attachments.count,
                                .frame_count = info->frame_count,
                                .frame_rate = info->frame_rate,
                                .duration = info->duration,
                                .radius = info->radius * clip->scale,
                                .coverage = info->coverage * clip->scale,
                                .time = slv_clip_time(clip, world->clock.steps, world->time_step),
                                .decoded_groups = counts.decoded,
                                .waits = counts.waits,
                                .wait_seconds = counts.wait_seconds};
    if (clip->surface) {
        report->surface = slv_body_id(world, clip->surface);
    }
    return SLV_OK;
}

bool slv_clip_is_valid(const slv_world *world, slv_clip_id id) {
    return world && slv_handles_find(&world->clip_handles, (slv_handle){id.slot, id.generation}) !=
                        SLV_NO_INDEX;
}

uint32_t slv_world_get_clip_count(const slv_world *world) {
    return world ? world->clip_count : 0;
}

slv_clip_id slv_world_get_clip(const slv_world *world, uint32_t index) {
    if (index >= slv_world_get_clip_count(world)) {
        return (slv_clip_id){0};
    }
    const slv_handle handle = slv_handles_get(&world->clip_handles, world->clips[index]->slot);
    return (slv_clip_id){handle.slot, handle.generation};
}
