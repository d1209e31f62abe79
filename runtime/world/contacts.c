// SPDX-License-Identifier: MIT
#include "runtime/world/contacts.h"

#include "kernels/pairs.h"
#include "runtime/step/neighbor_search.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/status.h"

#include <stdio.h>

// --- Growing ----------------------------------------------------------------------------------------

// Reads what the steps so far have shown: how long lists were, and whether something was left out in the last
// step.
static slv_result look_at_lists(slv_world *world, bool *cut) {
    const slv_extent scale = world->layout.neighbors.scale;
    slv_result status = SLV_OK;
    if (scale.count > 0 && world->backend->download) {
        status = world->backend->download(world->engine, scale, &world->error);
    }
    if (status == SLV_OK && scale.count > 0) {
        const uint32_t seen = slv_neighbor_search_get_longest(&world->layout);
        world->neighbor_count = seen > world->neighbor_count ? seen : world->neighbor_count;
    }
    *cut = status == SLV_OK && slv_neighbor_search_was_cut(&world->layout);
    return status;
}

static slv_result set_capacity(slv_world *world, uint32_t capacity) {
    const slv_parameters parameters = world->parameters;
    const uint32_t before = world->list_room;
    const bool fixed = world->lists_fixed;
    world->list_room = capacity < SLV_LIST_LIMIT ? capacity : SLV_LIST_LIMIT;
    world->lists_fixed = false;
    const slv_result status = slv_world_rebuild_layout(world, world->body_count, &parameters);
    if (status != SLV_OK) {
        world->list_room = before;
        world->lists_fixed = fixed;
        return status;
    }
    world->lists_short = false;
    world->ahead_failed = false;
    return SLV_OK;
}

// From now on lists are cut where they are too short. Without memory the present layout has to do.
static void fix_lists(slv_world *world) {
    slv_layout *layout = &world->layout;
    world->lists_fixed = true;
    layout->settings.contact.lists_fixed = true;
    layout->table[layout->neighbors.block + SLV_BINS_GROWS] = 0;
    layout->extents[slv_layout_common_body(layout)].written |= 1u << SLV_ASPECT_NEIGHBORS;
}

// When lists become longer ahead of need: a particle has had more than this share of what they hold.
static bool is_tight(uint32_t neighbors, uint32_t capacity) {
    return 2 * neighbors > capacity;
}

// A GPU is not asked in every call, which would read back what no caller asked for: there lists grow when they
// have proved too short.
slv_result slv_contacts_prepare(slv_world *world) {
    bool cut = false;
    slv_result status = world->backend->download ? SLV_OK : look_at_lists(world, &cut);
    const bool ahead = is_tight(world->neighbor_count, world->list_room) && !world->ahead_failed;
    if (status != SLV_OK || world->lists_fixed || world->list_room >= SLV_LIST_LIMIT ||
        !(world->lists_short || ahead)) {
        return status;
    }
    uint32_t capacity = 2 * world->list_room;
    while (is_tight(world->neighbor_count, capacity) && capacity < SLV_LIST_LIMIT) {
        capacity *= 2;
    }
    const bool needed = world->lists_short;
    status = set_capacity(world, capacity);
    if (status != SLV_ERROR_MEMORY) {
        return status;
    }
    if (!needed) {
        world->ahead_failed = true;
        return slv_begin(world);
    }
    world->lists_short = false;
    fix_lists(world);
    return status;
}

slv_result slv_contacts_check_lists(slv_world *world, bool *too_short) {
    bool cut = false;
    const slv_result status = look_at_lists(world, &cut);
    *too_short =
        status == SLV_OK && cut && world->list_room < SLV_LIST_LIMIT && !world->lists_fixed;
    world->lists_short = *too_short;
    return status;
}

slv_result slv_world_reserve(slv_world *world, uint32_t neighbors) {
    slv_result status = slv_begin(world);
    if (status == SLV_OK) {
        status = slv_check_between(&world->error, "neighbors", neighbors, 1, SLV_LIST_LIMIT);
    }
    if (status != SLV_OK) {
        return status;
    }
    const uint32_t capacity = (neighbors + SLV_LANES - 1) / SLV_LANES * SLV_LANES;
    if (capacity <= world->list_room && !world->lists_fixed) {
        return SLV_OK;
    }
    return set_capacity(world, capacity > world->list_room ? capacity : world->list_room);
}

// --- Advice -----------------------------------------------------------------------------------------

// Squares of particles have gaps for particles below the one; beyond the other, diagonal neighbors are so
// near at rest that they are left alone, and folds go through each other.
static const double least_radius = 0.3536, most_radius = 0.7071; // of the spacing

slv_result slv_garment_check_radius(slv_world *world, slv_garment_id id, char *message,
                                    size_t size) {
    slv_result status = slv_begin(world);
    const slv_body *body = status == SLV_OK ? slv_find_body(world, id) : NULL;
    if (!body) {
        return SLV_ERROR_ARGUMENT;
    }
    if (!message || size == 0) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "message: there is no place to put it");
    }
    const double spacing = (double)body->contact_material.spacing;
    const double radius = (double)body->contact_material.radius;
    message[0] = '\0';
    if (slv_body_is_searched(body) && body->stretch_count > 0 && radius < least_radius * spacing) {
        (void)snprintf(message, size,
                       "a collision radius of %.3g m leaves gaps between particles %.3g m apart: "
                       "cloth may pass through it; should be at least %.3g m",
                       radius, spacing, least_radius * spacing);
    } else if (body->contact_material.with_itself && body->stretch_count > 0 &&
               radius > most_radius * spacing) {
        (void)snprintf(message, size,
                       "a collision radius of %.3g m is too large for particles %.3g m apart: "
                       "neighbors overlap at rest and are left alone, so that folds may pass "
                       "through each other; should be at most %.3g m",
                       radius, spacing, most_radius * spacing);
    }
    return SLV_OK;
}

slv_result slv_world_get_contact_report(slv_world *world, slv_contact_report *report) {
    slv_result status = slv_begin_with(world, report, "report");
    if (status != SLV_OK) {
        return status;
    }
    bool cut = false;
    status = look_at_lists(world, &cut);
    const slv_neighbor_layout *neighbors = &world->layout.neighbors;
    const size_t points = neighbors->scale.count > 0 ? (size_t)neighbors->points : 0;
    *report = (slv_contact_report){
        .neighbor_capacity = world->list_room,
        .neighbor_count = world->neighbor_count,
        .list_bytes = points * world->list_room * (sizeof(int) + sizeof(float)),
        .crowded = cut && !world->lists_short,
    };
    return status;
}
