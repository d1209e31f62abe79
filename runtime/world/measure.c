// SPDX-License-Identifier: MIT
#include "runtime/base/float_modes.h"
#include "runtime/step/features/tearing.h"
#include "runtime/world/begin.h"
#include "runtime/world/fetch.h"

#include <math.h>

// Measures, in double and in own order: the same on every machine and for every layout.

static void read_position(const slv_particle_view *view, uint32_t particle, double position[3]) {
    float single[3];
    slv_particle_view_get(view, particle, single);
    for (int d = 0; d < 3; d++) {
        position[d] = (double)single[d];
    }
}

static double distance(const double a[3], const double b[3]) {
    double dx = a[0] - b[0];
    double dy = a[1] - b[1];
    double dz = a[2] - b[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static void measure_springs(const slv_body *body, const slv_particle_view *view,
                            slv_measures *measures) {
    const uint8_t *torn = slv_tears_get(body)->torn;
    for (uint32_t s = 0; s < body->stretch_count; s++) {
        const slv_spring *spring = &body->springs[s];
        double a[3];
        double b[3];
        if (torn && torn[s]) {
            continue;
        }
        read_position(view, spring->a, a);
        read_position(view, spring->b, b);
        double length = distance(a, b);
        double rest = (double)spring->rest;
        measures->residual += (length - rest) * (length - rest);
        if (rest > 0.0) {
            measures->max_stretch = fmax(measures->max_stretch, length / rest);
        }
    }
}

static double kinetic_energy(const slv_world *world, uint32_t index) {
    const slv_body *body = world->bodies[index];
    double energy = 0.0;
    for (uint32_t p = 0; p < body->count; p++) {
        double at[6];
        slv_layout_read_exactly(&world->layout, index, p, at);
        double speed = distance(at, at + 3) / world->time_step;
        energy += body->fixed[p] ? 0.0 : 0.5 * (double)slv_body_get_mass(body, p) * speed * speed;
    }
    return energy;
}

slv_result slv_world_get_measures(slv_world *world, slv_measures *measures) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin_with(world, measures, "measures");
    if (status != SLV_OK) {
        return status;
    }
    status = slv_world_fetch_state(world);
    if (status == SLV_OK) {
        status = slv_world_fetch_bodies(world);
    }
    if (status != SLV_OK) {
        return status;
    }
    *measures = (slv_measures){.max_stretch = 0.0};
    for (uint32_t i = 0; i < world->body_count; i++) {
        slv_particle_view view;
        (void)slv_garment_get_positions(world, slv_body_id(world, world->bodies[i]), &view);
        measure_springs(world->bodies[i], &view, measures);
        measures->kinetic_energy += kinetic_energy(world, i);
    }
    return SLV_OK;
}
