// SPDX-License-Identifier: MIT
#include "runtime/world/contacts.h"

#include "kernels/pairs.h"
#include "runtime/step/neighbor_search.h"

#include <stdio.h>

// --- Growing ----------------------------------------------------------------------------------------

// Whether a list of neighbors was too short in the last step.
static slv_result look_for_cuts(slv_world *world, bool *cut) {
    const slv_extent scale = world->layout.neighbors.scale;
    slv_result status = SLV_OK;
    if (scale.count > 0 && world->backend->download) {
        status = world->backend->download(world->engine, scale, &world->error);
    }
    *cut = status == SLV_OK && slv_neighbor_search_was_cut(&world->layout);
    return status;
}

bool slv_contact_grow(slv_world *world, slv_result *status) {
    bool cut = false;
    *status = look_for_cuts(world, &cut);
    if (*status != SLV_OK || !cut || world->list_room >= SLV_LIST_LIMIT) {
        return false;
    }
    const uint32_t before = world->list_room;
    world->list_room *= 2;
    *status = slv_world_rebuild_layout(world, world->body_count, &world->parameters);
    world->list_room = *status == SLV_OK ? world->list_room : before;
    return *status == SLV_OK;
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
    slv_result status = slv_begin(world);
    if (status != SLV_OK) {
        return status;
    }
    if (!report) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "report is NULL");
    }
    *report = (slv_contact_report){.neighbor_room = world->list_room};
    return look_for_cuts(world, &report->crowded);
}
