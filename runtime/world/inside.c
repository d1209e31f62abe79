// SPDX-License-Identifier: MIT
// Which particles are inside colliders and characters.
#include "runtime/base/float_modes.h"
#include "runtime/step/features/contacts.h"
#include "runtime/world/begin.h"
#include "runtime/world/clip.h"
#include "runtime/world/fetch.h"
#include "runtime/world/origin.h"
#include "runtime/world/solid.h"

#include <string.h>

// Metres: rounding of a particle at rest on a surface, where `thickness` is 0.
static const float rounding = 1e-4f;
// Of the coverage of a character: its particles say where its skin is no better.
static const double skin_margin = 0.15;

// What a particle of a garment is deepest in.
typedef struct inside_particle {
    float position[3];
    float depth;   // metres; 0: in nothing
    uint32_t into; // the number of a collider, or of a character after all colliders
} inside_particle;

typedef struct inside_search {
    slv_world *world;
    uint32_t solid_count;
    slv_memory memory; // of the points of characters
    slv_solid solids[SLV_WORLD_CLIPS];
    slv_clip_id clips[SLV_WORLD_CLIPS];
    slv_inside_report *report;
} inside_search;

// --- Characters -------------------------------------------------------------------------------------

static slv_result add_solid(inside_search *search, uint32_t index) {
    slv_world *world = search->world;
    const slv_clip *clip = world->clips[index];
    slv_particle_view view;
    slv_result status = slv_garment_get_positions(world, slv_body_id(world, clip->surface), &view);
    if (status != SLV_OK) {
        return status;
    }
    float *points = slv_memory_take(&search->memory, 3 * (size_t)view.count, sizeof *points);
    if (!points) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    for (uint32_t p = 0; p < view.count; p++) {
        slv_particle_view_get(&view, p, points + 3 * (size_t)p);
    }
    if (!slv_solid_make(&search->solids[search->solid_count], points, view.count,
                        clip->frames.info.coverage * clip->scale, world->memory.allocator)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    search->clips[search->solid_count++] = slv_world_get_clip(world, index);
    return SLV_OK;
}

// --- One garment ------------------------------------------------------------------------------------

// The particles of a garment that can move, and the box around them.
typedef struct inside_garment {
    inside_particle *particles;
    uint32_t *numbers; // own
    uint32_t count;
    float low[3], high[3];
} inside_garment;

static slv_result load_garment(inside_search *search, const slv_body *body, slv_memory *memory,
                               inside_garment *garment) {
    slv_world *world = search->world;
    slv_particle_view view;
    slv_result status = slv_garment_get_positions(world, slv_body_id(world, body), &view);
    if (status != SLV_OK) {
        return status;
    }
    inside_particle *particles = slv_memory_take(memory, view.count, sizeof *particles);
    uint32_t *numbers = slv_memory_take(memory, view.count, sizeof *numbers);
    if (!particles || !numbers) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    *garment = (inside_garment){.particles = particles,
                                .numbers = numbers,
                                .low = {SLV_FAR, SLV_FAR, SLV_FAR},
                                .high = {-SLV_FAR, -SLV_FAR, -SLV_FAR}};
    for (uint32_t p = 0; p < view.count; p++) {
        if (body->fixed[p]) {
            continue;
        }
        float *position = particles[garment->count].position;
        slv_particle_view_get(&view, p, position);
        for (int d = 0; d < 3; d++) {
            garment->low[d] = slv_min(garment->low[d], position[d]);
            garment->high[d] = slv_max(garment->high[d], position[d]);
        }
        numbers[garment->count++] = p;
    }
    return SLV_OK;
}

// Whether the box around a garment is clear of the ball around a collider.
static bool is_clear(const inside_garment *garment, const slv_collider_entry *entry,
                     const slv_frame *frame) {
    const float *center = entry->record + SLV_COLLIDER_CENTER;
    const float *extent = entry->record + SLV_COLLIDER_EXTENT;
    const slv_vector middle = slv_to_world(frame, slv_make_vector(center[0], center[1], center[2]));
    const float at[3] = {middle.x, middle.y, middle.z};
    const float radius = slv_length(slv_make_vector(extent[0], extent[1], extent[2]));
    bool clear = false;
    for (int d = 0; d < 3 && entry->kind != SLV_SHAPE_PLANE; d++) {
        clear = clear || at[d] + radius < garment->low[d] || at[d] - radius > garment->high[d];
    }
    return clear;
}

static void search_collider(const slv_world *world, uint32_t number, inside_garment *garment) {
    const slv_collider_entry *entry = &world->colliders.entries[number];
    slv_collider collider = slv_load_collider(entry->record, 0);
    const slv_frame frame = slv_frame_from_pose(entry->record + SLV_COLLIDER_POSE);
    collider.field.samples = (int)entry->first_sample;
    if (entry->kind == SLV_SHAPE_NONE || is_clear(garment, entry, &frame)) {
        return;
    }
    for (uint32_t n = 0; n < garment->count; n++) {
        inside_particle *particle = &garment->particles[n];
        const float *at = particle->position;
        const slv_gap gap = slv_collider_gap(world->colliders.samples, &collider, &frame,
                                             entry->kind, slv_make_vector(at[0], at[1], at[2]));
        if (gap.distance < -rounding && 0.0f - gap.distance > particle->depth) {
            particle->depth = 0.0f - gap.distance;
            particle->into = number;
        }
    }
}

static void search_solid(inside_search *search, uint32_t number, inside_garment *garment) {
    slv_solid *solid = &search->solids[number];
    const double margin = skin_margin * (double)solid->reach;
    for (uint32_t n = 0; n < garment->count; n++) {
        inside_particle *particle = &garment->particles[n];
        slv_solid_exit exit;
        if (slv_solid_find_exit(solid, particle->position, margin, &exit) &&
            exit.depth > (double)particle->depth) {
            particle->depth = (float)exit.depth;
            particle->into = search->world->colliders.count + number;
        }
    }
}

// The id of a collider by its index in the list, which has gaps.
static slv_collider_id collider_at(const slv_world *world, uint32_t index) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < index; i++) {
        number += world->colliders.entries[i].kind != SLV_SHAPE_NONE ? 1 : 0;
    }
    return slv_world_get_collider(world, number);
}

