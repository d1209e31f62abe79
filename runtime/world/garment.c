// SPDX-License-Identifier: MIT
#include "runtime/world/garment.h"

#include "runtime/base/float_modes.h"
#include "runtime/model/body_build.h"
#include "runtime/step/features.h"
#include "runtime/step/features/limits.h"
#include "runtime/step/features/tearing.h"
#include "runtime/world/begin.h"
#include "runtime/world/fetch.h"
#include "runtime/world/handles.h"
#include "runtime/world/material_choice.h"
#include "runtime/world/origin.h"
#include "runtime/world/pack.h"
#include "runtime/world/particle_sets.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/shared_pack.h"

#include <math.h>
#include <string.h>

enum { GARMENT_COOKIE = 0x6A43E27D };

slv_garment_def slv_default_garment_def(void) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_garment_def def = {.cookie = GARMENT_COOKIE};
    slv_fill_defaults(&slv_garment_table, &def);
    return def;
}

// --- Checking ---------------------------------------------------------------------------------------

static slv_result refuse(slv_error *error, const char *text) {
    return slv_fail(error, SLV_ERROR_ARGUMENT, "%s", text);
}

static slv_result check_pointers(const slv_garment_def *def, slv_error *error) {
    if (!def || def->cookie != GARMENT_COOKIE) {
        return refuse(error, "def: a definition must come from slv_default_garment_def");
    }
    if ((def->pack_path != NULL) == (def->pack_bytes != NULL)) {
        return refuse(error, "pack_path, pack_bytes: exactly one of them is needed");
    }
    if (def->pack_bytes && (uintptr_t)def->pack_bytes % 64 != 0) {
        return refuse(error, "pack_bytes must be 64-byte aligned");
    }
    if (def->fixed_count > 0 && !def->fixed) {
        return refuse(error, "fixed is NULL, but fixed_count is not 0");
    }
    if (def->fixed_set_count > 0 && !def->fixed_sets) {
        return refuse(error, "fixed_sets is NULL, but fixed_set_count is not 0");
    }
    for (uint32_t i = 0; i < def->fixed_set_count; i++) {
        if (!def->fixed_sets[i]) {
            return refuse(error, "fixed_sets: one of the names is NULL");
        }
    }
    return SLV_OK;
}

static slv_result check_def(const slv_garment_def *def, slv_error *error) {
    slv_result status = check_pointers(def, error);
    if (status == SLV_OK) {
        status = slv_check_fields(error, &slv_garment_table, def);
    }
    return status == SLV_OK ? slv_limits_check_paint(def, true, error) : status;
}

// --- Adding -----------------------------------------------------------------------------------------

// Room for one body more.
static bool grow_list(slv_world *world) {
    if (world->body_count < world->body_room) {
        return true;
    }
    uint32_t room = 2 * world->body_room + 8;
    slv_body **bodies = slv_memory_grow(&world->body_memory, world->bodies, world->body_count, room,
                                        sizeof(slv_body *));
    if (!bodies) {
        return false;
    }
    world->bodies = bodies;
    world->body_room = room;
    return true;
}

// With a particle beyond the limit the first step would count as diverged.
static slv_result check_start(const slv_body *body, slv_error *error) {
    for (size_t i = 0; i < 6 * (size_t)body->count; i++) {
        if (!(fabs((double)body->start[i]) < SLV_POSITION_LIMIT)) { // a displacement too
            return slv_fail(error, SLV_ERROR_ARGUMENT,
                            "position, scale, stretch: particle %zu would begin at %g m, should be "
                            "within %g m of the world's origin",
                            i / 6, (double)body->start[i], SLV_POSITION_LIMIT);
        }
    }
    return SLV_OK;
}

static slv_garment_entry *create_entry(slv_world *world) {
    slv_memory memory = {.allocator = world->memory.allocator};
    slv_garment_entry *entry = slv_memory_take(&memory, 1, sizeof *entry);
    if (entry) {
        entry->memory = memory;
        entry->index = world->body_count;
        entry->laid_out = SLV_NO_INDEX;
    }
    return entry;
}

void slv_garment_entry_destroy(slv_world *world, slv_body *body) {
    slv_shared_pack *shared = ((slv_garment_entry *)body)->shared;
    if (shared && shared->model == body) {
        shared->model = NULL;
    }
    slv_shared_pack_leave(world, shared);
    slv_body_destroy(body);
    slv_memory memory = ((slv_garment_entry *)body)->memory;
    slv_memory_release(&memory);
}

// What a definition points to is the caller's.
static slv_garment_def without_pointers(const slv_garment_def *def) {
    slv_garment_def kept = *def;
    kept.pack_path = NULL;
    kept.pack_bytes = NULL;
    kept.fixed = NULL;
    kept.fixed_count = 0;
    kept.fixed_sets = NULL;
    kept.fixed_set_count = 0;
    kept.limits = NULL;
    kept.limit_count = 0;
    kept.paint.colors = NULL;
    kept.paint.color_count = 0;
    return kept;
}

