// SPDX-License-Identifier: MIT
// Contacts of particles with colliders and with particles (kernels/contact.h, pairs.h). A world without
// colliders and without garments that collide with garments has neither arrays nor launches of them.
#include "runtime/step/features/contacts.h"

#include "kernels/pairs.h"
#include "runtime/step/feature.h"
#include "runtime/step/features/tearing.h"
#include "runtime/step/neighbor_search.h"
#include "runtime/step/surface_mesh.h"

#include <math.h>
#include <string.h>

// Rounds over pairs of particles: before the solver, after each outer iteration, and at the end. The first are
// more, so that bodies that fly into each other are parted before constraints see them.
enum { FIRST_ROUNDS = 6, ROUNDS = 2, LAST_ROUNDS = 2 };

static const double rest_damping_rate = 10.0; // 1/s: how fast slow motion dies away

extern const slv_feature slv_feature_contacts;

// --- Body -------------------------------------------------------------------------------------------

const slv_contact_material *slv_contacts_get_material(const slv_body *body) {
    return slv_feature_get_body_data(&slv_feature_contacts, body);
}

bool slv_contacts_include_surfaces(const slv_body *body) {
    const slv_contact_material *material = slv_contacts_get_material(body);
    return material->has_surface && (material->with_itself || material->with_garments);
}

bool slv_contacts_include_particles(const slv_body *body) {
    const slv_contact_material *material = slv_contacts_get_material(body);
    return (material->with_itself || material->with_garments) &&
           !slv_contacts_include_surfaces(body);
}

// Without a collision radius particles touch each other where the cloth is at rest.
static slv_result define(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                         slv_memory *scratch, slv_error *error) {
    slv_contact_material *material = slv_feature_get_body_data(&slv_feature_contacts, body);
    (void)garment;
    (void)scratch;
    (void)error;
    *material = (slv_contact_material){
        .thickness = def->thickness,
        .push_out_speed = def->push_out_speed,
        .radius = def->collision_radius > 0.0f ? def->collision_radius : 0.5f * body->spacing,
        .friction = def->friction,
        .kinetic = def->kinetic_friction < 0.0f ? def->friction : def->kinetic_friction,
        .restitution = def->restitution,
        .rest_speed = def->rest_speed,
        .with_colliders = def->collides,
        .with_itself = def->self_collision,
        .with_garments = def->garment_collision,
        // Triangles are not torn: garments that can tear keep contacts between particles.
        .has_surface = def->contact == SLV_CONTACT_SURFACES && !slv_tearing_is_possible(body) &&
                       slv_surface_mesh_exists(body),
    };
    return SLV_OK;
}

// --- Layout -----------------------------------------------------------------------------------------

slv_contact_layout *slv_contacts_get_layout(const slv_layout *layout) {
    return slv_feature_get_layout_data(&slv_feature_contacts, layout);
}

bool slv_contacts_exist(const slv_layout *layout) {
    const slv_contact_layout *contact = slv_contacts_get_layout(layout);
    return contact->colliders || contact->pairs || contact->surfaces;
}

bool slv_contacts_concern(const slv_layout *layout, const slv_body *body) {
    const slv_contact_layout *contact = slv_contacts_get_layout(layout);
    return (contact->colliders && slv_contacts_get_material(body)->with_colliders) ||
           (contact->pairs && slv_contacts_include_particles(body)) ||
           slv_contacts_include_surfaces(body);
}

// Colliders that the list of a tile holds.
static size_t get_list_room(const slv_contact_settings *settings) {
    return settings->collider_room < SLV_NEAR_COLLIDERS ? settings->collider_room
                                                        : SLV_NEAR_COLLIDERS;
}

static void reserve_tiles(slv_body_layout *body_layout, const slv_contact_settings *settings,
                          slv_layout_cursor *cursor) {
    size_t tiles = (size_t)body_layout->tiles;
    if (settings->collider_room > 0) {
        body_layout->lists = slv_reserve_table(cursor, tiles * (1 + get_list_room(settings)));
        body_layout->starts = slv_reserve_state(cursor, slv_count_vector_floats(body_layout));
    }
}

