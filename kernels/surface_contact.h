// SPDX-License-Identifier: MIT
// Contacts between surfaces, after all constraints of a step have been solved (kernels/surfaces.h says which pairs are
// listed).
//
// A listed contact has a normal, the weights of its four corners and a distance, all from the time at which the two
// first come near each other. Each round corrects all corners so that the weighted distance along the normal is kept,
// with friction against the tangential displacement since the start of the step. Corrections of a vertex are averaged
// (Jacobi). They are added up as integers, in units of a small part of the thickness, so the order of additions does not
// matter.
//
// After the rounds each pair is checked: its paths must stay apart (slv_stay_apart). Where they do not, both are
// shortened relative to the motion that they share. A pair that shortening does not part returns to its start, where it
// was apart. If that makes others meet, and they return too, until after a fixed number of passes some still meet, all
// surfaces return to their starts for this step.
#ifndef SLV_KERNELS_SURFACE_CONTACT_H
#define SLV_KERNELS_SURFACE_CONTACT_H

#include "kernels/contact.h"
#include "kernels/surface_find.h"

// launch->index of slv_surface_check: what is done with pairs that do not stay apart.
enum {
    SLV_SURFACE_SHORTEN = 0,
    SLV_SURFACE_RETURN = 1,         // its vertices
    SLV_SURFACE_RETURN_PATCHES = 2, // those of all triangles of a patch, too
    SLV_SURFACE_STOP = 3
};

// Of the distance that a pair is to have, and of its distance at the start: a gap that is kept on the way.
#define SLV_SURFACE_GAP 0.05f
#define SLV_SURFACE_START_GAP 0.9f
#define SLV_SURFACE_SHORTER 0.9f          // of the part of the paths that is certain
#define SLV_SURFACE_RELAXATION 1.5f       // of the mean of several corrections
#define SLV_SURFACE_CORRECTION_LIMIT 3e7f // units of one correction: 60 of them fit an int

// A contact and its corners.
typedef struct slv_surface_contact {
    slv_surface_pair pair;
    slv_vector normal;
    float distance;
    float weights[SLV_CORNERS], inverse_masses[SLV_CORNERS];
    int passable; // surfaces cross here
} slv_surface_contact;

SLV_INLINE slv_surface_contact slv_load_surface_contact(const SLV_GLOBAL float *state,
                                                        const SLV_GLOBAL int *table, int surfaces,
                                                        int number) {
    int ends = table[surfaces + SLV_SURFACES_ENDS] + SLV_CORNERS * number;
    int at = table[surfaces + SLV_SURFACES_CONTACTS] + SLV_SURFACE_CONTACT_FLOATS * number;
    int now = table[surfaces + SLV_SURFACES_NOW];
    int starts = table[surfaces + SLV_SURFACES_STARTS];
    slv_surface_contact contact;
    int crossing[2] = {0, 0};
    contact.normal = slv_load_point(state, at + SLV_SURFACE_NORMAL);
    contact.distance = state[at + SLV_SURFACE_DISTANCE];
    contact.pair.kind = table[ends] & 1;
    for (int n = 0; n < SLV_CORNERS; n++) {
        contact.pair.ends[n] = n == 0 ? table[ends] >> 1 : table[ends + n];
        contact.weights[n] = state[at + SLV_SURFACE_WEIGHTS + n];
        contact.inverse_masses[n] = state[now + 4 * contact.pair.ends[n] + 3];
        crossing[n < slv_first_corners(contact.pair.kind) ? 0 : 1] |=
            state[starts + 4 * contact.pair.ends[n] + 3] > 0.0f;
    }
    contact.passable = crossing[0] & crossing[1];
    slv_load_surface_pair(state, table, surfaces, &contact.pair);
    return contact;
}

