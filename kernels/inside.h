// SPDX-License-Identifier: MIT
// The exit direction of a particle that starts a step inside colliders. Projected to the surface at once it would leave
// with its depth over the step as its velocity. So each pass moves it by push_step from its start in that direction, with
// the collider that it is deepest in. Only the last pass leaves it where constraints have pulled it since: they hold
// cloth together whose particles have different exit directions.
//
// It is the one with the shortest path of several directions: the normals of the colliders around the particle, and those
// to the faces and corners of a cube. Colliders may overlap: a path ends where it has left all of them. The direction is
// found anew in each step, and that of the last step, whose path is shorter by what the particle moved, is among those to
// choose from. So without constraints the path shrinks by push_step a step. Cloth whose exit directions are opposite may
// stay inside.
#ifndef SLV_KERNELS_INSIDE_H
#define SLV_KERNELS_INSIDE_H

#include "kernels/collider.h"

enum {
    SLV_EXIT_COLLIDERS = 24, // that a path is tested against: those with the nearest bounding boxes
    SLV_EXIT_STRIDES = 32,   // of a path at most; one that is not traced to its end is none
    SLV_EXIT_FIXED = 14      // directions of a cube
};

#define SLV_EXIT_DIAGONAL 0.577350269f // a component of the directions to the corners of a cube
// Metres: rounding of the distance that a contact moves a particle outwards.
#define SLV_PUSH_TOLERANCE 1e-6f

// The colliders near a point at the start of a step.
typedef struct slv_exit_search {
    int count;
    int number[SLV_EXIT_COLLIDERS];
    float away[SLV_EXIT_COLLIDERS]; // metres from the bounding box along its worst axis, or below 0
    float thickness;
} slv_exit_search;

SLV_INLINE slv_exit_search slv_find_exit_colliders(const SLV_GLOBAL float *state,
                                                   const SLV_GLOBAL int *table,
                                                   const SLV_PRIVATE slv_body_layout *body,
                                                   slv_vector p) {
    int room = table[body->contact + SLV_CONTACT_ROOM];
    int boxes = table[body->contact + SLV_CONTACT_BOXES];
    int kinds = table[body->contact + SLV_CONTACT_KINDS];
    float at[3] = {p.x, p.y, p.z};
    slv_exit_search search;
    search.count = 0;
    search.thickness = body->thickness;
    for (int c = 0; c < room; c++) {
        float away = -SLV_FAR;
        for (int d = 0; d < 3; d++) {
            float below = state[boxes + d * room + c] - at[d];
            float above = at[d] - state[boxes + (3 + d) * room + c];
            away = slv_max(away, slv_max(below, above));
        }
        int last = search.count - 1;
        int full = search.count == SLV_EXIT_COLLIDERS;
        if (table[kinds + c] == SLV_SHAPE_NONE || (full && !(away < search.away[last]))) {
            continue;
        }
        int n = full ? last : search.count;
        for (; n > 0 && away < search.away[n - 1]; n--) {
            search.number[n] = search.number[n - 1];
            search.away[n] = search.away[n - 1];
        }
        search.number[n] = c;
        search.away[n] = away;
        search.count = full ? search.count : search.count + 1;
    }
    return search;
}

// The gap of a point and collider `number` at the start of the step, less the thickness.
SLV_NOINLINE slv_gap slv_gap_at_start(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body, int number,
                                      slv_vector p) {
    int contact = body->contact;
    int record = table[contact + SLV_CONTACT_COLLIDERS] + number * SLV_COLLIDER_FLOATS;
    int kind = table[table[contact + SLV_CONTACT_KINDS] + number];
    slv_collider collider = slv_load_collider(state, record);
    slv_gap gap = slv_collider_gap(state, &collider, &collider.start, kind, p);
    gap.distance -= body->thickness;
    return gap;
}

