// SPDX-License-Identifier: MIT
// Air. Each triangle of the cloth meets the wind less its own speed: what comes at it pushes it along its
// normal with density/2 * drag * area * speed², what passes along it drags a little; a third of it goes to
// each corner. Every particle looks at the triangles around it, so nobody writes for others. However
// strong the wind, within a step air at most takes a particle along with it.
#ifndef SLV_KERNELS_WIND_H
#define SLV_KERNELS_WIND_H

#include "kernels/contact.h"

#define SLV_AIR 0.6f   // half of the density of air, kg/m³
#define SLV_SKIN 0.05f // drag along the cloth over drag across it

// What the triangle of three particles does to the first, in metres of this step.
SLV_INLINE slv_vector slv_blow_triangle(const SLV_GLOBAL float *state,
                                        const SLV_PRIVATE slv_body_layout *body, int start,
                                        int before, slv_vector wind, float share,
                                        const SLV_PRIVATE int *places) {
    slv_vector corner[3];
    slv_vector speed = wind;
    for (int i = 0; i < 3; i++) {
        int at = places[i];
        int step = body->component;
        corner[i] = slv_make_vector(state[start + at], state[start + at + step],
                                    state[start + at + 2 * step]);
        slv_vector old = slv_make_vector(state[before + at], state[before + at + step],
                                         state[before + at + 2 * step]);
        speed = slv_along(speed, -1.0f / 3.0f, slv_minus(corner[i], old));
    }
    slv_vector a = slv_minus(corner[1], corner[0]);
    slv_vector b = slv_minus(corner[2], corner[0]);
    slv_vector normal =
        slv_make_vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
    float twice = slv_length(normal);
    float scale = twice > 0.0f ? 1.0f / twice : 0.0f;
    normal = slv_make_vector(scale * normal.x, scale * normal.y, scale * normal.z);
    float across = slv_dot(speed, normal);
    slv_vector along = slv_along(speed, 0.0f - across, normal);
    float third = share * twice * (1.0f / 6.0f);
    float push = slv_smaller(third * slv_absolute(across), 1.0f);
    float skin = slv_smaller(SLV_SKIN * third * slv_length(speed), 1.0f);
    slv_vector moved = slv_make_vector(skin * along.x, skin * along.y, skin * along.z);
    return slv_along(moved, push * across, normal);
}

SLV_INLINE void slv_blow(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                         const SLV_PRIVATE slv_body_layout *body,
                         const SLV_PRIVATE slv_launch *launch, int slot) {
    if (slot < 0 || !(state[body->inverse_mass + slot] > 0.0f)) {
        return;
    }
    int start = slv_step_start(body, launch);
    int before = launch->parity ? body->prev[1] : body->prev[0];
    slv_vector wind = slv_make_vector(launch->wind[0], launch->wind[1], launch->wind[2]);
    slv_vector sum = slv_make_vector(0.0f, 0.0f, 0.0f);
    float share = SLV_AIR * body->drag * state[body->inverse_mass + slot];
    int places[3];
    places[0] = slot * body->stride;
    for (int n = table[body->fans + slot]; n < table[body->fans + slot + 1]; n++) {
        places[1] = table[body->fan_ends + 2 * n];
        places[2] = table[body->fan_ends + 2 * n + 1];
        sum = slv_along(sum, 1.0f,
                        slv_blow_triangle(state, body, start, before, wind, share, places));
    }
    slv_vector y = slv_load_vector(state, body, body->y, slot);
    slv_vector q = slv_load_vector(state, body, body->q, slot);
    slv_store_vector(state, body, body->y, slot, slv_along(y, 1.0f, sum));
    slv_store_vector(state, body, body->q, slot, slv_along(q, 1.0f, sum));
}

#endif