// Adds a correction of a vertex, in metres, to its sum.
// NOLINTNEXTLINE(readability-non-const-parameter): atomic operations write it
SLV_INLINE void slv_add_correction(SLV_GLOBAL int *table, int surfaces, int vertex, float unit,
                                   slv_vector correction) {
    int sums = table[surfaces + SLV_SURFACES_SUMS] + 4 * vertex;
    float most = SLV_SURFACE_CORRECTION_LIMIT;
    slv_add_integer(&table[sums], (int)slv_clamp(correction.x / unit, 0.0f - most, most));
    slv_add_integer(&table[sums + 1], (int)slv_clamp(correction.y / unit, 0.0f - most, most));
    slv_add_integer(&table[sums + 2], (int)slv_clamp(correction.z / unit, 0.0f - most, most));
    slv_add_integer(&table[sums + 3], 1);
}

// --- Rounds ---------------------------------------------------------------------------------------------

SLV_INLINE slv_pair_material slv_surface_friction(const SLV_GLOBAL float *state,
                                                  const SLV_GLOBAL int *table, int surfaces,
                                                  const SLV_PRIVATE slv_surface_pair *pair) {
    int one = slv_surface_material(table, surfaces, pair->ends[0]);
    int other = slv_surface_material(table, surfaces, pair->ends[SLV_CORNERS - 1]);
    slv_pair_material material;
    material.thickness = 0.0f;
    material.friction = state[one + SLV_SURFACE_FRICTION] * state[other + SLV_SURFACE_FRICTION];
    material.kinetic =
        state[one + SLV_SURFACE_KINETIC_FRICTION] * state[other + SLV_SURFACE_KINETIC_FRICTION];
    return material;
}

SLV_INLINE void slv_push_contact(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int surfaces,
                                 int number, float unit) {
    slv_surface_contact contact = slv_load_surface_contact(state, table, surfaces, number);
    slv_vector apart = slv_sum_weighted(contact.pair.starts, contact.weights);
    slv_vector moved = slv_make_vector(0.0f, 0.0f, 0.0f);
    float response = 0.0f;
    for (int n = 0; n < SLV_CORNERS; n++) {
        moved = slv_add_scaled(moved, contact.weights[n], contact.pair.moves[n]);
        response += contact.inverse_masses[n] * contact.weights[n] * contact.weights[n];
    }
    float depth =
        contact.distance - (slv_dot(contact.normal, apart) + slv_dot(contact.normal, moved));
    if (contact.passable || !(depth > 0.0f) || !(response > 0.0f)) {
        return;
    }
    slv_vector tangential = slv_tangential_part(moved, contact.normal);
    float fraction =
        slv_friction_fraction(slv_surface_friction(state, table, surfaces, &contact.pair),
                              slv_dot(tangential, tangential), depth, depth);
    slv_vector correction =
        slv_add_scaled(slv_make_vector(0.0f, 0.0f, 0.0f), depth, contact.normal);
    correction = slv_add_scaled(correction, 0.0f - fraction, tangential);
    for (int n = 0; n < SLV_CORNERS; n++) {
        float part = contact.inverse_masses[n] * contact.weights[n] / response;
        slv_vector own =
            slv_make_vector(part * correction.x, part * correction.y, part * correction.z);
        if (part > 0.0f || part < 0.0f) {
            slv_add_correction(table, surfaces, contact.pair.ends[n], unit, own);
        }
    }
}

// Contacts number column, column + SLV_LANES … of a patch.
SLV_INLINE void slv_surface_push(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body, int patch, int column) {
    int surfaces = body->surfaces;
    int count = table[table[surfaces + SLV_SURFACES_COUNTS] + patch];
    if (slv_surfaces_are_active(state, table, body)) {
        int list = slv_surface_list(table, surfaces, patch);
        float unit = state[slv_surface_status(table, body) + SLV_SURFACE_UNIT];
        for (int n = column; n < count; n += SLV_LANES) {
            slv_push_contact(state, table, surfaces, list + n, unit);
        }
    }
}

SLV_INLINE void slv_store_surface_vertex(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                         int surfaces, int vertex, slv_vector position) {
    int at = slv_surface_body_of(table, surfaces, vertex);
    int q =
        table[at + SLV_SURFACE_BODY_Q] + table[table[surfaces + SLV_SURFACES_OFFSET_OF] + vertex];
    int step = table[at + SLV_SURFACE_BODY_COMPONENT];
    slv_store_vector_at(state, table[surfaces + SLV_SURFACES_NOW] + 4 * vertex, position);
    state[q] = position.x;
    state[q + step] = position.y;
    state[q + 2 * step] = position.z;
}

