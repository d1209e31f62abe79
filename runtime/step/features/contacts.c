// SPDX-License-Identifier: MIT
// Contacts of particles with colliders and with particles (kernels/contact.h, pairs.h). A world without
// colliders and without garments that collide with garments has neither arrays nor launches of them.
#include "kernels/pairs.h"
#include "runtime/step/feature.h"
#include "runtime/step/neighbor_search.h"

#include <math.h>
#include <string.h>

// Rounds over pairs of particles: before the solver, after each outer iteration, and at the end. The first are
// more, so that bodies that fly into each other are parted before constraints see them.
enum { FIRST_ROUNDS = 6, ROUNDS = 2, LAST_ROUNDS = 2 };

static const double rest_damping_rate = 10.0; // 1/s: how fast slow motion dies away

// --- Layout -----------------------------------------------------------------------------------------

static void reserve_tiles(slv_body_layout *body_layout, const slv_contact_settings *settings,
                          slv_layout_cursor *cursor) {
    size_t tiles = (size_t)body_layout->tiles;
    if (settings->collider_room > 0) {
        body_layout->lists = slv_reserve_table(cursor, tiles * (1 + settings->collider_room));
        body_layout->starts = slv_reserve_state(cursor, slv_count_vector_floats(body_layout));
    }
}

static slv_extent extent_of(int first, size_t count) {
    return (slv_extent){(size_t)first, count};
}

// The block in table, and all it names. Twice the same: first to reserve, then, with a table, to write it.
static void reserve_block(slv_layout *layout, const slv_contact_settings *settings,
                          slv_layout_cursor *cursor) {
    slv_contact_layout *contact = &layout->contact;
    const size_t room = settings->collider_room;
    int block[SLV_CONTACT_INTS] = {0};
    contact->block = slv_reserve_table(cursor, SLV_CONTACT_INTS);
    block[SLV_CONTACT_ROOM] = (int)room;
    block[SLV_CONTACT_KINDS] = slv_reserve_table(cursor, room);
    contact->kinds = extent_of(block[SLV_CONTACT_KINDS], room);
    block[SLV_CONTACT_COLLIDERS] = slv_reserve_state(cursor, room * SLV_COLLIDER_FLOATS);
    contact->records = extent_of(block[SLV_CONTACT_COLLIDERS], room * SLV_COLLIDER_FLOATS);
    block[SLV_CONTACT_BOXES] = slv_reserve_state(cursor, 6 * room);
    contact->fields =
        extent_of(slv_reserve_state(cursor, settings->field_floats), settings->field_floats);
    slv_neighbor_search_reserve(layout, contact->pairs ? (int)settings->list_room : 0, cursor);
    block[SLV_CONTACT_BINS] = layout->neighbors.block;
    if (layout->table) {
        memcpy(layout->table + contact->block, block, sizeof block);
    }
}

// Whether particles of two bodies, or of one body with itself, can collide.
static bool has_pairs(const slv_layout *layout, slv_body *const *bodies) {
    uint32_t with_garments = 0;
    bool with_itself = false;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        with_itself = with_itself || bodies[i]->contact_material.with_itself;
        with_garments += bodies[i]->contact_material.with_garments ? 1 : 0;
    }
    return with_itself || with_garments > 1;
}

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    slv_contact_layout *contact = &layout->contact;
    *contact = (slv_contact_layout){.colliders = layout->body_count > 0 &&
                                                 settings->contact.collider_room > 0,
                                    .pairs = has_pairs(layout, bodies)};
    if (!contact->colliders && !contact->pairs) {
        return;
    }
    for (uint32_t i = 0; i < layout->body_count; i++) {
        reserve_tiles(&layout->bodies[i], &settings->contact, cursor);
    }
    slv_neighbor_search_count(layout, bodies);
    contact->start = *cursor;
    reserve_block(layout, &settings->contact, cursor);
    slv_body_extents *extents = &layout->extents[slv_layout_common_body(layout)];
    extents->state[SLV_ASPECT_COLLIDERS] = contact->records;
    extents->table[SLV_ASPECT_COLLIDERS] = contact->kinds;
    extents->state[SLV_ASPECT_FIELDS] = contact->fields;
}