// Particles are balls. Those of one body that overlap at rest are kept apart by the body itself.
static void request_neighbors(const slv_body *body, slv_neighbor_request *request) {
    const slv_contact_material *material = slv_contacts_get_material(body);
    if (!slv_contacts_include_surfaces(body)) {
        request->reach = material->radius;
        request->own = material->with_itself ? SLV_OWN_PAIRS_APART : SLV_OWN_PAIRS_NONE;
        request->with_others = material->with_garments;
    }
}

static slv_extent extent_of(int first, size_t count) {
    return (slv_extent){(size_t)first, count};
}

// What contacts between particles have beside their lists.
static void reserve_pairs(slv_layout *layout, int *block, slv_layout_cursor *cursor) {
    slv_contact_layout *contact = slv_contacts_get_layout(layout);
    const slv_neighbor_layout *neighbors = layout->neighbors;
    const uint32_t request = slv_feature_get_number(&slv_feature_contacts);
    const size_t points = (size_t)neighbors->points;
    contact->gap_count = points * neighbors->requests[request].capacity;
    block[SLV_CONTACT_PAIR_LISTS] = neighbors->requests[request].lists;
    block[SLV_CONTACT_PAIR_GAPS] = slv_reserve_state(cursor, contact->gap_count);
    block[SLV_CONTACT_PREDICTED] = slv_reserve_state(cursor, 4 * points);
    block[SLV_CONTACT_PAIR_FRICTIONS] =
        slv_reserve_state(cursor, (size_t)layout->body_count * SLV_PAIR_FRICTION_FLOATS);
}

// The block in table, and all it names. Twice the same: first to reserve, then, with a table, to write it.
static void reserve_block(slv_layout *layout, slv_layout_cursor *cursor) {
    slv_contact_layout *contact = slv_contacts_get_layout(layout);
    const size_t room = contact->settings.collider_room;
    const size_t samples = contact->settings.field_floats;
    int block[SLV_CONTACT_INTS] = {0};
    contact->block = slv_reserve_table(cursor, SLV_CONTACT_INTS);
    block[SLV_CONTACT_ROOM] = (int)room;
    block[SLV_CONTACT_LIST_ROOM] = (int)get_list_room(&contact->settings);
    block[SLV_CONTACT_ALL] = slv_reserve_table(cursor, room);
    block[SLV_CONTACT_KINDS] = slv_reserve_table(cursor, room);
    contact->kinds = extent_of(block[SLV_CONTACT_KINDS], room);
    block[SLV_CONTACT_COLLIDERS] = slv_reserve_state(cursor, room * SLV_COLLIDER_FLOATS);
    contact->records = extent_of(block[SLV_CONTACT_COLLIDERS], room * SLV_COLLIDER_FLOATS);
    block[SLV_CONTACT_BOXES] = slv_reserve_state(cursor, 6 * room);
    contact->fields = extent_of(slv_reserve_state(cursor, samples), samples);
    if (contact->pairs) {
        reserve_pairs(layout, block, cursor);
    }
    if (layout->table) {
        memcpy(layout->table + contact->block, block, sizeof block);
        for (size_t i = 0; i < room; i++) {
            layout->table[(size_t)block[SLV_CONTACT_ALL] + i] = (int)i;
        }
    }
}

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    slv_contact_layout *contact = slv_contacts_get_layout(layout);
    const uint32_t request = slv_feature_get_number(&slv_feature_contacts);
    contact->settings = settings->step->contact;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        contact->surfaces = contact->surfaces || slv_contacts_include_surfaces(bodies[i]);
    }
    contact->colliders = layout->body_count > 0 && contact->settings.collider_room > 0;
    contact->pairs = layout->neighbors->requests[request].capacity > 0;
    if (!slv_contacts_exist(layout)) {
        return;
    }
    for (uint32_t i = 0; i < layout->body_count; i++) {
        reserve_tiles(&layout->bodies[i], &contact->settings, cursor);
    }
    contact->start = *cursor;
    reserve_block(layout, cursor);
    slv_body_extents *extents = &layout->extents[slv_layout_common_body(layout)];
    extents->state[SLV_ASPECT_contacts] = contact->records;
    extents->table[SLV_ASPECT_contacts] = contact->kinds;
    extents->state[SLV_ASPECT_fields] = contact->fields;
}