// Moves a vertex by the mean of its corrections, or back to its start.
SLV_INLINE void slv_surface_apply(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int vertex) {
    int surfaces = body->surfaces;
    if (!slv_surfaces_are_active(state, table, body)) {
        return;
    }
    int sums = table[surfaces + SLV_SURFACES_SUMS] + 4 * vertex;
    int count = table[sums + 3];
    int back = table[table[surfaces + SLV_SURFACES_BACK] + vertex];
    if (count == 0 && back == 0) {
        return;
    }
    int now = table[surfaces + SLV_SURFACES_NOW] + 4 * vertex;
    float unit = state[slv_surface_status(table, body) + SLV_SURFACE_UNIT];
    float mean = count > 0 ? unit * slv_min(SLV_SURFACE_RELAXATION / (float)count, 1.0f) : 0.0f;
    slv_vector moved =
        slv_make_vector((float)table[sums], (float)table[sums + 1], (float)table[sums + 2]);
    slv_vector position = slv_add_scaled(slv_load_point(state, now), mean, moved);
    if (back) {
        position = slv_load_point(state, table[surfaces + SLV_SURFACES_STARTS] + 4 * vertex);
    }
    for (int n = 0; n < 4; n++) {
        table[sums + n] = 0;
    }
    slv_store_surface_vertex(state, table, surfaces, vertex, position);
    slv_surface_watch(state, table, body, vertex);
}

// --- Checks ---------------------------------------------------------------------------------------------

// What the corners of a pair share of their displacements: that of fixed corners where there are some, else the mean by
// mass. `moving`: fixed corners move.
SLV_INLINE slv_vector slv_find_common_move(const SLV_PRIVATE slv_surface_contact *contact,
                                           SLV_PRIVATE int *moving) {
    slv_vector sums[2];
    float masses[2] = {0.0f, 0.0f};
    sums[0] = sums[1] = slv_make_vector(0.0f, 0.0f, 0.0f);
    for (int n = 0; n < SLV_CORNERS; n++) {
        int fixed = !(contact->inverse_masses[n] > 0.0f);
        float mass = fixed ? 1.0f : 1.0f / contact->inverse_masses[n];
        sums[fixed] = slv_add_scaled(sums[fixed], mass, contact->pair.moves[n]);
        masses[fixed] += mass;
    }
    *moving = slv_dot(sums[1], sums[1]) > 0.0f;
    int fixed = masses[1] > 0.0f;
    float reciprocal = slv_ratio(1.0f, masses[fixed]);
    return slv_make_vector(reciprocal * sums[fixed].x, reciprocal * sums[fixed].y,
                           reciprocal * sums[fixed].z);
}

