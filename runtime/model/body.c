// SPDX-License-Identifier: MIT
#include "runtime/model/body.h"

#include "runtime/base/rotation.h"
#include "runtime/model/coloring.h"
#include "runtime/model/limits.h"
#include "runtime/model/paint.h"
#include "runtime/model/springs.h"
#include "runtime/model/tears.h"
#include "runtime/model/wind_triangles.h"

#include <float.h>
#include <math.h>
#include <string.h>

static slv_result out_of_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
}

static bool allocate_particles(slv_body *body, bool grid) {
    size_t n = body->count;
    body->start = slv_memory_take(&body->memory, 6 * n, sizeof *body->start);
    body->mass = slv_memory_take(&body->memory, n, sizeof *body->mass);
    body->fixed = slv_memory_take(&body->memory, n, sizeof *body->fixed);
    body->start_fixed = slv_memory_take(&body->memory, n, sizeof *body->start_fixed);
    body->stiffness_sum = slv_memory_take(&body->memory, n, sizeof *body->stiffness_sum);
    body->storage_order = slv_memory_take(&body->memory, n, sizeof *body->storage_order);
    body->move_of = slv_memory_take(&body->memory, n, sizeof *body->move_of);
    body->cell = grid ? slv_memory_take(&body->memory, n, sizeof *body->cell) : NULL;
    return body->start && body->mass && body->fixed && body->start_fixed && body->stiffness_sum &&
           body->storage_order && body->move_of && (body->cell || !grid);
}

// Position = place + rotation (scale stretch p); a step earlier it was h v behind.
static void place_particle(const slv_garment_def *def, const double turn[3][3], double time_step,
                           const double p[3], float start[6]) {
    double size = (double)def->scale * (double)def->stretch;
    for (int d = 0; d < 3; d++) {
        double turned = turn[d][0] * p[0] + turn[d][1] * p[1] + turn[d][2] * p[2];
        start[d] = (float)((double)def->position[d] + size * turned);
        start[3 + d] = (float)((double)start[d] - time_step * (double)def->velocity[d]);
    }
}

static void add_particles(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                          double time_step) {
    double turn[3][3];
    slv_rotation_matrix(def->rotation, turn);
    for (uint32_t s = 0; s < body->count; s++) {
        uint32_t own = garment->own_of_stored[s];
        double p[3] = {(double)garment->x[s], (double)garment->y[s], (double)garment->z[s]};
        float inverse = garment->inverse_mass[s];
        float mass = def->particle_mass > 0.0f ? def->particle_mass : 1.0f / inverse;
        place_particle(def, (const double(*)[3])turn, time_step, p, body->start + 6 * (size_t)own);
        body->mass[own] = inverse > 0.0f ? mass : 0.0f;
        body->start_fixed[own] = (uint8_t) !(inverse > 0.0f);
        body->storage_order[s] = own;
        if (body->cell) {
            body->cell[own] = garment->cell[s];
        }
    }
    if (garment->grid) {
        memcpy(body->cells, garment->grid->cells, sizeof body->cells);
    }
    memcpy(body->pose.position, def->position, sizeof body->pose.position);
    memcpy(body->pose.rotation, def->rotation, sizeof body->pose.rotation);
    body->start_pose = body->pose;
}

static slv_result fix_set(slv_body *body, const slv_garment *garment, const char *name,
                          slv_error *error) {
    for (uint32_t i = 0; i < garment->set_count; i++) {
        slv_named_set set = slv_garment_get_set(garment, i);
        if (set.name_length == strlen(name) && memcmp(set.name, name, set.name_length) == 0) {
            for (uint32_t n = 0; n < set.count; n++) {
                body->start_fixed[garment->own_of_stored[set.particles[n]]] = 1;
            }
            return SLV_OK;
        }
    }
    return slv_fail(error, SLV_ERROR_ARGUMENT, "fixed_sets: the pack has no set '%s'", name);
}

static slv_result fix_particles(slv_body *body, const slv_garment *garment,
                                const slv_garment_def *def, slv_error *error) {
    for (uint32_t i = 0; i < def->fixed_count; i++) {
        if (def->fixed[i] >= body->count) {
            return slv_fail(error, SLV_ERROR_ARGUMENT,
                            "fixed[%u]: particle %u, the garment has %u and counts from 0", i,
                            def->fixed[i], body->count);
        }
        body->start_fixed[def->fixed[i]] = 1;
    }
    slv_result status = SLV_OK;
    for (uint32_t i = 0; status == SLV_OK && i < def->fixed_set_count; i++) {
        status = fix_set(body, garment, def->fixed_sets[i], error);
    }
    for (uint32_t p = 0; def->paint.fixed != SLV_CHANNEL_NONE && body->paint && p < body->count;
         p++) {
        body->start_fixed[p] |= slv_paint_share(body, def->paint.fixed, p) < 0.5f ? 1 : 0;
    }
    memcpy(body->fixed, body->start_fixed, body->count * sizeof *body->fixed);
    return status;
}

// How it meets others. Its particles touch each other where the cloth is at rest unless told otherwise.
void slv_body_set_contact_material(slv_body *body, const slv_garment_def *def) {
    double sum = 0.0;
    for (uint32_t s = 0; s < body->stretch_count; s++) {
        sum += (double)body->springs[s].rest;
    }
    float half = body->stretch_count > 0 ? (float)(0.5 * sum / body->stretch_count) : 0.01f;
    body->stretch = def->stretch;
    body->contact_material = (slv_contact_material){
        .thickness = def->thickness,
        .radius = def->collision_radius > 0.0f ? def->collision_radius : half,
        .spacing = 2.0f * half,
        .friction = def->friction,
        .kinetic = def->kinetic_friction < 0.0f ? def->friction : def->kinetic_friction,
        .restitution = def->restitution,
        .rest_speed = def->rest_speed,
        .sleep_speed = def->sleep_speed,
        .sleep_delay = def->sleep_delay,
        .with_colliders = def->collides,
        .with_itself = def->self_collision,
        .with_garments = def->garment_collision,
    };
}