static bool fits(const slv_layout *layout, slv_body *const *bodies,
                 const slv_layout_settings *settings) {
    const slv_contact_settings *own = &layout->settings.contact;
    (void)bodies;
    return own->collider_room == settings->contact.collider_room &&
           own->list_room == settings->contact.list_room &&
           own->lists_fixed == settings->contact.lists_fixed &&
           own->field_floats == settings->contact.field_floats;
}

// --- Filling ----------------------------------------------------------------------------------------

static void fill_body(slv_body_layout *body_layout, const slv_contact_layout *contact,
                      const slv_contact_material *material) {
    body_layout->contact = contact->block;
    body_layout->collides = contact->colliders && material->with_colliders;
    body_layout->thickness = material->thickness;
    // Pairs of particles move each other between two searches for near colliders.
    body_layout->reach = material->thickness + (contact->pairs ? 0.5f * material->radius : 0.0f);
    body_layout->friction = material->friction;
    body_layout->kinetic = material->kinetic;
    body_layout->restitution = material->restitution;
}

// How cloth that meets something comes to rest.
static void fill_rest(slv_body_layout *body_layout, const slv_body *body, double time_step) {
    body_layout->rest_displacement = (float)((double)body->contact_material.rest_speed * time_step);
    body_layout->rest_damping = (float)(1.0 - 1.0 / (1.0 + rest_damping_rate * time_step));
}

// Static and kinetic friction of pairs are geometric means.
static void fill_pair_material(const slv_layout *layout, uint32_t index,
                               const slv_contact_material *material) {
    int *bins = layout->table + layout->neighbors.block;
    float *floats = layout->state + bins[SLV_BINS_BODY_FLOATS] + index * SLV_BIN_BODY_FLOATS;
    floats[SLV_BIN_BODY_FRICTION] = sqrtf(material->friction);
    floats[SLV_BIN_BODY_KINETIC_FRICTION] = sqrtf(material->kinetic);
    bins[SLV_BINS_HAS_KINETIC] |= material->kinetic != material->friction ? 1 : 0;
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    slv_contact_layout *contact = &layout->contact;
    if (!contact->colliders && !contact->pairs) {
        return true;
    }
    slv_layout_cursor cursor = contact->start;
    reserve_block(layout, &settings->contact, &cursor);
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_contact_material *material = &bodies[i]->contact_material;
        fill_body(&layout->bodies[i], contact, material);
        if (slv_layout_has_contacts(layout, bodies[i])) {
            fill_rest(&layout->bodies[i], bodies[i], settings->time_step);
        }
        if (contact->pairs && slv_body_is_searched(bodies[i])) {
            fill_pair_material(layout, i, material);
        }
        contact->bounces = contact->bounces || material->restitution > 0.0f;
    }
    layout->bodies[slv_layout_common_body(layout)].contact = contact->block;
    layout->bodies[slv_layout_pairs_body(layout)].contact = contact->block;
    return !contact->pairs || slv_neighbor_search_fill(layout, bodies, scratch);
}

// --- The step ---------------------------------------------------------------------------------------

// All tiles of all bodies that collide with colliders.
static void launch_tiles(slv_plan_writer *writer, slv_kernel_id kernel) {
    const slv_layout *layout = writer->layout;
    for (uint32_t i = 0; layout->contact.colliders && i < layout->body_count; i++) {
        if (layout->bodies[i].collides) {
            slv_plan_launch_rows(writer, kernel, i, 0, 0, layout->bodies[i].tiles);
        }
    }
    slv_plan_barrier(writer);
}