// Shortens the paths of a pair to a part of them, relative to the motion that its corners share.
SLV_INLINE void slv_shorten_paths(SLV_GLOBAL int *table, int surfaces,
                                  const SLV_PRIVATE slv_surface_contact *contact, slv_vector common,
                                  float part, float unit) {
    for (int n = 0; n < SLV_CORNERS; n++) {
        if (contact->inverse_masses[n] > 0.0f) {
            slv_vector away = slv_subtract(common, contact->pair.moves[n]);
            slv_vector own = slv_make_vector((1.0f - part) * away.x, (1.0f - part) * away.y,
                                             (1.0f - part) * away.z);
            slv_add_correction(table, surfaces, contact->pair.ends[n], unit, own);
        }
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): atomic operations write it
SLV_INLINE void slv_return_pair(SLV_GLOBAL int *table, int surfaces,
                                const SLV_PRIVATE slv_surface_contact *contact) {
    for (int n = 0; n < SLV_CORNERS; n++) {
        if (contact->inverse_masses[n] > 0.0f) {
            slv_set_mark(&table[table[surfaces + SLV_SURFACES_BACK] + contact->pair.ends[n]]);
        }
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): atomic operations write it
SLV_INLINE void slv_return_patch(const SLV_GLOBAL float *state, SLV_GLOBAL int *table, int surfaces,
                                 int patch) {
    int corners = table[surfaces + SLV_SURFACES_CORNERS] + 3 * SLV_LANES * patch;
    for (int n = 0; n < 3 * SLV_LANES; n++) {
        int vertex = table[corners + n];
        if (vertex >= 0 && state[table[surfaces + SLV_SURFACES_NOW] + 4 * vertex + 3] > 0.0f) {
            slv_set_mark(&table[table[surfaces + SLV_SURFACES_BACK] + vertex]);
        }
    }
}

SLV_INLINE void slv_check_contact(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int patch, int number,
                                  int act) {
    int surfaces = body->surfaces;
    int status = slv_surface_status(table, body);
    int totals = table[surfaces + SLV_SURFACES_TOTALS];
    slv_surface_contact contact = slv_load_surface_contact(state, table, surfaces, number);
    slv_proximity near;
    int moving = 0;
    float part =
        contact.passable
            ? 1.0f
            : slv_stay_apart(contact.pair.starts, contact.pair.moves, contact.pair.kind,
                             SLV_SURFACE_GAP * contact.distance, SLV_SURFACE_START_GAP, &near);
    if (part > 1.0f) {
        slv_add_integer(&table[totals + SLV_SURFACE_LEFT], 1);
    }
    if (part >= 1.0f) {
        return;
    }
    slv_vector common = slv_find_common_move(&contact, &moving);
    slv_set_flag_often(&state[status + SLV_SURFACE_NEXT_ACTIVE]);
    int returns = act == SLV_SURFACE_RETURN || act == SLV_SURFACE_RETURN_PATCHES;
    if (act == SLV_SURFACE_SHORTEN || (returns && moving)) {
        slv_add_integer(&table[totals + SLV_SURFACE_SHORTENED], 1);
        slv_shorten_paths(table, surfaces, &contact, common,
                          act == SLV_SURFACE_SHORTEN ? SLV_SURFACE_SHORTER * part : 0.0f,
                          state[status + SLV_SURFACE_UNIT]);
    } else if (returns) {
        slv_add_integer(&table[totals + SLV_SURFACE_RETURNED], 1);
        slv_return_pair(table, surfaces, &contact);
        if (act == SLV_SURFACE_RETURN_PATCHES) {
            slv_return_patch(state, table, surfaces, patch);
        }
    } else if (moving) {
        slv_add_integer(&table[totals + SLV_SURFACE_LEFT], 1);
    } else {
        slv_set_flag_often(&state[status + SLV_SURFACE_STOPPED]);
    }
}

SLV_INLINE void slv_surface_check(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body,
                                  const SLV_PRIVATE slv_launch *launch, int patch, int column) {
    int surfaces = body->surfaces;
    int count = table[table[surfaces + SLV_SURFACES_COUNTS] + patch];
    if (slv_surfaces_are_active(state, table, body)) {
        int list = slv_surface_list(table, surfaces, patch);
        for (int n = column; n < count; n += SLV_LANES) {
            slv_check_contact(state, table, body, patch, list + n, launch->index);
        }
    }
}

// After all passes: where a pair still meets, every vertex that can move returns to its start. The first vertex writes
// the totals to where the host reads them.
SLV_INLINE void slv_surface_stop(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body, int vertex) {
    int surfaces = body->surfaces;
    int status = slv_surface_status(table, body);
    int now = table[surfaces + SLV_SURFACES_NOW] + 4 * vertex;
    int stopped = state[status + SLV_SURFACE_STOPPED] > 0.0f;
    if (vertex == 0) {
        int totals = table[surfaces + SLV_SURFACES_TOTALS];
        table[totals + SLV_SURFACE_STOPS] = stopped;
        for (int n = 0; n < SLV_SURFACE_TOTALS; n++) {
            state[status + SLV_SURFACE_REPORT + n] = (float)table[totals + n];
        }
    }
    if (stopped && table[table[surfaces + SLV_SURFACES_OFFSET_OF] + vertex] >= 0 &&
        state[now + 3] > 0.0f) {
        slv_store_surface_vertex(
            state, table, surfaces, vertex,
            slv_load_point(state, table[surfaces + SLV_SURFACES_STARTS] + 4 * vertex));
    }
}

#endif
