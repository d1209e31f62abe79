// SPDX-License-Identifier: MIT
#include "runtime/world/clip.h"

#include "runtime/world/clip_pose.h"
#include "runtime/world/clip_sample.h"
#include "runtime/world/clip_time.h"
#include "runtime/world/sleeping.h"

#include <string.h>

static const uint32_t longest_segment = 1u << 20; // steps; moves end at 2^30

// --- Moves ------------------------------------------------------------------------------------------

static slv_result write_link(slv_world *world, slv_clip *clip, const slv_clip_link *link,
                             const slv_clip_place ends[2], uint32_t steps) {
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
        slv_move_path *way = &body->paths[number];
        body->moves[number] = (slv_move){.particle = particle, .total = steps};
        if (clip->play.moved) { // the first way begins where the particle is
            slv_clip_sample(&from, link->points[i], way->from);
        }
        slv_clip_sample(&to, link->points[i], way->to);
        way->begin = 0.0f;
        way->length = (float)steps;
        for (int d = 0; d < 3; d++) {
            moves = moves || way->from[d] != way->to[d];
        }
    }
    return moves ? slv_sleep_wake(world, slv_body_index(body)) : SLV_OK;
}

// Where the particles of a link are now, for their first way.
static slv_result begin_link(slv_world *world, const slv_clip_link *link) {
    slv_particle_view view;
    slv_result status = slv_garment_get_positions(world, slv_body_id(world, link->body), &view);
    slv_body *body = link->body;
    for (uint32_t i = 0; status == SLV_OK && i < link->count; i++) {
        if (body->fixed[link->particles[i]]) {
            slv_move_path *way = &body->paths[slv_body_find_move(body, link->particles[i])];
            const size_t at = (size_t)view.slot[link->particles[i]] * view.stride;
            way->from[0] = view.x[at];
            way->from[1] = view.y[at];
            way->from[2] = view.z[at];
        }
    }
    return status;
}

static slv_result write_segment(slv_world *world, slv_clip *clip) {
    const uint64_t step = world->clock.steps;
    const uint32_t most = slv_clip_pose_segment(clip, step, world->time_step, longest_segment);
    const uint32_t steps = slv_clip_segment(clip, step, world->time_step, most);
    const slv_clip_place ends[2] = {
        slv_clip_place_at(clip, slv_clip_time(clip, step, world->time_step)),
        slv_clip_place_at(clip, slv_clip_time(clip, step + steps, world->time_step))};
    slv_result status = SLV_OK;
    slv_clip_want_ahead(world, clip, ends[0], ends[1], step + steps);
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

// --- Life -------------------------------------------------------------------------------------------

void slv_clip_destroy(slv_clip *clip) {
    for (uint32_t l = 0; l < clip->link_count; l++) {
        slv_memory_release(&clip->links[l].memory);
    }
    slv_clip_ring_destroy(clip->ring);
    slv_collider_pack_close(&clip->frames);
    slv_pack_close(clip->pack);
    slv_memory memory = clip->memory;
    slv_memory_release(&memory);
}

void slv_clips_destroy(slv_world *world) {
    for (uint32_t i = 0; i < world->clip_count; i++) {
        slv_clip_destroy(world->clips[i]);
    }
    world->clip_count = 0;
}

void slv_clips_reset(slv_world *world) {
    for (uint32_t i = 0; i < world->clip_count; i++) {
        world->clips[i]->play = world->clips[i]->start;
        world->clips[i]->mesh_current = false;
    }
}

// --- Adding -----------------------------------------------------------------------------------------

enum { CLIP_COOKIE = 0x51C11B0D };

slv_clip_def slv_default_clip_def(void) {
    slv_clip_def def = {.cookie = CLIP_COOKIE};
    slv_fill_defaults(&slv_clip_table, &def);
    return def;
}

static slv_result check_def(slv_world *world, const slv_clip_def *def) {
    if (!def || def->cookie != CLIP_COOKIE) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "def: a definition must come from slv_default_clip_def");
    }
    if ((def->pack_path != NULL) == (def->pack_bytes != NULL)) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "pack_path, pack_bytes: exactly one of them is needed");
    }
    return slv_check_fields(&world->error, &slv_clip_table, def);
}

static slv_result open_pack(slv_world *world, const slv_clip_def *def, slv_clip *clip) {
    slv_open_options options = slv_default_open_options();
    options.mode = def->copy ? SLV_OPEN_COPY : SLV_OPEN_MAP;
    slv_result result = def->pack_path
                            ? slv_pack_open(def->pack_path, &options, &clip->pack, &world->error)
                            : slv_pack_open_memory(def->pack_bytes, def->pack_size, &options,
                                                   &clip->pack, &world->error);
    if (result == SLV_OK) {
        result = slv_collider_pack_open(clip->pack, &clip->frames, &world->error);
    }
    if (result != SLV_OK) {
        return result;
    }
    clip->ring = slv_clip_ring_create(&clip->frames, world->memory.allocator);
    return clip->ring ? SLV_OK : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
}