static bool fits(const slv_layout *layout, slv_body *const *bodies,
                 const slv_layout_settings *settings) {
    const slv_contact_settings *own = &slv_contacts_get_layout(layout)->settings;
    const slv_contact_settings *next = &settings->step->contact;
    (void)bodies;
    return own->collider_room == next->collider_room && own->field_floats == next->field_floats;
}

// --- Filling ----------------------------------------------------------------------------------------

static void fill_body(slv_body_layout *body_layout, const slv_contact_layout *contact,
                      const slv_contact_material *material, double time_step) {
    body_layout->contact = contact->block;
    body_layout->collides = contact->colliders && material->with_colliders;
    body_layout->thickness = material->thickness;
    body_layout->push_step = (float)((double)material->push_out_speed * time_step);
    // Pairs of particles move each other between two searches for near colliders.
    body_layout->reach = material->thickness + (contact->pairs ? 0.5f * material->radius : 0.0f);
    body_layout->friction = material->friction;
    body_layout->kinetic = material->kinetic;
    body_layout->restitution = material->restitution;
}

// How cloth that meets something comes to rest.
static void fill_rest(slv_body_layout *body_layout, const slv_body *body, double time_step) {
    body_layout->rest_displacement =
        (float)((double)slv_contacts_get_material(body)->rest_speed * time_step);
    body_layout->rest_damping = (float)(1.0 - 1.0 / (1.0 + rest_damping_rate * time_step));
}

// Static and kinetic friction of pairs are geometric means.
static void fill_pair_material(const slv_layout *layout, uint32_t index,
                               const slv_contact_material *material) {
    int *block = layout->table + slv_contacts_get_layout(layout)->block;
    float *frictions =
        layout->state + block[SLV_CONTACT_PAIR_FRICTIONS] + index * SLV_PAIR_FRICTION_FLOATS;
    frictions[SLV_PAIR_FRICTION] = sqrtf(material->friction);
    frictions[SLV_PAIR_KINETIC_FRICTION] = sqrtf(material->kinetic);
    block[SLV_CONTACT_HAS_KINETIC] |= material->kinetic != material->friction ? 1 : 0;
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    (void)scratch;
    slv_contact_layout *contact = slv_contacts_get_layout(layout);
    if (!slv_contacts_exist(layout)) {
        return true;
    }
    slv_layout_cursor cursor = contact->start;
    reserve_block(layout, &cursor);
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_contact_material *material = slv_contacts_get_material(bodies[i]);
        fill_body(&layout->bodies[i], contact, material, settings->time_step);
        if (slv_contacts_concern(layout, bodies[i])) {
            fill_rest(&layout->bodies[i], bodies[i], settings->time_step);
        }
        if (contact->pairs && slv_contacts_include_particles(bodies[i])) {
            fill_pair_material(layout, i, material);
        }
        contact->bounces = contact->bounces || material->restitution > 0.0f;
    }
    layout->bodies[slv_layout_common_body(layout)].contact = contact->block;
    layout->bodies[slv_layout_search_body(layout)].contact = contact->block;
    return true;
}

// --- The step ---------------------------------------------------------------------------------------