// Metres that a point has to go in a direction until it is out of all colliders; SLV_FAR where it is not out after
// `most`. Inside it strides by its largest depth, which no path is shorter than.
SLV_INLINE float slv_trace_exit(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_body_layout *body,
                                const SLV_PRIVATE slv_exit_search *search, slv_vector p,
                                slv_vector direction, float most) {
    float length = 0.0f;
    for (int stride = 0; stride < SLV_EXIT_STRIDES && length < most; stride++) {
        slv_vector at = slv_add_scaled(p, length, direction);
        float depth = 0.0f;
        for (int n = 0; n < search->count; n++) {
            depth = slv_max(
                depth, 0.0f - slv_gap_at_start(state, table, body, search->number[n], at).distance);
        }
        if (depth <= body->push_step) {
            return length + depth;
        }
        length = length + depth;
    }
    return SLV_FAR;
}

// To the six faces and eight corners of a cube.
SLV_INLINE slv_vector slv_cube_direction(int n) {
    if (n < 6) {
        float sign = (n & 1) != 0 ? -1.0f : 1.0f;
        return slv_make_vector(n / 2 == 1 ? sign : 0.0f, n / 2 == 0 ? sign : 0.0f,
                               n / 2 == 2 ? sign : 0.0f);
    }
    return slv_make_vector((n & 1) != 0 ? SLV_EXIT_DIAGONAL : -SLV_EXIT_DIAGONAL,
                           (n & 2) != 0 ? SLV_EXIT_DIAGONAL : -SLV_EXIT_DIAGONAL,
                           (n & 4) != 0 ? SLV_EXIT_DIAGONAL : -SLV_EXIT_DIAGONAL);
}

// Where a collider takes a point of the start of the step.
SLV_INLINE slv_vector slv_carry_point(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body, int number,
                                      slv_vector p) {
    int record = table[body->contact + SLV_CONTACT_COLLIDERS] + number * SLV_COLLIDER_FLOATS;
    if (!(state[record + SLV_COLLIDER_DISPLACEMENT] > 0.0f)) {
        return p;
    }
    slv_frame start = slv_load_frame(state, record + SLV_COLLIDER_START);
    slv_frame end = slv_load_frame(state, record + SLV_COLLIDER_END);
    return slv_to_world(&end, slv_to_local(&start, p));
}

// Where a pass leaves a particle that began the step at `start` and that the pass found at `reached`: `q`, unless the
// start is deeper inside a collider than push_step.
SLV_NOINLINE slv_vector slv_push_out(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, slv_vector start,
                                     slv_vector reached, slv_vector q) {
    slv_exit_search search = slv_find_exit_colliders(state, table, body, start);
    float deepest = body->push_step;
    float shortest = SLV_FAR;
    float shallowest = SLV_FAR;
    int carrier = -1;
    slv_vector exit = slv_make_vector(0.0f, 1.0f, 0.0f);
    for (int n = 0; n < search.count; n++) {
        slv_gap gap = slv_gap_at_start(state, table, body, search.number[n], start);
        if (!(gap.distance < 0.0f)) {
            continue;
        }
        carrier = 0.0f - gap.distance > deepest ? search.number[n] : carrier;
        deepest = slv_max(deepest, 0.0f - gap.distance);
        float length = slv_trace_exit(state, table, body, &search, start, gap.normal, shortest);
        // Without any path, towards the nearest surface.
        int better = length < shortest || (shortest >= SLV_FAR && 0.0f - gap.distance < shallowest);
        exit.x = better ? gap.normal.x : exit.x;
        exit.y = better ? gap.normal.y : exit.y;
        exit.z = better ? gap.normal.z : exit.z;
        shortest = slv_min(shortest, length);
        shallowest = slv_min(shallowest, 0.0f - gap.distance);
    }
    if (carrier < 0) {
        return q;
    }
    if ((launch->flags & SLV_LAST_PASS) != 0) {
        return reached;
    }
    for (int n = 0; n < SLV_EXIT_FIXED; n++) {
        slv_vector direction = slv_cube_direction(n);
        float length = slv_trace_exit(state, table, body, &search, start, direction, shortest);
        int better = length < shortest;
        exit.x = better ? direction.x : exit.x;
        exit.y = better ? direction.y : exit.y;
        exit.z = better ? direction.z : exit.z;
        shortest = slv_min(shortest, length);
    }
    return slv_carry_point(state, table, body, carrier,
                           slv_add_scaled(start, body->push_step, exit));
}

#endif
