// SPDX-License-Identifier: MIT
#include "runtime/base/float_modes.h"
#include "runtime/step/features/contacts.h"
#include "runtime/world/fetch.h"
#include "runtime/world/status.h"
// What a garment touches as it lies: the step itself keeps no list of that, so it is found anew, by the
// same distances that the step goes by.

#include <math.h>

// A particle at rest on something is a rounding away from it, or the little that the last pass moved it.
static const float slack_factor = 1.05f;
static const float slack = 1e-4f; // metres

typedef struct contact_point_list {
    slv_contact_point *points;
    uint32_t room, count;
} contact_point_list;

static void add_contact_point(contact_point_list *list, uint32_t particle, slv_vector position,
                              slv_vector normal) {
    if (list->points && list->count < list->room) {
        list->points[list->count] =
            (slv_contact_point){.particle = particle,
                                .position = {position.x, position.y, position.z},
                                .normal = {normal.x, normal.y, normal.z}};
    }
    list->count++;
}

static slv_vector position_of(const slv_particle_view *view, uint32_t particle) {
    float position[3];
    slv_particle_view_get(view, particle, position);
    return slv_make_vector(position[0], position[1], position[2]);
}

// --- Colliders --------------------------------------------------------------------------------------

static void touch_collider(const slv_world *world, const slv_collider_entry *entry, float thickness,
                           const slv_particle_view *view, contact_point_list *list) {
    slv_collider collider = slv_load_collider(entry->record, 0);
    const slv_frame frame = slv_frame_from_pose(entry->record + SLV_COLLIDER_POSE);
    const float *samples = world->colliders.samples;
    collider.field.samples = (int)entry->first_sample;
    for (uint32_t p = 0; p < view->count; p++) {
        const slv_vector q = position_of(view, p);
        const slv_gap gap = slv_collider_gap(samples, &collider, &frame, entry->kind, q);
        if (gap.distance < slack_factor * thickness + slack) {
            add_contact_point(list, p, slv_add_scaled(q, 0.0f - gap.distance, gap.normal),
                              gap.normal);
        }
    }
}

// --- Other garments ---------------------------------------------------------------------------------

// Particles of a garment by the cell they are in; a number of a cell is one more than a particle's.
typedef struct cells {
    float size; // metres
    uint32_t mask;
    uint32_t *first; // [mask + 1]
    uint32_t *next;  // [particles]
} cells;

static uint32_t cell_of(const cells *c, slv_vector position, int dx, int dy, int dz) {
    const int32_t x = (int32_t)floorf(position.x / c->size) + dx;
    const int32_t y = (int32_t)floorf(position.y / c->size) + dy;
    const int32_t z = (int32_t)floorf(position.z / c->size) + dz;
    return ((uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u) & c->mask;
}

static bool sort_into_cells(cells *c, const slv_particle_view *view, slv_memory *scratch) {
    c->mask = 63;
    while (c->mask < view->count && c->mask < UINT32_MAX / 2) {
        c->mask = 2 * c->mask + 1;
    }
    c->first = slv_memory_take(scratch, (size_t)c->mask + 1, sizeof *c->first);
    c->next = slv_memory_take(scratch, view->count, sizeof *c->next);
    for (uint32_t p = 0; c->first && c->next && p < view->count; p++) {
        uint32_t *first = &c->first[cell_of(c, position_of(view, p), 0, 0, 0)];
        c->next[p] = *first;
        *first = p + 1;
    }
    return c->first && c->next;
}

// The nearest particle of the other garment, where one is within reach.
static void touch_nearest(const cells *c, const slv_particle_view *other, float radius,
                          uint32_t particle, slv_vector q, contact_point_list *list) {
    float best = c->size;
    slv_vector out = slv_make_vector(0.0f, 1.0f, 0.0f);
    for (int n = 0; n < 27; n++) {
        uint32_t at = c->first[cell_of(c, q, n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1)];
        for (; at > 0; at = c->next[at - 1]) {
            const slv_vector difference = slv_subtract(q, position_of(other, at - 1));
            const float away = slv_length(difference);
            if (away < best && away > 0.0f) {
                best = away;
                out =
                    slv_make_vector(difference.x / away, difference.y / away, difference.z / away);
            }
        }
    }
    if (best < c->size) {
        add_contact_point(list, particle, slv_add_scaled(q, radius - best, out), out);
    }
}

static slv_result touch_garment(slv_world *world, uint32_t other, float radius,
                                const slv_particle_view *view, contact_point_list *list) {
    slv_memory scratch = {.allocator = world->memory.allocator};
    const float other_radius = slv_contacts_get_material(world->bodies[other])->radius;
    cells c = {.size = slack_factor * (radius + other_radius) + slack};
    slv_particle_view there;
    slv_result status =
        slv_garment_get_positions(world, slv_world_get_garment(world, other), &there);
    if (status == SLV_OK && !sort_into_cells(&c, &there, &scratch)) {
        status = slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    for (uint32_t p = 0; status == SLV_OK && p < view->count; p++) {
        touch_nearest(&c, &there, other_radius, p, position_of(view, p), list);
    }
    slv_memory_release(&scratch);
    return status;
}

// --- All of them ------------------------------------------------------------------------------------

slv_result slv_garment_get_contact_points(slv_world *world, slv_garment_id id,
                                          slv_contact_point *points, uint32_t room,
                                          uint32_t *count) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_particle_view view;
    if (!world || !count || (!points && room > 0)) {
        return world ? slv_refuse(world, SLV_ERROR_ARGUMENT, "points, count: must not be NULL")
                     : SLV_ERROR_ARGUMENT;
    }
    slv_result status = slv_garment_get_positions(world, id, &view);
    if (status == SLV_OK) {
        status = slv_world_fetch_colliders(world);
    }
    if (status != SLV_OK) {
        return status;
    }
    const slv_body *body = slv_find_body(world, id);
    const slv_contact_material *material = slv_contacts_get_material(body);
    contact_point_list list = {.points = points, .room = room};
    for (uint32_t i = 0; material->with_colliders && i < world->colliders.count; i++) {
        const slv_collider_entry *entry = &world->colliders.entries[i];
        if (entry->kind != SLV_SHAPE_NONE) {
            touch_collider(world, entry, material->thickness, &view, &list);
        }
    }
    for (uint32_t i = 0; material->with_garments && i < world->body_count; i++) {
        if (status == SLV_OK && world->bodies[i] != body &&
            slv_contacts_get_material(world->bodies[i])->with_garments) {
            status = touch_garment(world, i, material->radius, &view, &list);
        }
    }
    *count = list.count;
    return status;
}