static slv_result build(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                        double time_step, slv_memory *scratch, slv_error *error) {
    if (!allocate_particles(body, garment->grid != NULL)) {
        return out_of_memory(error);
    }
    add_particles(body, garment, def, time_step);
    slv_result status = slv_paint_create(body, garment, &def->paint, error);
    if (status == SLV_OK) {
        status = fix_particles(body, garment, def, error);
    }
    if (status == SLV_OK) {
        status = slv_body_add_springs(body, garment, def, error);
    }
    if (status == SLV_OK) {
        slv_body_set_contact_material(body, def);
    }
    if (status == SLV_OK && !slv_color_particles(body, garment, scratch)) {
        status = out_of_memory(error);
    }
    if (status == SLV_OK &&
        !slv_surface_create(&body->surface, garment, (double)def->scale, &body->memory)) {
        status = out_of_memory(error);
    }
    if (status == SLV_OK && def->tearing_threshold > 0.0f &&
        !slv_body_make_tearable(body, def->tearing_threshold)) {
        status = out_of_memory(error);
    }
    if (status == SLV_OK) {
        status = slv_wind_triangles_create(body, def, scratch, error);
    }
    if (status == SLV_OK) {
        status = slv_limits_create(body, garment, def, scratch, error);
    }
    return status;
}

slv_result slv_body_create(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                           double time_step, slv_allocator allocator, slv_error *error) {
    slv_memory scratch = {.allocator = allocator};
    *body = (slv_body){
        .memory = {.allocator = allocator},
        .move_memory = {.allocator = allocator},
        .count = garment->info.particle_count,
    };
    slv_result status = build(body, garment, def, time_step, &scratch, error);
    slv_memory_release(&scratch);
    if (status != SLV_OK) {
        slv_body_destroy(body);
    }
    return status;
}

void slv_body_destroy(slv_body *body) {
    slv_memory_release(&body->memory);
    slv_memory_release(&body->move_memory);
}

slv_response slv_body_response(const slv_body *body, uint32_t particle, double time_step) {
    if (body->fixed[particle] || !(body->mass[particle] > 0.0f)) {
        return (slv_response){.weight = 0.0f, .anchor = 1.0f, .inverse_mass = 0.0f};
    }
    double mass = (double)body->mass[particle];
    double inertia = mass / (time_step * time_step);
    double diagonal = inertia + body->stiffness_sum[particle] * body->stiffening;
    double reference = body->class_count > 0 ? body->stiffness[0] * body->stiffening : 1.0;
    // Weight 0 means "never moves", so however heavy a particle is it keeps a little.
    return (slv_response){
        .weight = (float)fmax(reference / diagonal, (double)FLT_MIN),
        .anchor = (float)(inertia / diagonal),
        .inverse_mass = (float)fmax(1.0 / mass, (double)FLT_MIN),
    };
}

bool slv_body_grow_moves(slv_body *body, uint32_t count) {
    if (count <= body->move_room - body->move_count) {
        return true;
    }
    uint32_t room = body->move_count + count;
    slv_memory memory = {.allocator = body->move_memory.allocator};
    slv_move *moves = slv_memory_take(&memory, room, sizeof *moves);
    if (!moves) {
        return false;
    }
    if (body->move_count > 0) {
        memcpy(moves, body->moves, body->move_count * sizeof *moves);
    }
    slv_memory_release(&body->move_memory);
    body->move_memory = memory;
    body->moves = moves;
    body->move_room = room;
    return true;
}

uint32_t slv_body_find_move(slv_body *body, uint32_t particle) {
    if (body->move_of[particle] == 0) {
        body->move_of[particle] = ++body->move_count;
    }
    body->moves_changed = true;
    return body->move_of[particle] - 1;
}

void slv_body_forget_moves(slv_body *body) {
    uint32_t kept = 0;
    for (uint32_t m = 0; m < body->move_count; m++) {
        const slv_move move = body->moves[m];
        bool goes_on = move.done < move.total && body->fixed[move.particle];
        body->move_of[move.particle] = goes_on ? kept + 1 : 0;
        if (goes_on) {
            body->moves[kept] = move;
            body->paths[kept] = body->paths[m];
        }
        kept += goes_on ? 1 : 0;
    }
    body->moves_changed = body->moves_changed || kept < body->move_count;
    body->move_count = kept;
}

void slv_body_place(const slv_body *body, uint32_t particle, uint32_t place[3]) {
    uint32_t cell = body->cell[particle];
    place[0] = cell % body->cells[0];
    place[1] = cell / body->cells[0] % body->cells[1];
    place[2] = cell / body->cells[0] / body->cells[1];
}

int slv_body_direction(const slv_body *body, const slv_spring *spring) {
    uint32_t a[3];
    uint32_t b[3];
    int direction = -1;
    slv_body_place(body, spring->a, a);
    slv_body_place(body, spring->b, b);
    for (int d = 0; d < 3; d++) {
        if (a[d] == b[d]) {
            continue;
        }
        if (direction >= 0 || (b[d] != a[d] + 1 && a[d] != b[d] + 1)) {
            return -1;
        }
        direction = 2 * d + (b[d] > a[d] ? 1 : 0);
    }
    return direction;
}
