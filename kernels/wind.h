// SPDX-License-Identifier: MIT
// Aerodynamic drag. A triangle sees the wind velocity less its own. The normal part pushes it along its
// normal with density/2 * drag * area * speed², the tangential part adds a small tangential drag; a
// third of the force acts on each corner. Each particle sums over the triangles around it, so no two
// elements write to one particle. Within a step the displacement by drag is at most that of the air
// itself.
//
// Beside it, or in its place, acts the wind of the integrators paper (2016, equation 3.2), which does not
// see how the cloth moves: its force along the normal is `wind_pressure` * area * wind along the normal,
// with any sign. The paper's constant is a sixth of ours: there each corner has the whole force, and the
// area is that of a parallelogram.
#ifndef SLV_KERNELS_WIND_H
#define SLV_KERNELS_WIND_H

#include "kernels/contact.h"

#define SLV_HALF_AIR_DENSITY 0.6f // kg/m³
#define SLV_TANGENTIAL_DRAG 0.05f // tangential drag over normal drag

// Displacement of the first of a triangle's three particles by drag and pressure in this step, metres.
SLV_INLINE slv_vector slv_wind_on_triangle(const SLV_GLOBAL float *state,
                                           const SLV_PRIVATE slv_body_layout *body, int start,
                                           int before, slv_vector wind, float drag_per_mass,
                                           float pressure_per_mass,
                                           const SLV_PRIVATE int *offsets) {
    slv_vector corner[3];
    slv_vector speed = wind;
    for (int i = 0; i < 3; i++) {
        int at = offsets[i];
        int step = body->component;
        corner[i] = slv_make_vector(state[start + at], state[start + at + step],
                                    state[start + at + 2 * step]);
        slv_vector old = slv_make_vector(state[before + at], state[before + at + step],
                                         state[before + at + 2 * step]);
        speed = slv_add_scaled(speed, -1.0f / 3.0f, slv_subtract(corner[i], old));
    }
    slv_vector a = slv_subtract(corner[1], corner[0]);
    slv_vector b = slv_subtract(corner[2], corner[0]);
    slv_vector normal =
        slv_make_vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
    float double_area = slv_length(normal);
    float scale = double_area > 0.0f ? 1.0f / double_area : 0.0f;
    normal = slv_make_vector(scale * normal.x, scale * normal.y, scale * normal.z);
    float across = slv_dot(speed, normal);
    slv_vector along = slv_add_scaled(speed, 0.0f - across, normal);
    float third = drag_per_mass * double_area * (1.0f / 6.0f);
    float push = slv_min(third * slv_absolute(across), 1.0f);
    float tangential = slv_min(SLV_TANGENTIAL_DRAG * third * slv_length(speed), 1.0f);
    slv_vector moved =
        slv_make_vector(tangential * along.x, tangential * along.y, tangential * along.z);
    moved = slv_add_scaled(moved, push * across, normal);
    if (pressure_per_mass > 0.0f) {
        float pressed = pressure_per_mass * double_area * (1.0f / 6.0f) * slv_dot(wind, normal);
        moved = slv_add_scaled(moved, pressed, normal);
    }
    return moved;
}

SLV_INLINE void slv_apply_wind(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int slot) {
    if (slot < 0 || !(state[body->inverse_mass + slot] > 0.0f)) {
        return;
    }
    int start = slv_step_start(body, launch);
    int before = slv_step_before(body, launch);
    slv_vector wind = slv_make_vector(launch->wind[0], launch->wind[1], launch->wind[2]);
    slv_vector sum = slv_make_vector(0.0f, 0.0f, 0.0f);
    float drag_per_mass = SLV_HALF_AIR_DENSITY * body->drag * state[body->inverse_mass + slot];
    float pressure_per_mass = body->wind_pressure * state[body->inverse_mass + slot];
    int offsets[3];
    offsets[0] = slot * body->stride;
    for (int n = table[body->fans + slot]; n < table[body->fans + slot + 1]; n++) {
        offsets[1] = table[body->fan_ends + 2 * n];
        offsets[2] = table[body->fan_ends + 2 * n + 1];
        sum = slv_add_scaled(sum, 1.0f,
                             slv_wind_on_triangle(state, body, start, before, wind, drag_per_mass,
                                                  pressure_per_mass, offsets));
    }
    slv_vector predicted = slv_load_vector(state, body, body->predicted, slot);
    slv_store_vector(state, body, body->predicted, slot, slv_add_scaled(predicted, 1.0f, sum));
    slv_displace(state, body, offsets[0], sum.x);
    slv_displace(state, body, offsets[0] + body->component, sum.y);
    slv_displace(state, body, offsets[0] + 2 * body->component, sum.z);
}

#endif