// All tiles of all bodies that collide with colliders.
static void launch_tiles(slv_plan_writer *writer, slv_kernel_id kernel) {
    const slv_layout *layout = writer->layout;
    const bool any = slv_contacts_get_layout(layout)->colliders;
    for (uint32_t i = 0; any && i < layout->body_count; i++) {
        if (layout->bodies[i].collides) {
            slv_plan_launch_rows(writer, kernel, i, 0, 0, layout->bodies[i].tiles);
        }
    }
    slv_plan_barrier(writer);
}

// Cloth against cloth and then against colliders, so many times.
static void separate_all(slv_plan_writer *writer, uint32_t rounds) {
    const bool pairs = slv_contacts_get_layout(writer->layout)->pairs;
    slv_plan_begin_loop(writer, pairs ? rounds : 1);
    if (pairs) {
        slv_neighbor_search_launch_blocks(writer, SLV_ID_pair_fetch);
        slv_neighbor_search_launch_blocks(writer, SLV_ID_pair_push);
    }
    launch_tiles(writer, SLV_ID_contact_collide);
    slv_plan_end_loop(writer);
}

void slv_contacts_push_out(slv_plan_writer *writer) {
    const int flags = writer->flags;
    writer->flags |= SLV_LAST_PASS;
    launch_tiles(writer, SLV_ID_contact_collide);
    writer->flags = flags;
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
    const slv_contact_layout *contact = slv_contacts_get_layout(writer->layout);
    if (contact->colliders) {
        slv_plan_launch_rows(writer, SLV_ID_collider_move, slv_layout_common_body(writer->layout),
                             0, 0, (int)contact->settings.collider_room);
        slv_plan_barrier(writer);
    }
}

// Velocities are remembered before the first launch that may find a divergence, and once more for bodies that
// were woken. Colliders near those are looked up after that.
static void save_starts(slv_plan_writer *writer) {
    if (slv_contacts_get_layout(writer->layout)->bounces) {
        launch_tiles(writer, SLV_ID_contact_save_starts);
    }
}

static void begin(slv_plan_writer *writer) {
    damp_rest(writer);
    save_starts(writer);
}

static void separate_first(slv_plan_writer *writer) {
    const slv_contact_layout *contact = slv_contacts_get_layout(writer->layout);
    launch_tiles(writer, SLV_ID_contact_cull);
    separate_all(writer, FIRST_ROUNDS);
    if (contact->pairs) {
        slv_neighbor_search_launch_blocks(writer, SLV_ID_pair_rest_damping);
    }
}

static void pass(slv_plan_writer *writer) {
    separate_all(writer, ROUNDS);
}

// Constraints may have moved a particle to a collider that was not near it, so near colliders are looked up
// again. The last passes move particles whatever their springs say; strain is limited in between.
static void end(slv_plan_writer *writer) {
    const slv_contact_layout *contact = slv_contacts_get_layout(writer->layout);
    if (!slv_contacts_exist(writer->layout)) {
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
    if (slv_contacts_get_layout(writer->layout)->bounces) {
        launch_tiles(writer, SLV_ID_contact_restore_starts);
    }
}

// Records of colliders are the world's, which saves and restores them.
const slv_feature slv_feature_contacts = {
    .name = "contacts",
    .read_aspects = 1u << SLV_ASPECT_contacts,
    .body_size = sizeof(slv_contact_material),
    .define = define,
    .layout_size = sizeof(slv_contact_layout),
    .reserve = reserve,
    .fill = fill,
    .fits = fits,
    .neighbors = {.request = request_neighbors, .find = SLV_ID_pair_find},
    .launch = {[SLV_POINT_WAKE] = move_colliders,
               [SLV_POINT_SOLVE_BEGIN] = begin,
               [SLV_POINT_WOKEN] = save_starts,
               [SLV_POINT_ITERATE_BEGIN] = separate_first,
               [SLV_POINT_ITERATION_END] = pass,
               [SLV_POINT_SOLVE_END] = end,
               [SLV_POINT_ROLLBACK] = rollback},
};
