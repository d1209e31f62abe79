// SPDX-License-Identifier: MIT
#include "runtime/model/body_build.h"

#include "runtime/base/rotation.h"
#include "runtime/model/clusters.h"
#include "runtime/model/coloring.h"
#include "runtime/model/factor.h"
#include "runtime/model/flexures.h"
#include "runtime/model/paint.h"
#include "runtime/model/springs.h"
#include "runtime/model/triangles.h"

#include <math.h>
#include <string.h>

// Metres between neighbors where neither springs nor a grid tell it.
static const float usual_spacing = 0.02f;

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

void slv_body_set_material(slv_body *body, const slv_garment_def *def) {
    body->particle_mass = def->particle_mass;
    body->spring_damping = (double)def->spring_damping;
    body->flexural_rigidity = (double)def->flexural_rigidity;
    body->buckling_rigidity = (double)def->buckling_rigidity;
}

// Position = def->position + rotation (scale stretch p); displacement of a step = h v.
static void place_particle(const slv_garment_def *def, const double turn[3][3], double time_step,
                           const double p[3], float start[6]) {
    double size = (double)def->scale * (double)def->stretch;
    for (int d = 0; d < 3; d++) {
        double turned = turn[d][0] * p[0] + turn[d][1] * p[1] + turn[d][2] * p[2];
        start[d] = (float)(def->position[d] + size * turned);
        start[3 + d] = (float)(time_step * (double)def->velocity[d]);
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
        place_particle(def, (const double(*)[3])turn, time_step, p, body->start + 6 * (size_t)own);
        body->mass[own] = inverse > 0.0f ? 1.0f / inverse : 0.0f;
        body->start_fixed[own] = (uint8_t) !(inverse > 0.0f);
        body->storage_order[s] = own;
        if (body->cell) {
            body->cell[own] = garment->cell[s];
        }
    }
    slv_body_set_material(body, def);
    if (garment->grid) {
        memcpy(body->cells, garment->grid->cells, sizeof body->cells);
    }
    for (int d = 0; d < 3; d++) {
        body->pose.position[d] = (float)def->position[d];
    }
    memcpy(body->pose.rotation, def->rotation, sizeof body->pose.rotation);
    body->start_pose = body->pose;
}

static void cross(const double a[3], const double b[3], double result[3]) {
    result[0] = a[1] * b[2] - a[2] * b[1];
    result[1] = a[2] * b[0] - a[0] * b[2];
    result[2] = a[0] * b[1] - a[1] * b[0];
}

// Adds the displacement of a step by the spin around the center of what has mass.
static void add_spin(slv_body *body, const slv_garment_def *def, double time_step) {
    const double spin[3] = {(double)def->spin[0], (double)def->spin[1], (double)def->spin[2]};
    double center[3] = {0.0, 0.0, 0.0};
    double mass = 0.0;
    for (uint32_t p = 0; p < body->count; p++) {
        const double own = (double)slv_body_get_mass(body, p);
        for (int d = 0; d < 3; d++) {
            center[d] += own * (double)body->start[6 * (size_t)p + (size_t)d];
        }
        mass += own;
    }
    if (!(mass > 0.0) || (spin[0] == 0.0 && spin[1] == 0.0 && spin[2] == 0.0)) {
        return;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        float *start = body->start + 6 * (size_t)p;
        double lever[3];
        double velocity[3];
        for (int d = 0; d < 3; d++) {
            lever[d] = (double)start[d] - center[d] / mass;
        }
        cross(spin, lever, velocity);
        for (int d = 0; d < 3; d++) {
            start[3 + d] = (float)((double)start[3 + d] + time_step * velocity[d]);
        }
    }
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
        body->start_fixed[p] |= slv_paint_weight(body, def->paint.fixed, p) < 0.5f ? 1 : 0;
    }
    memcpy(body->fixed, body->start_fixed, body->count * sizeof *body->fixed);
    return status;
}

// Without distance constraints that of a body's grid, or the usual one.
static void measure_spacing(slv_body *body, const slv_garment *garment, double scale) {
    double sum = 0.0;
    for (uint32_t s = 0; s < body->stretch_count; s++) {
        sum += (double)body->springs[s].rest;
    }
    const double grid = body->clusters.count > 0 ? scale * (double)garment->info.spacing : 0.0;
    body->spacing = body->stretch_count > 0 ? (float)(sum / body->stretch_count)
                    : grid > 0.0            ? (float)grid
                                            : usual_spacing;
}

static double rest_distance(const slv_garment *garment, uint32_t from, uint32_t to, int axis) {
    const float *values = axis == 0 ? garment->x : axis == 1 ? garment->y : garment->z;
    return (double)values[garment->stored_of_own[to]] -
           (double)values[garment->stored_of_own[from]];
}

static double triangle_area(const slv_garment *garment, const uint32_t corners[3]) {
    double u[3];
    double v[3];
    double normal[3];
    for (int d = 0; d < 3; d++) {
        u[d] = rest_distance(garment, corners[0], corners[1], d);
        v[d] = rest_distance(garment, corners[0], corners[2], d);
    }
    cross(u, v, normal);
    return 0.5 * sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
}