// Whether a definition gives a garment that differs in place, motion and fixed particles only from one of the same pack.
static bool is_like(const slv_garment_def *def, const slv_body *model) {
    const slv_garment_def *own = &((const slv_garment_entry *)model)->def;
    slv_garment_def placed = without_pointers(def);
    memcpy(placed.position, own->position, sizeof placed.position);
    memcpy(placed.rotation, own->rotation, sizeof placed.rotation);
    memcpy(placed.velocity, own->velocity, sizeof placed.velocity);
    return !def->limits && !def->paint.colors && slv_fields_equal(&slv_garment_table, &placed, own);
}

static const slv_body *find_model(const slv_shared_pack *shared, const slv_garment_def *def) {
    return shared && shared->model && is_like(def, shared->model) ? shared->model : NULL;
}

// With room for that many moves of fixed particles. `shared` is the pack of the garment, or NULL.
static slv_result add_body(slv_world *world, const slv_garment *garment, const slv_garment_def *def,
                           uint32_t moves, slv_shared_pack *shared) {
    if (!grow_list(world) || !slv_handles_grow(&world->garment_handles)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_garment_entry *entry = create_entry(world);
    if (!entry) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_body *body = &entry->body;
    slv_garment_def chosen = *def;
    slv_result status = slv_choose_material(garment, &chosen, entry->sources, &world->error);
    entry->def = without_pointers(&chosen);
    slv_garment_def local = chosen;
    float position[3];
    slv_origin_make_local(world, def->position, position);
    for (int d = 0; d < 3; d++) {
        local.position[d] = (double)position[d];
    }
    if (status == SLV_OK) {
        status = slv_body_create(body, garment, &local, find_model(shared, &chosen),
                                 world->time_step, world->memory.allocator, &world->error);
    }
    memcpy(body->start_origin, world->origin, sizeof body->start_origin);
    if (status == SLV_OK) {
        status = slv_features_define(body, garment, &chosen, &world->error);
    }
    if (status == SLV_OK) {
        status = check_start(body, &world->error);
    }
    if (status == SLV_OK &&
        (!slv_body_grow_moves(body, moves) || !slv_garment_keep_sets(entry, garment))) {
        status = slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    if (status == SLV_OK) {
        world->bodies[world->body_count] = body;
        status = slv_world_change_bodies(world, world->body_count + 1);
    }
    if (status == SLV_OK) {
        entry->slot = slv_handles_add(&world->garment_handles, world->body_count++).slot;
        entry->shared = shared;
    } else {
        slv_garment_entry_destroy(world, body);
    }
    if (status == SLV_OK && shared) {
        shared->model = body;
    }
    return status;
}

// From a pack that the world does not keep.
static slv_result add_large(slv_world *world, const slv_pack_source *source,
                            const slv_garment_def *def, size_t *size) {
    slv_world_pack pack;
    slv_garment garment;
    slv_result status = slv_world_open_pack(world, source, &pack);
    if (status == SLV_OK) {
        status = slv_garment_open(pack.pack, &garment, &world->error);
    }
    if (status == SLV_OK) {
        status = add_body(world, &garment, def, 0, NULL);
    }
    slv_world_close_pack(world, &pack);
    *size = pack.file_size;
    return status;
}

static slv_result add_from(slv_world *world, const slv_pack_source *source,
                           const slv_garment_def *def, size_t *size) {
    slv_shared_pack *shared = NULL;
    slv_result status = slv_shared_pack_open(world, source, &shared, size);
    if (status != SLV_OK) {
        return status;
    }
    if (!shared) {
        return add_large(world, source, def, size);
    }
    status = add_body(world, &shared->garment, def, 0, shared);
    if (status != SLV_OK) {
        slv_shared_pack_leave(world, shared);
    }
    return status;
}

slv_result slv_world_add_garment(slv_world *world, const slv_garment_def *def, slv_garment_id *id) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin_objects(world);
    if (status == SLV_OK) {
        status = check_def(def, &world->error);
    }
    if (status == SLV_OK) {
        status = slv_origin_check(world, def->position, 2.0 * SLV_POSITION_LIMIT);
    }
    if (status != SLV_OK) {
        return status;
    }
    const slv_pack_source source = {def->pack_path, def->pack_bytes, def->pack_size, def->copy};
    size_t size = 0;
    status = add_from(world, &source, def, &size);
    if (status != SLV_OK) {
        slv_memory_limit_remove_pack(&world->memory_limit, size);
        return status;
    }
    slv_body *body = world->bodies[world->body_count - 1];
    ((slv_garment_entry *)body)->pack_size = size;
    if (id) {
        *id = slv_body_id(world, body);
    }
    return SLV_OK;
}

slv_result slv_world_add_fixed_points(slv_world *world, const float *positions, const float *zeros,
                                      const uint32_t *order, uint32_t count, float radius,
                                      float friction) {
    const slv_color_range range = {.color = SLV_UNCOLORED, .count = count};
    const slv_material material = slv_default_material();
    const slv_garment garment = {
        .info = {.particle_count = count, .mode = SLV_GARMENT_SURFACE, .spacing = 2.0f * radius},
        .x = positions,
        .y = positions + count,
        .z = positions + 2 * (size_t)count,
        .inverse_mass = zeros,
        .own_of_stored = order,
        .stored_of_own = order,
        .color_count = 1,
        .colors = &range,
        .material_count = 1,
        .materials = &material};
    slv_garment_def def = slv_default_garment_def();
    memcpy(def.position, world->origin, sizeof def.position); // the points are relative to it
    def.friction = friction;
    def.collision_radius = radius;
    def.collides = false; // it is what others collide with
    def.garment_collision = true;
    return add_body(world, &garment, &def, count, NULL);
}

bool slv_garment_is_valid(const slv_world *world, slv_garment_id id) {
    return slv_garment_get_index(world, id) != SLV_NO_INDEX;
}

uint32_t slv_world_get_garment_count(const slv_world *world) {
    return world ? world->body_count : 0;
}

slv_garment_id slv_world_get_garment(const slv_world *world, uint32_t index) {
    return index < slv_world_get_garment_count(world) ? slv_body_id(world, world->bodies[index])
                                                      : (slv_garment_id){0};
}

uint32_t slv_garment_get_index(const slv_world *world, slv_garment_id id) {
    return world ? slv_handles_find(&world->garment_handles, (slv_handle){id.slot, id.generation})
                 : SLV_NO_INDEX;
}

// --- Looking at them --------------------------------------------------------------------------------

// One of the arrays of positions, of a garment that is there.
static slv_particle_view view_of(const slv_world *world, uint32_t index, int positions) {
    const slv_body_layout *body_layout = &world->layout.bodies[index];
    const float *first = world->layout.state + positions;
    return (slv_particle_view){
        .count = world->bodies[index]->count,
        .x = first,
        .y = first + body_layout->component,
        .z = first + 2 * (size_t)body_layout->component,
        .stride = (uint32_t)body_layout->stride,
        .slot = world->layout.slots[index],
    };
}

static slv_result begin_view(slv_world *world, slv_garment_id id, const void *view,
                             uint32_t *index) {
    slv_result status = SLV_OK;
    const slv_body *body = slv_begin_body(world, id, view, "view", &status);
    *index = body ? slv_body_index(body) : 0;
    return status;
}

slv_result slv_garment_get_positions(slv_world *world, slv_garment_id id, slv_particle_view *view) {
    uint32_t index = 0;
    slv_result status = begin_view(world, id, view, &index);
    if (status == SLV_OK) {
        status = slv_world_fetch_positions(world);
    }
    if (status == SLV_OK) {
        *view = view_of(world, index, world->layout.bodies[index].q);
    }
    return status;
}

slv_result slv_garment_get_previous_positions(slv_world *world, slv_garment_id id,
                                              slv_particle_view *view) {
    uint32_t index = 0;
    slv_result status = begin_view(world, id, view, &index);
    if (status == SLV_OK) {
        status = slv_world_fetch_state(world);
    }
    if (status == SLV_OK) {
        const slv_layout *layout = &world->layout;
        *view = view_of(world, index, layout->bodies[index].prev[layout->parity]);
    }
    return status;
}

slv_result slv_garment_get_surface(slv_world *world, slv_garment_id id, slv_surface_view *view) {
    SLV_DEFAULT_FLOAT_MODES;
    return slv_garment_get_surface_at(world, id, 1.0f, view);
}

slv_result slv_garment_get_surface_at(slv_world *world, slv_garment_id id, float fraction,
                                      slv_surface_view *view) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_particle_view now;
    slv_particle_view before;
    uint32_t index = 0;
    slv_result status = begin_view(world, id, view, &index);
    if (status == SLV_OK) {
        status = slv_check_between(&world->error, "fraction", (double)fraction, 0.0, 1.0);
    }
    if (status == SLV_OK) {
        status = slv_garment_get_positions(world, id, &now);
        before = now;
    }
    if (status == SLV_OK && fraction < 1.0f) {
        status = slv_garment_get_previous_positions(world, id, &before);
    }
    if (status == SLV_OK) {
        status = slv_world_fetch_bodies(world);
    }
    if (status == SLV_OK) {
        slv_tears_open_surface(world->bodies[index]);
        slv_surface *surface = &world->bodies[index]->surface;
        slv_surface_update(surface, &now, &before, fraction);
        *view = slv_surface_get_view(surface);
    }
    return status;
}

slv_result slv_garment_get_torn(slv_world *world, slv_garment_id id, const uint8_t **torn) {
    slv_result status = SLV_OK;
    const slv_body *body = slv_begin_body(world, id, torn, "torn", &status);
    if (!body) {
        return status;
    }
    status = slv_world_fetch_bodies(world);
    *torn = slv_tears_get(body)->torn;
    return status;
}

slv_result slv_garment_get_torn_count(slv_world *world, slv_garment_id id, uint32_t *count) {
    slv_result status = SLV_OK;
    const slv_body *body = slv_begin_body(world, id, count, "count", &status);
    if (!body) {
        return status;
    }
    status = slv_world_fetch_bodies(world);
    *count = slv_tears_get(body)->count;
    return status;
}
