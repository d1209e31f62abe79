// SPDX-License-Identifier: MIT
#include "runtime/world/clip_link.h"

#include "runtime/base/float_modes.h"
#include "runtime/layout/layout_build.h"
#include "runtime/step/features/sleep.h"
#include "runtime/world/clip.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/sleeping.h"
#include "runtime/world/status.h"

#include <string.h>

enum { FIXED_NOW = 1, FIXED_AT_START = 2 };

// --- Attaching --------------------------------------------------------------------------------------

static bool take_link(slv_clip_link *link, slv_allocator allocator) {
    link->memory = (slv_memory){.allocator = allocator};
    link->points = slv_memory_take(&link->memory, link->count, sizeof *link->points);
    link->particles = slv_memory_take(&link->memory, link->count, sizeof *link->particles);
    link->was_fixed = slv_memory_take(&link->memory, link->count, sizeof *link->was_fixed);
    return link->points && link->particles && link->was_fixed;
}

slv_result slv_clip_link_surface(slv_world *world, slv_clip *clip) {
    slv_clip_link link = {.motion = SLV_MOTION_PARTICLES,
                          .count = clip->frames.info.particle_count};
    if (!take_link(&link, world->memory.allocator)) {
        slv_memory_release(&link.memory);
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < link.count; i++) {
        link.points[i] = link.particles[i] = i;
        link.was_fixed[i] = FIXED_NOW | FIXED_AT_START;
    }
    clip->links[clip->link_count++] = link;
    return SLV_OK;
}

static bool find_set(const slv_collider_pack *frames, const char *name, slv_named_set *set,
                     uint32_t *first) {
    for (uint32_t i = 0; i < frames->attachments.count; i++) {
        *set = slv_named_sets_get(&frames->attachments, i);
        *first = frames->attachments.sets[i].first;
        if (set->name_length == strlen(name) && !memcmp(set->name, name, set->name_length)) {
            return true;
        }
    }
    return false;
}

// Makes room for moves, so that steps need none, and fixes the particles.
static slv_result hold_particles(slv_world *world, const slv_clip_link *link) {
    slv_body *body = link->body;
    if (!slv_body_grow_moves(body, body->count - body->move_count)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    const slv_parameters parameters = world->parameters;
    slv_result status = slv_world_rebuild_layout(world, world->body_count, &parameters);
    if (status == SLV_OK) {
        status = slv_garment_set_fixed(world, slv_body_id(world, body), link->particles,
                                       link->count, true);
    }
    return status;
}

static slv_result fill_link(slv_world *world, slv_clip_link *link, const char *name,
                            const slv_named_set *set, uint32_t first) {
    const slv_body *body = link->body;
    for (uint32_t i = 0; i < link->count; i++) {
        const uint32_t particle = set->particles[i];
        if (particle >= body->count) {
            return slv_refuse(world, SLV_ERROR_ARGUMENT,
                              "attachment '%s' holds particle %u, the garment has %u", name,
                              particle, body->count);
        }
        link->points[i] = first + i;
        link->particles[i] = particle;
        link->was_fixed[i] = (uint8_t)((body->fixed[particle] ? FIXED_NOW : 0) |
                                       (body->start_fixed[particle] ? FIXED_AT_START : 0));
    }
    return hold_particles(world, link);
}

slv_result slv_clip_attach(slv_world *world, slv_clip_id id, const char *name,
                           slv_garment_id garment) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status;
    slv_clip *clip = slv_find_clip(world, id, &status);
    if (!clip) {
        return status;
    }
    slv_body *body = slv_find_body(world, garment);
    slv_named_set set;
    uint32_t first = 0;
    if (!body) {
        return SLV_ERROR_ARGUMENT;
    }
    if (!name || !find_set(&clip->frames, name, &set, &first)) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "the clip has no attachment called '%s'",
                          name ? name : "");
    }
    if (clip->link_count == SLV_CLIP_LINKS) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "a clip carries at most %d attachments",
                          SLV_CLIP_LINKS);
    }
    slv_clip_link link = {.body = body, .motion = SLV_MOTION_ATTACHMENTS, .count = set.count};
    status = take_link(&link, world->memory.allocator)
                 ? fill_link(world, &link, name, &set, first)
                 : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    if (status != SLV_OK) {
        slv_memory_release(&link.memory);
        return status;
    }
    for (uint32_t i = 0; i < link.count; i++) {
        body->start_fixed[link.particles[i]] = 1; // a reset finds it so
    }
    clip->links[clip->link_count++] = link;
    clip->play.moved = 0;
    clip->start.moved = 0;
    return SLV_OK;
}

// --- Letting go -------------------------------------------------------------------------------------

void slv_clips_forget_body(slv_world *world, const slv_body *body) {
    for (uint32_t c = 0; c < world->clip_count; c++) {
        slv_clip *clip = world->clips[c];
        uint32_t kept = 0;
        for (uint32_t l = 0; l < clip->link_count; l++) {
            if (clip->links[l].body == body) {
                slv_memory_release(&clip->links[l].memory);
            } else {
                clip->links[kept++] = clip->links[l];
            }
        }
        clip->link_count = kept;
        clip->surface = clip->surface == body ? NULL : clip->surface;
    }
}

// Particles become as they were before the clip carried them; those that a caller has freed stay free.
static void release_link(const slv_clip_link *link) {
    slv_body *body = link->body;
    for (uint32_t i = 0; i < link->count; i++) {
        const uint32_t particle = link->particles[i];
        body->fixed[particle] = body->fixed[particle] && link->was_fixed[i] & FIXED_NOW ? 1 : 0;
        body->start_fixed[particle] = link->was_fixed[i] & FIXED_AT_START ? 1 : 0;
        if (body->move_of[particle] > 0) {
            slv_move *move = &body->moves[body->move_of[particle] - 1];
            move->done = move->total;
        }
    }
}

// Another clip's attachment may name the same particles: it keeps them.
static void hold_again(const slv_world *world, const slv_clip *released, const slv_body *body) {
    for (uint32_t c = 0; c < world->clip_count; c++) {
        const slv_clip *clip = world->clips[c];
        for (uint32_t l = 0; clip != released && l < clip->link_count; l++) {
            const slv_clip_link *link = &clip->links[l];
            for (uint32_t i = 0; link->body == body && i < link->count; i++) {
                const uint32_t particle = link->particles[i];
                link->was_fixed[i] = body->fixed[particle] ? link->was_fixed[i] : 0;
                body->fixed[particle] = body->start_fixed[particle] = 1;
            }
        }
    }
}

slv_result slv_clip_release(slv_world *world, slv_clip *clip) {
    slv_result status = SLV_OK;
    for (uint32_t l = 0; l < clip->link_count; l++) {
        release_link(&clip->links[l]);
    }
    for (uint32_t l = 0; l < clip->link_count; l++) {
        slv_body *body = clip->links[l].body;
        hold_again(world, clip, body);
        slv_body_forget_moves(body);
        slv_layout_set_response(&world->layout, slv_body_index(body), body, world->time_step);
        const slv_result woken = slv_sleep_wake(world, slv_body_index(body));
        status = status == SLV_OK ? woken : status;
    }
    return status;
}
