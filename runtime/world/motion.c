// SPDX-License-Identifier: MIT
#include "runtime/base/float_modes.h"
#include "runtime/base/rotation.h"
#include "runtime/layout/layout_build.h"
#include "runtime/step/features.h"
#include "runtime/world/begin.h"
#include "runtime/world/clock.h"
#include "runtime/world/fetch.h"
#include "runtime/world/origin.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/sleeping.h"
#include "runtime/world/transport.h"

#include <math.h>
#include <string.h>

// What a caller may do to particles between steps.

static const double furthest = SLV_POSITION_LIMIT; // metres
static const uint32_t most_steps = 1u << 30;
static const double arrival_tolerance =
    1e-4; // of a step, or of a path: sums of frames are not exact

// Common to all: a world, a garment of it, and numbers of its particles.
static slv_result check_particles(slv_world *world, slv_garment_id id, const uint32_t *particles,
                                  uint32_t count, slv_body **body) {
    slv_result status = SLV_OK;
    *body = slv_begin_garment(world, id, &status);
    if (!*body) {
        return status;
    }
    if (!particles && count > 0) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "particles is NULL, but count is not 0");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (particles[i] >= (*body)->count) {
            return slv_refuse(world, SLV_ERROR_ARGUMENT,
                              "particles[%u]: particle %u, the garment has %u and counts from 0", i,
                              particles[i], (*body)->count);
        }
    }
    return SLV_OK;
}

// --- Fixed particles --------------------------------------------------------------------------------

slv_result slv_garment_set_fixed(slv_world *world, slv_garment_id id, const uint32_t *particles,
                                 uint32_t count, bool fixed) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_body *body = NULL;
    slv_result status = check_particles(world, id, particles, count, &body);
    if (status != SLV_OK) {
        return status;
    }
    status = slv_world_fetch_bodies(world); // how particles answer depends on the springs they have
    if (status != SLV_OK) {
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        body->fixed[particles[i]] = fixed;
    }
    slv_body_forget_moves(body);
    slv_layout_set_response(&world->layout, slv_body_index(body), body, world->time_step);
    return slv_sleep_wake(world, slv_body_index(body));
}

static slv_result check_targets(slv_world *world, const slv_body *body, const uint32_t *particles,
                                uint32_t count, const float *targets) {
    if (!targets && count > 0) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "targets is NULL, but count is not 0");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!body->fixed[particles[i]]) {
            return slv_refuse(world, SLV_ERROR_ARGUMENT, "particles[%u]: particle %u is not fixed",
                              i, particles[i]);
        }
        slv_result status =
            slv_check_vector(&world->error, "targets", targets + 3 * (size_t)i, 3, furthest);
        if (status != SLV_OK) {
            return status;
        }
    }
    return SLV_OK;
}

// Where a particle is `fraction` of a step past the last one: on its path, or at rest.
static void find_present(const slv_body *body, uint32_t particle, const slv_particle_view *view,
                         double fraction, float present[3]) {
    uint32_t number = body->move_of[particle];
    if (number == 0 || fraction <= 0.0) {
        slv_particle_view_get(view, particle, present);
        return;
    }
    const slv_move_path *path = &body->paths[number - 1];
    const uint32_t done = body->moves[number - 1].done;
    double progress = (done + fraction - (double)path->begin) / (double)path->length;
    for (int d = 0; d < 3; d++) {
        double displacement = (double)path->to[d] - (double)path->from[d];
        present[d] = progress < 1.0 - arrival_tolerance
                         ? (float)((double)path->from[d] + fmax(progress, 0.0) * displacement)
                         : path->to[d];
    }
}