// The surface as a garment of particles that never move by themselves: what meets garments meets it.
static slv_result add_surface(slv_world *world, slv_clip *clip, const slv_clip_def *def) {
    const uint32_t count = clip->frames.info.particle_count;
    slv_memory scratch = {.allocator = world->memory.allocator};
    float *places = slv_memory_take(&scratch, 3 * (size_t)count, sizeof *places);
    float *masses = slv_memory_take(&scratch, count, sizeof *masses);
    uint32_t *order = slv_memory_take(&scratch, count, sizeof *order);
    slv_clip_place place =
        slv_clip_place_at(clip, slv_clip_time(clip, world->clock.steps, world->time_step));
    if (!places || !masses || !order) {
        slv_memory_release(&scratch);
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_clip_sampler at;
    slv_clip_want_ahead(world, clip, place, place, world->clock.steps);
    slv_result status = slv_clip_link_surface(world, clip);
    if (status == SLV_OK) {
        status = slv_clip_sampler_make(world, clip, SLV_MOTION_PARTICLES, place, world->clock.steps,
                                       &at);
    }
    for (uint32_t i = 0; status == SLV_OK && i < count; i++) {
        float point[3];
        slv_clip_sample(&at, i, point);
        for (size_t d = 0; d < 3; d++) {
            places[d * count + i] = point[d];
        }
        order[i] = i;
    }
    if (status == SLV_OK) {
        status = slv_world_add_fixed_points(world, places, masses, order, count,
                                            clip->frames.info.radius * def->scale, def->friction);
    }
    slv_memory_release(&scratch);
    if (status != SLV_OK) {
        return status;
    }
    clip->surface = world->bodies[world->body_count - 1];
    ((slv_garment_entry *)clip->surface)->is_surface = true;
    clip->links[0].body = clip->surface;
    return SLV_OK;
}

static void set_play(const slv_world *world, const slv_clip_def *def, slv_clip *clip) {
    const double duration = clip->frames.info.duration;
    clip->play = (slv_clip_play){.base_time = def->time,
                                 .base_step = world->clock.steps,
                                 .speed = def->speed,
                                 .loop_from = def->loop_from < duration ? def->loop_from : duration,
                                 .loop = def->loop ? 1 : 0};
    memcpy(clip->play.to.position, def->position, sizeof def->position);
    memcpy(clip->play.to.rotation, def->rotation, sizeof def->rotation);
    clip->play.from = clip->play.to;
    clip->start = clip->play;
    clip->start.base_step = 0;
}

slv_result slv_world_add_clip(slv_world *world, const slv_clip_def *def, slv_clip_id *id) {
    slv_result status = slv_begin(world);
    if (status == SLV_OK) {
        status = check_def(world, def);
    }
    if (status != SLV_OK) {
        return status;
    }
    if (world->clip_count == SLV_WORLD_CLIPS) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "a world holds at most %d clips",
                          SLV_WORLD_CLIPS);
    }
    if (!slv_handles_grow(&world->clip_handles)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_memory memory = {.allocator = world->memory.allocator};
    slv_clip *clip = slv_memory_take(&memory, 1, sizeof *clip);
    if (!clip) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    clip->memory = memory;
    status = open_pack(world, def, clip);
    if (status == SLV_OK) {
        clip->scale = def->scale;
        set_play(world, def, clip);
        status = def->solid ? add_surface(world, clip, def) : SLV_OK;
    }
    if (status != SLV_OK) {
        slv_clip_destroy(clip);
        return status;
    }
    slv_clip_ring_forget_waits(clip->ring); // the first frame is always waited for
    clip->slot = slv_handles_add(&world->clip_handles, world->clip_count).slot;
    world->clips[world->clip_count++] = clip;
    if (id) {
        *id = slv_world_get_clip(world, world->clip_count - 1);
    }
    return SLV_OK;
}

// --- Using ------------------------------------------------------------------------------------------

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
    slv_result status;
    slv_clip *clip = find_for(world, id, "time", "seconds", seconds, &status);
    return clip ? rebase(world, clip, seconds) : status;
}

slv_result slv_clip_set_speed(slv_world *world, slv_clip_id id, double speed) {
    slv_result status;
    slv_clip *clip = find_for(world, id, "speed", "speed", speed, &status);
    if (clip) {
        status = rebase(world, clip, slv_clip_time(clip, world->clock.steps, world->time_step));
        clip->play.speed = speed;
    }
    return status;
}

slv_result slv_clip_get_report(slv_world *world, slv_clip_id id, slv_clip_report *report) {
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
                                .has_surface = clip->surface != NULL,
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