static void note_garment(inside_search *search, slv_garment_id id, const inside_garment *garment) {
    slv_inside_report *report = search->report;
    const slv_world *world = search->world;
    const inside_particle *deepest = NULL;
    for (uint32_t n = 0; n < garment->count; n++) {
        const inside_particle *particle = &garment->particles[n];
        report->particle_count += particle->depth > 0.0f ? 1 : 0;
        if ((double)particle->depth > report->depth) {
            report->depth = (double)particle->depth;
            report->particle = garment->numbers[n];
            deepest = particle;
        }
    }
    if (deepest) {
        const bool collider = deepest->into < world->colliders.count;
        report->garment = id;
        report->collider = collider ? collider_at(world, deepest->into) : (slv_collider_id){0};
        report->clip =
            collider ? (slv_clip_id){0} : search->clips[deepest->into - world->colliders.count];
        slv_origin_make_global(world, deepest->position, report->position);
    }
}

static slv_result search_garment(inside_search *search, const slv_body *body) {
    const slv_contact_material *material = slv_contacts_get_material(body);
    slv_memory memory = {.allocator = search->world->memory.allocator};
    inside_garment garment = {0};
    slv_result status = load_garment(search, body, &memory, &garment);
    for (uint32_t i = 0;
         status == SLV_OK && material->with_colliders && i < search->world->colliders.count; i++) {
        search_collider(search->world, i, &garment);
    }
    for (uint32_t i = 0; status == SLV_OK && material->with_garments && i < search->solid_count;
         i++) {
        search_solid(search, i, &garment);
    }
    if (status == SLV_OK) {
        note_garment(search, slv_body_id(search->world, body), &garment);
    }
    slv_memory_release(&memory);
    return status;
}

// --- All of them ------------------------------------------------------------------------------------

slv_result slv_world_find_inside(slv_world *world, slv_inside_report *report) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin_with(world, report, "report");
    if (status == SLV_OK) {
        status = slv_world_fetch_colliders(world);
    }
    if (status != SLV_OK) {
        return status;
    }
    *report = (slv_inside_report){.depth = 0.0};
    inside_search search = {
        .world = world, .report = report, .memory = {.allocator = world->memory.allocator}};
    for (uint32_t i = 0; status == SLV_OK && i < world->clip_count; i++) {
        if (world->clips[i]->surface) {
            status = add_solid(&search, i);
        }
    }
    for (uint32_t i = 0; status == SLV_OK && i < world->body_count; i++) {
        if (!((const slv_garment_entry *)world->bodies[i])->is_surface) {
            status = search_garment(&search, world->bodies[i]);
        }
    }
    for (uint32_t i = 0; i < search.solid_count; i++) {
        slv_solid_free(&search.solids[i]);
    }
    slv_memory_release(&search.memory);
    return status;
}
