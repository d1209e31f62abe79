// SPDX-License-Identifier: MIT
// Public calls on locks.
#include "runtime/base/float_modes.h"
#include "runtime/world/begin.h"
#include "runtime/world/fetch.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/sleeping.h"

#include <math.h>

enum { LOCK_COOKIE = 0x10C4D157 };

slv_lock_def slv_default_lock_def(void) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_lock_def def = {.cookie = LOCK_COOKIE};
    slv_fill_defaults(&slv_lock_table, &def);
    return def;
}

// --- Ends -------------------------------------------------------------------------------------------

static slv_result find_end(slv_world *world, slv_garment_id id, const char *field,
                           uint32_t particle, uint32_t *index) {
    const slv_body *body = slv_find_body(world, id);
    if (!body) {
        return SLV_ERROR_ARGUMENT;
    }
    *index = slv_body_index(body);
    return particle < body->count
               ? SLV_OK
               : slv_refuse(world, SLV_ERROR_ARGUMENT,
                            "%s is %u; the garment has %u particles, counted from 0", field,
                            particle, body->count);
}

static slv_result find_ends(slv_world *world, const slv_lock_def *def, slv_lock_link *link) {
    *link = (slv_lock_link){.particles = {def->particle, def->other_particle},
                            .length = def->length,
                            .slack = def->slack};
    slv_result status = find_end(world, def->garment, "particle", def->particle, &link->bodies[0]);
    if (status == SLV_OK) {
        status = find_end(world, def->other_garment, "other_particle", def->other_particle,
                          &link->bodies[1]);
    }
    if (status == SLV_OK && link->bodies[0] == link->bodies[1] &&
        link->particles[0] == link->particles[1]) {
        status = slv_refuse(world, SLV_ERROR_ARGUMENT,
                            "other_particle: both ends are the same particle; a lock joins two");
    }
    return status;
}

static bool is_laid_out(const slv_world *world, uint32_t index) {
    return ((const slv_garment_entry *)world->bodies[index])->laid_out != SLV_NO_INDEX;
}

// The present distance. Only garments that no call has laid out yet need a new layout.
static slv_result measure(slv_world *world, const slv_lock_link *link, double *distance) {
    double ends[2][6];
    double square = 0.0;
    slv_result status = SLV_OK;
    if (!is_laid_out(world, link->bodies[0]) || !is_laid_out(world, link->bodies[1])) {
        status = slv_world_complete_layout(world);
    }
    if (status == SLV_OK) {
        status = slv_world_fetch_state(world);
    }
    if (status != SLV_OK) {
        return status;
    }
    for (int k = 0; k < 2; k++) {
        const uint32_t index =
            ((const slv_garment_entry *)world->bodies[link->bodies[k]])->laid_out;
        slv_layout_read_exactly(&world->layout, index, link->particles[k], ends[k]);
    }
    for (int d = 0; d < 3; d++) {
        square += (ends[0][d] - ends[1][d]) * (ends[0][d] - ends[1][d]);
    }
    *distance = sqrt(square);
    return SLV_OK;
}

// --- Adding and removing ----------------------------------------------------------------------------

static slv_result check_def(slv_world *world, const slv_lock_def *def) {
    if (!def || def->cookie != LOCK_COOKIE) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT,
                          "def: a definition must come from slv_default_lock_def");
    }
    return slv_check_fields(&world->error, &slv_lock_table, def);
}

static slv_result make_link(slv_world *world, const slv_lock_def *def, slv_lock_link *link) {
    double distance = 0.0;
    slv_result status = find_ends(world, def, link);
    if (status == SLV_OK && link->length < 0.0f) {
        status = measure(world, link, &distance);
        link->length = (float)distance;
    }
    return status;
}

slv_result slv_world_add_lock(slv_world *world, const slv_lock_def *def, slv_lock_id *id) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_lock_link link;
    slv_result status = slv_begin_objects(world);
    if (status == SLV_OK) {
        status = check_def(world, def);
    }
    if (status == SLV_OK) {
        status = make_link(world, def, &link);
    }
    if (status == SLV_OK && !slv_locks_grow(&world->locks)) {
        status = slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    if (status == SLV_OK) {
        status = slv_sleep_wake_all(world);
    }
    if (status != SLV_OK) {
        return status;
    }
    const slv_handle handle = slv_locks_add(&world->locks, &link);
    world->incomplete = true;
    if (id) {
        *id = (slv_lock_id){handle.slot, handle.generation};
    }
    return SLV_OK;
}

static uint32_t find_lock(slv_world *world, slv_lock_id id) {
    return slv_find_index(world, &world->locks.handles, (slv_handle){id.slot, id.generation},
                          "lock");
}

slv_result slv_world_remove_lock(slv_world *world, slv_lock_id id) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin_objects(world);
    const uint32_t index = status == SLV_OK ? find_lock(world, id) : SLV_NO_INDEX;
    if (index == SLV_NO_INDEX) {
        return SLV_ERROR_ARGUMENT;
    }
    status = slv_sleep_wake_all(world);
    if (status == SLV_OK) {
        slv_locks_remove(&world->locks, index);
        world->incomplete = true;
    }
    return status;
}

// --- Getters ----------------------------------------------------------------------------------------

bool slv_lock_is_valid(const slv_world *world, slv_lock_id id) {
    return world && slv_handles_find(&world->locks.handles, (slv_handle){id.slot, id.generation}) !=
                        SLV_NO_INDEX;
}

uint32_t slv_world_get_lock_count(const slv_world *world) {
    return world ? world->locks.count : 0;
}

slv_lock_id slv_world_get_lock(const slv_world *world, uint32_t index) {
    slv_lock_id id = {0, 0};
    if (world && index < world->locks.count) {
        const slv_handle handle = slv_handles_get(&world->locks.handles, world->locks.slots[index]);
        id = (slv_lock_id){handle.slot, handle.generation};
    }
    return id;
}

slv_result slv_lock_get_def(slv_world *world, slv_lock_id id, slv_lock_def *def) {
    const slv_result status = slv_begin_objects(world);
    const uint32_t index = status == SLV_OK ? find_lock(world, id) : SLV_NO_INDEX;
    if (index == SLV_NO_INDEX) {
        return SLV_ERROR_ARGUMENT;
    }
    if (!def) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "def is NULL");
    }
    const slv_lock_link *link = &world->locks.links[index];
    *def = slv_default_lock_def();
    def->garment = slv_body_id(world, world->bodies[link->bodies[0]]);
    def->particle = link->particles[0];
    def->other_garment = slv_body_id(world, world->bodies[link->bodies[1]]);
    def->other_particle = link->particles[1];
    def->length = link->length;
    def->slack = link->slack;
    return SLV_OK;
}

slv_result slv_lock_get_distance(slv_world *world, slv_lock_id id, double *distance) {
    SLV_DEFAULT_FLOAT_MODES;
    const slv_result status = slv_begin_with(world, distance, "distance");
    const uint32_t index = status == SLV_OK ? find_lock(world, id) : SLV_NO_INDEX;
    return status != SLV_OK        ? status
           : index == SLV_NO_INDEX ? SLV_ERROR_ARGUMENT
                                   : measure(world, &world->locks.links[index], distance);
}
