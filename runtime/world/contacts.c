// SPDX-License-Identifier: MIT
#include "runtime/world/contacts.h"

#include "kernels/pairs.h"
#include "kernels/surfaces.h"
#include "runtime/base/float_modes.h"
#include "runtime/step/features/contacts.h"
#include "runtime/step/features/surfaces.h"
#include "runtime/step/neighbor_search.h"
#include "runtime/world/begin.h"
#include "runtime/world/rebuild.h"

#include <stdio.h>

// --- Growing ----------------------------------------------------------------------------------------

// Reads what the steps so far have shown: how long lists were, and whether something was left out in the last
// step.
static slv_result look_at_lists(slv_world *world) {
    const slv_extent flags = world->layout.neighbors->flags;
    slv_result status = SLV_OK;
    if (flags.count > 0 && world->backend->download) {
        status = world->backend->download(world->engine, flags, &world->error);
    }
    if (status == SLV_OK) {
        slv_list_growth_read(&world->list_growth, &world->layout);
    }
    return status;
}

// Makes lists as long as they shall be. On failure the former lengths hold.
static slv_result lengthen(slv_world *world, uint32_t room, const slv_list_growth *growth) {
    const slv_parameters parameters = world->parameters;
    const slv_list_growth before = world->list_growth;
    const uint32_t room_before = world->list_room;
    const bool fixed = world->lists_fixed;
    world->list_room = room;
    world->list_growth = *growth;
    world->lists_fixed = false;
    const slv_result status = slv_world_rebuild_layout(world, world->body_count, &parameters);
    if (status != SLV_OK) {
        world->list_room = room_before;
        world->list_growth = before;
        world->lists_fixed = fixed;
        return status;
    }
    world->lists_short = false;
    world->ahead_failed = false;
    return SLV_OK;
}

// Lengths of lists are not read back from a GPU in every call. There lists grow after one was too short.
slv_result slv_contacts_grow(slv_world *world) {
    slv_result status = world->backend->download ? SLV_OK : look_at_lists(world);
    const bool needed = world->lists_short;
    slv_list_growth growth = world->list_growth;
    if (status != SLV_OK || world->lists_fixed ||
        !slv_list_growth_raise(&growth, &world->layout, needed, needed || !world->ahead_failed)) {
        return status;
    }
    status = lengthen(world, world->list_room, &growth);
    if (status != SLV_ERROR_MEMORY) {
        return status;
    }
    if (!needed) {
        world->ahead_failed = true;
        slv_clear_message(world);
        return SLV_OK;
    }
    world->lists_short = false;
    world->lists_fixed = true; // without memory the present layout has to do
    slv_neighbor_search_fix(&world->layout);
    return status;
}

slv_result slv_contacts_check_lists(slv_world *world, bool *too_short) {
    const slv_result status = look_at_lists(world);
    *too_short = status == SLV_OK && !world->lists_fixed &&
                 slv_list_growth_can_mend(&world->list_growth, &world->layout);
    world->lists_short = *too_short;
    return status;
}

// The capacity of the longest lists.
static uint32_t get_capacity(const slv_world *world) {
    uint32_t capacity = world->list_room;
    for (uint32_t r = 0; r < SLV_FEATURE_ROOM; r++) {
        const uint32_t grown = world->list_growth.capacity[r];
        const uint32_t present = world->layout.neighbors->requests[r].capacity;
        capacity = grown > capacity ? grown : capacity;
        capacity = present > capacity ? present : capacity;
    }
    return capacity;
}

slv_result slv_world_reserve(slv_world *world, uint32_t neighbors) {
    SLV_DEFAULT_FLOAT_MODES;
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
    return lengthen(world, capacity > world->list_room ? capacity : world->list_room,
                    &world->list_growth);
}

// --- Advice -----------------------------------------------------------------------------------------

// Squares of particles have gaps for particles below the one; beyond the other, diagonal neighbors are so
// near at rest that they are left alone, and folds go through each other.
static const double least_radius = 0.3536,
                    most_radius = 0.7071; // of the spacing: a quarter and half of sqrt(2)

slv_result slv_garment_check_radius(slv_world *world, slv_garment_id id, char *message,
                                    size_t size) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    const slv_body *body = slv_begin_garment(world, id, &status);
    if (!body) {
        return status;
    }
    if (!message || size == 0) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "message: the buffer is NULL or has no bytes");
    }
    const slv_contact_material *material = slv_contacts_get_material(body);
    const double spacing = (double)body->spacing;
    const double radius = (double)material->radius;
    message[0] = '\0';
    if (slv_contacts_include_particles(body) && body->stretch_count > 0 &&
        radius < least_radius * spacing) {
        (void)snprintf(message, size,
                       "a collision radius of %.3g m leaves gaps between particles %.3g m apart: "
                       "cloth may pass through it; should be at least %.3g m",
                       radius, spacing, least_radius * spacing);
    } else if (material->with_itself && body->stretch_count > 0 && radius > most_radius * spacing) {
        (void)snprintf(message, size,
                       "a collision radius of %.3g m is too large for particles %.3g m apart: "
                       "neighbors overlap at rest and are left alone, so that folds may pass "
                       "through each other; should be at most %.3g m",
                       radius, spacing, most_radius * spacing);
    }
    return SLV_OK;
}

// What happened to surfaces in the last step.
static slv_result report_surfaces(slv_world *world, slv_contact_report *report) {
    const slv_extent extent = slv_surfaces_get_report(&world->layout);
    slv_result status = SLV_OK;
    if (extent.count > 0 && world->backend->download) {
        status = world->backend->download(world->engine, extent, &world->error);
    }
    if (extent.count > 0 && status == SLV_OK) {
        const float *totals = world->layout.state + extent.first;
        report->surface_contacts = (uint32_t)totals[SLV_SURFACE_LISTED];
        report->surface_crossings = (uint32_t)totals[SLV_SURFACE_CROSSINGS];
        report->surface_shortened = (uint32_t)totals[SLV_SURFACE_SHORTENED];
        report->surface_returned = (uint32_t)totals[SLV_SURFACE_RETURNED];
        report->surface_left = (uint32_t)totals[SLV_SURFACE_LEFT];
        report->surface_stopped = totals[SLV_SURFACE_STOPS] > 0.0f;
    }
    return status;
}

slv_result slv_world_get_contact_report(slv_world *world, slv_contact_report *report) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin_with(world, report, "report");
    if (status != SLV_OK) {
        return status;
    }
    status = look_at_lists(world);
    const slv_neighbor_layout *neighbors = world->layout.neighbors;
    const size_t gaps = slv_contacts_get_layout(&world->layout)->gap_count;
    size_t entries = 0;
    for (uint32_t r = 0; r < neighbors->request_count; r++) {
        entries += neighbors->requests[r].own
                       ? 0
                       : (size_t)neighbors->points * neighbors->requests[r].capacity;
    }
    *report = (slv_contact_report){
        .neighbor_capacity = get_capacity(world),
        .neighbor_count = slv_list_growth_get_longest(&world->list_growth),
        .list_bytes =
            entries * sizeof(int) + gaps * sizeof(float) + slv_surfaces_count_bytes(&world->layout),
        .crowded = slv_list_growth_is_cut(&world->list_growth) && !world->lists_short,
    };
    return status == SLV_OK ? report_surfaces(world, report) : status;
}