// Each particle that can move gets a third of the mass of the triangles around it. One without triangles keeps its own.
static slv_result set_density(slv_body *body, const slv_garment *garment,
                              const slv_garment_def *def, slv_error *error) {
    slv_memory scratch = {.allocator = body->memory.allocator};
    slv_triangles triangles = {NULL, 0};
    if (!(def->density > 0.0f)) {
        return SLV_OK;
    }
    double *mass = slv_memory_take(&scratch, body->count, sizeof *mass);
    bool done = mass != NULL;
    if (done && slv_triangles_have_grid(body)) {
        done = slv_triangles_find_grid(&triangles, body, &scratch, &scratch);
    } else if (done && slv_triangles_are_drawn(body)) {
        done = slv_triangles_find_drawn(&triangles, body, &scratch);
    }
    const double third = (double)def->density * (double)def->scale * (double)def->scale / 3.0;
    for (size_t t = 0; done && t < triangles.count; t++) {
        const double share = third * triangle_area(garment, triangles.corners + 3 * t);
        for (size_t c = 0; c < 3; c++) {
            mass[triangles.corners[3 * t + c]] += share;
        }
    }
    for (uint32_t p = 0; done && p < body->count; p++) {
        body->mass[p] = body->mass[p] > 0.0f && mass[p] > 0.0 ? (float)mass[p] : body->mass[p];
    }
    const uint32_t count = triangles.count;
    slv_memory_release(&scratch);
    return !done       ? out_of_memory(error)
           : count > 0 ? SLV_OK
                       : slv_fail(error, SLV_ERROR_UNSUPPORTED,
                                  "density: needs a flat grid or a mesh whose vertices are "
                                  "particles (selvage-voxelize --mode surface)");
}

// --- From a model -----------------------------------------------------------------------------------

// Whether springs are all that has to be copied.
static bool can_be_model(const slv_body *model) {
    bool springs_only = model->phantoms.copy_count == 0 && model->clusters.count == 0 &&
                        !model->paint && model->factor.block_count == 0;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        springs_only = springs_only && model->batches[b].count == 0;
    }
    return springs_only;
}

static void *copy_array(slv_body *body, const void *from, size_t count, size_t size, bool *done) {
    void *copy = *done && from ? slv_memory_take(&body->memory, count, size) : NULL;
    *done = *done && (copy || !from);
    if (copy && count > 0) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

// Springs, coloring and what was computed from them. False without memory.
static bool copy_springs(slv_body *body, const slv_body *model) {
    bool done = true;
    body->springs =
        copy_array(body, model->springs, model->spring_count, sizeof *body->springs, &done);
    body->groups = copy_array(body, model->groups, model->group_count, sizeof *body->groups, &done);
    body->runs = copy_array(body, model->runs, model->run_count, sizeof *body->runs, &done);
    body->present = copy_array(body, model->present, model->count, sizeof *body->present, &done);
    body->color = copy_array(body, model->color, model->count, sizeof *body->color, &done);
    body->stencil = model->stencil;
    body->stencil.directions = copy_array(body, model->stencil.directions, model->count,
                                          sizeof *body->stencil.directions, &done);
    if (done) {
        memcpy(body->stiffness_sum, model->stiffness_sum,
               model->count * sizeof *body->stiffness_sum);
    }
    body->spring_count = model->spring_count;
    body->stretch_count = model->stretch_count;
    body->group_count = model->group_count;
    body->averaged_group_count = model->averaged_group_count;
    body->run_count = model->run_count;
    body->class_count = model->class_count;
    body->neighbor_ends = model->neighbor_ends;
    memcpy(body->stiffness, model->stiffness, sizeof body->stiffness);
    memcpy(body->buckles, model->buckles, sizeof body->buckles);
    body->color_count = model->color_count;
    body->spacing = model->spacing;
    body->neighborly = model->neighborly;
    body->lattice = model->lattice;
    return done;
}

static slv_result build_like(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                             const slv_body *model, double time_step, slv_error *error) {
    if (!allocate_particles(body, garment->grid != NULL)) {
        return out_of_memory(error);
    }
    add_particles(body, garment, def, time_step);
    slv_result status = fix_particles(body, garment, def, error);
    body->stretch = def->stretch;
    if (status == SLV_OK &&
        (!copy_springs(body, model) ||
         !slv_surface_create(&body->surface, garment, (double)def->scale, &body->memory))) {
        return out_of_memory(error);
    }
    if (status == SLV_OK) {
        status = set_density(body, garment, def, error);
        add_spin(body, def, time_step);
    }
    return status;
}

// --- From a pack ------------------------------------------------------------------------------------

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
        status = slv_cluster_set_create(&body->clusters, garment, (double)def->scale, &body->memory,
                                        error);
    }
    if (status == SLV_OK) {
        status = slv_body_add_factor(body, garment, error);
    }
    if (status == SLV_OK) {
        body->stretch = def->stretch;
        measure_spacing(body, garment, (double)def->scale);
    }
    if (status == SLV_OK && !slv_color_particles(body, garment, scratch)) {
        status = out_of_memory(error);
    }
    if (status == SLV_OK &&
        !slv_surface_create(&body->surface, garment, (double)def->scale, &body->memory)) {
        status = out_of_memory(error);
    }
    if (status == SLV_OK) {
        status = set_density(body, garment, def, error);
        add_spin(body, def, time_step);
    }
    return status == SLV_OK ? slv_flexures_create(body, garment, def, error) : status;
}

slv_result slv_body_create(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                           const slv_body *model, double time_step, slv_allocator allocator,
                           slv_error *error) {
    slv_memory scratch = {.allocator = allocator};
    *body = (slv_body){
        .memory = {.allocator = allocator},
        .move_memory = {.allocator = allocator},
        .count = garment->info.particle_count,
    };
    slv_result status = model && can_be_model(model)
                            ? build_like(body, garment, def, model, time_step, error)
                            : build(body, garment, def, time_step, &scratch, error);
    slv_memory_release(&scratch);
    if (status != SLV_OK) {
        slv_body_destroy(body);
    }
    return status;
}