// What both calls that move fixed particles have in common: `total` steps, and when in them the path begins
// and how long it takes.
static slv_result move_fixed(slv_world *world, slv_garment_id id, const uint32_t *particles,
                             uint32_t count, const float *targets, uint32_t total,
                             slv_move_path path) {
    slv_body *body = slv_find_body(world, id);
    slv_result status = check_targets(world, body, particles, count, targets);
    if (status != SLV_OK) {
        return status;
    }
    if (!slv_body_grow_moves(body, count)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    const slv_parameters parameters = world->parameters;
    status = slv_world_rebuild_layout(world, world->body_count,
                                      &parameters); // where there is no room yet
    slv_particle_view view;
    if (status == SLV_OK) {
        status = slv_garment_get_positions(world, id, &view);
    }
    bool moves = false; // what is led to where it is sleeps on
    for (uint32_t i = 0; status == SLV_OK && i < count; i++) {
        find_present(body, particles[i], &view, (double)path.begin, path.from);
        memcpy(path.to, targets + 3 * (size_t)i, sizeof path.to);
        const uint32_t number = slv_body_find_move(body, particles[i]);
        body->moves[number] = (slv_move){.particle = particles[i], .total = total};
        body->paths[number] = path;
        for (int d = 0; d < 3; d++) {
            moves = moves || path.from[d] != path.to[d];
        }
    }
    return status == SLV_OK && moves ? slv_sleep_wake(world, slv_body_index(body)) : status;
}

slv_result slv_garment_move_fixed(slv_world *world, slv_garment_id id, const uint32_t *particles,
                                  uint32_t count, const float *targets, uint32_t steps) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_body *body = NULL;
    slv_result status = check_particles(world, id, particles, count, &body);
    if (status != SLV_OK) {
        return status;
    }
    if (steps == 0 || steps > most_steps) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "steps is %u, should be 1 … %u", steps,
                          most_steps);
    }
    const slv_move_path path = {.begin = 0.0f, .length = (float)steps};
    return move_fixed(world, id, particles, count, targets, steps, path);
}

slv_result slv_garment_lead_fixed(slv_world *world, slv_garment_id id, const uint32_t *particles,
                                  uint32_t count, const float *targets, double seconds) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_body *body = NULL;
    slv_result status = check_particles(world, id, particles, count, &body);
    if (status == SLV_OK) {
        status = slv_check_lead(&world->error, seconds);
    }
    if (status != SLV_OK) {
        return status;
    }
    double begin = slv_clock_get_fraction(&world->clock, world->time_step);
    double length = seconds / world->time_step;
    double total = ceil(begin + length - arrival_tolerance);
    if (total > (double)most_steps) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "seconds: %.0f steps, at most %u", total,
                          most_steps);
    }
    const slv_move_path path = {.begin = (float)begin, .length = (float)length};
    return move_fixed(world, id, particles, count, targets, total < 1.0 ? 1 : (uint32_t)total,
                      path);
}

// --- Teleport ---------------------------------------------------------------------------------------

static void carry_particles(slv_world *world, uint32_t index, const slv_transport *transport) {
    slv_body *body = world->bodies[index];
    for (uint32_t p = 0; p < body->count; p++) {
        slv_transport_carry_particle(transport, &world->layout, index, p);
    }
    for (uint32_t m = 0; m < body->move_count; m++) {
        slv_transport_carry(transport, body->paths[m].from);
        slv_transport_carry(transport, body->paths[m].to);
    }
    body->moves_changed = true;
    body->surface.current = false;
}

// From one orientation to another.
static void turn_features(slv_world *world, uint32_t index, const float from[4],
                          const float to[4]) {
    const double back[4] = {-(double)from[0], -(double)from[1], -(double)from[2], (double)from[3]};
    const double there[4] = {(double)to[0], (double)to[1], (double)to[2], (double)to[3]};
    double rotation[4];
    slv_rotation_multiply(there, back, rotation);
    slv_rotation_normalize(rotation);
    slv_features_turn(&world->layout, index, rotation);
}

slv_result slv_garment_teleport(slv_world *world, slv_garment_id id, const double position[3],
                                const float rotation[4]) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_body *body = NULL;
    slv_result status = check_particles(world, id, NULL, 0, &body);
    if (status != SLV_OK) {
        return status;
    }
    slv_pose pose;
    status = slv_origin_take_pose(world, position, rotation, furthest / 10, &pose);
    if (status == SLV_OK) {
        status = slv_world_fetch_state(world);
    }
    if (status != SLV_OK) {
        return status;
    }
    slv_transport transport = slv_transport_between(&body->pose, &pose);
    carry_particles(world, slv_body_index(body), &transport);
    turn_features(world, slv_body_index(body), body->pose.rotation, pose.rotation);
    body->pose = pose;
    return slv_sleep_wake_all(world); // it may have borne others
}