// Cloth against cloth and then against colliders, so many times.
static void separate_all(slv_plan_writer *writer, uint32_t rounds) {
    int blocks = writer->layout->neighbors.points / SLV_BLOCK;
    slv_plan_begin_loop(writer, writer->layout->contact.pairs ? rounds : 1);
    if (writer->layout->contact.pairs) {
        slv_neighbor_search_launch_rows(writer, SLV_ID_pair_fetch, blocks);
        slv_neighbor_search_launch_rows(writer, SLV_ID_pair_push, blocks);
    }
    launch_tiles(writer, SLV_ID_contact_collide);
    slv_plan_end_loop(writer);
}

// Everything that comes to rest by itself.
static void damp_rest(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        bool grid = slv_body_is_grid(body_layout);
        if (body_layout->rest_displacement > 0.0f && !body_layout->inert) {
            slv_plan_launch_rows(
                writer, grid ? SLV_ID_rest_damping_split : SLV_ID_rest_damping_joined, i, 0, 0,
                grid ? body_layout->rows * body_layout->layers : body_layout->slots / SLV_BLOCK);
        }
    }
    slv_plan_barrier(writer);
}

static void move_colliders(slv_plan_writer *writer) {
    if (writer->layout->contact.colliders) {
        slv_plan_launch_rows(writer, SLV_ID_collider_move, slv_layout_common_body(writer->layout),
                             0, 0, (int)writer->layout->settings.contact.collider_room);
        slv_plan_barrier(writer);
    }
}

// Velocities are remembered before the first launch that may find a divergence, and once more for bodies that
// the neighbor search wakes. Colliders near those are looked up after that.
static void begin(slv_plan_writer *writer) {
    const slv_contact_layout *contact = &writer->layout->contact;
    damp_rest(writer);
    if (contact->bounces) {
        launch_tiles(writer, SLV_ID_contact_save_starts);
    }
    if (contact->pairs) {
        slv_neighbor_search_launch(writer);
    }
    if (contact->bounces && slv_layout_sleeps(writer->layout)) {
        launch_tiles(writer, SLV_ID_contact_save_starts);
    }
    launch_tiles(writer, SLV_ID_contact_cull);
    separate_all(writer, FIRST_ROUNDS);
    if (contact->pairs) {
        slv_neighbor_search_launch_rows(writer, SLV_ID_pair_rest_damping,
                                        writer->layout->neighbors.points / SLV_BLOCK);
    }
}

static void pass(slv_plan_writer *writer) {
    separate_all(writer, ROUNDS);
}

// Constraints may have moved a particle to a collider that was not near it, so near colliders are looked up
// again. The last passes move particles whatever their springs say; strain is limited in between.
static void end(slv_plan_writer *writer) {
    const slv_contact_layout *contact = &writer->layout->contact;
    if (!contact->colliders && !contact->pairs) {
        return;
    }
    launch_tiles(writer, SLV_ID_contact_cull);
    slv_plan_begin_loop(writer, contact->pairs ? LAST_ROUNDS : 1);
    slv_features_launch(writer, SLV_POINT_LAST_PASS);
    writer->flags = SLV_LAST_PASS;
    separate_all(writer, 1);
    writer->flags = 0;
    slv_plan_end_loop(writer);
    if (contact->bounces) {
        launch_tiles(writer, SLV_ID_contact_restitution);
    }
}

static void rollback(slv_plan_writer *writer) {
    if (writer->layout->contact.bounces) {
        launch_tiles(writer, SLV_ID_contact_restore_starts);
    }
}

// Records of colliders are the world's, which saves and restores them.
const slv_feature slv_feature_contacts = {
    .name = "contacts",
    .read_aspects = 1u << SLV_ASPECT_COLLIDERS,
    .reserve = reserve,
    .fill = fill,
    .fits = fits,
    .launch = {[SLV_POINT_WAKE] = move_colliders,
               [SLV_POINT_SOLVE_BEGIN] = begin,
               [SLV_POINT_ITERATION_END] = pass,
               [SLV_POINT_SOLVE_END] = end,
               [SLV_POINT_ROLLBACK] = rollback},
};
