// SPDX-License-Identifier: MIT
// Particles against particles. A step begins with a neighbor list for each point (kernels/neighbors.h).
// The reach of a point is its radius. Pairs that lie near each other at rest are left out: the cloth
// itself keeps them apart. Each pass then averages, for every point, the corrections of its contacts
// (Jacobi), so the order of points does not matter.
//
// Two points whose relative displacement exceeds half their distance could pass each other. Where they
// first touch, a plane between them is found, and each stays on its side of it throughout the step.
//
// There are many passes, and few neighbors touch. The distance that a pair is to have is found once,
// with the lists, so that a pass reads nothing else of neighbors that are further apart.
#ifndef SLV_KERNELS_PAIRS_H
#define SLV_KERNELS_PAIRS_H

#include "kernels/contact.h"
#include "kernels/neighbors.h"

// Squares and factors of the sum of two radii.
#define SLV_FAST_SQUARE 0.16f  // of a displacement that is marked as fast in a list
#define SLV_SWEEP_SQUARE 0.25f // of a relative displacement that is swept
// Of one radius: the square of the distance from the predicted position.
#define SLV_STOPPED_SQUARE 0.0625f

// Friction of a body in contacts between particles, in the array SLV_CONTACT_PAIR_FRICTIONS.
enum {
    SLV_PAIR_FRICTION = 0, // square root, as of the next: friction of a pair is a product
    SLV_PAIR_KINETIC_FRICTION = 1,
    SLV_PAIR_FRICTION_FLOATS = 2
};

// --- Neighbor lists -------------------------------------------------------------------------------------

// The distance that a pair is to have at the end of a step that it begins at distance `apart`. An
// overlap is resolved by launch->overlap_step of it a step: all at once would be an impact, and a pile of
// cloth would not come to rest. Metres.
SLV_INLINE float slv_pair_distance(float overlap_step, float apart, float radii) {
    return apart < radii ? apart + overlap_step * (radii - apart) : radii;
}

// Where the lists of contacts between particles are, in table.
SLV_INLINE int slv_pair_lists_of(const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body) {
    return table[body->contact + SLV_CONTACT_PAIR_LISTS];
}

// Stores the predicted position and the friction of a point for the points in whose lists it is.
SLV_INLINE void slv_store_predicted(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body, int point) {
    int bins = body->search;
    int bin_body = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int at = table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
    int friction =
        table[body->contact + SLV_CONTACT_PAIR_FRICTIONS] + bin_body * SLV_PAIR_FRICTION_FLOATS;
    int offset =
        table[at + SLV_BIN_BODY_PREDICTED] + table[table[bins + SLV_BINS_OFFSET_OF] + point];
    slv_vector start = slv_load_point(state, table[bins + SLV_BINS_STARTS] + 4 * point);
    slv_vector move = slv_load_strided(state, offset, table[at + SLV_BIN_BODY_COMPONENT]);
    slv_store_point(state, table[body->contact + SLV_CONTACT_PREDICTED] + 4 * point,
                    slv_add_scaled(start, 1.0f, move), state[friction + SLV_PAIR_FRICTION]);
}

// Marks the entries of a point's list where one of the two is so fast that they might pass each other,
// and finds the distance that each pair is to have.
SLV_INLINE void slv_pair_measure(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body, float overlap_step,
                                 int lists, int point) {
    int bins = body->search;
    int starts = table[bins + SLV_BINS_STARTS];
    int now = table[bins + SLV_BINS_NOW];
    int rests = table[lists + SLV_LISTS_RESTS];
    int list = slv_find_list(table, lists, point);
    int gaps = table[body->contact + SLV_CONTACT_PAIR_GAPS] + slv_find_entry(table, lists, point);
    int count = slv_count_listed(table, lists, point);
    slv_vector start = slv_load_point(state, starts + 4 * point);
    slv_vector displacement = slv_subtract(slv_load_point(state, now + 4 * point), start);
    for (int n = 0; n < count; n++) {
        int other = table[list + SLV_LANES * n] >> 1;
        slv_vector there = slv_load_point(state, starts + 4 * other);
        slv_vector others = slv_subtract(slv_load_point(state, now + 4 * other), there);
        slv_vector closing = slv_subtract(displacement, others);
        float radii = slv_sum_reaches(state[rests + 4 * point + 3], state[rests + 4 * other + 3]);
        float apart = slv_length(slv_subtract(there, start));
        float longest = slv_max(slv_dot(others, others), slv_dot(displacement, displacement));
        int fast = apart > radii &&
                   slv_max(longest, slv_dot(closing, closing)) > SLV_FAST_SQUARE * radii * radii;
        table[list + SLV_LANES * n] = 2 * other + fast;
        state[gaps + SLV_LANES * n] = slv_pair_distance(overlap_step, apart, radii);
    }
}

// Finds the neighbors of a point and what contacts need to know of them. An entry of its list is twice
// the other point, plus 1 where one of the two is so fast that they might pass each other.
SLV_INLINE void slv_pair_find(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                              const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch, int point) {
    if (!slv_is_point_searched(state, table, body, launch, point)) {
        return;
    }
    int lists = slv_pair_lists_of(table, body);
    slv_search_neighbors(state, table, body->search, lists, point);
    slv_pair_measure(state, table, body, launch->overlap_step, lists, point);
    if (slv_is_immovable(state, table, body->search, point) ||
        table[table[lists + SLV_LISTS_COUNTS] + point] != 0) {
        slv_store_predicted(state, table, body, point);
    }
}

// --- Contacts -------------------------------------------------------------------------------------------

// The values of a point that a contact reads.
typedef struct slv_pair_point {
    slv_vector q, y, start;
    float inverse_mass, friction, kinetic;
    int bin_body, point;
} slv_pair_point;

SLV_INLINE slv_pair_point slv_load_pair_point(const SLV_GLOBAL float *state,
                                              const SLV_GLOBAL int *table,
                                              const SLV_PRIVATE slv_body_layout *body, int point) {
    int bins = body->search;
    int bin_body = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int friction =
        table[body->contact + SLV_CONTACT_PAIR_FRICTIONS] + bin_body * SLV_PAIR_FRICTION_FLOATS;
    int start = table[bins + SLV_BINS_STARTS] + 4 * point;
    int now = table[bins + SLV_BINS_NOW] + 4 * point;
    int predicted = table[body->contact + SLV_CONTACT_PREDICTED] + 4 * point;
    slv_pair_point loaded;
    loaded.bin_body = bin_body;
    loaded.point = point;
    loaded.q = slv_load_point(state, now);
    loaded.y = slv_load_point(state, predicted);
    loaded.start = slv_load_point(state, start);
    loaded.inverse_mass = state[now + 3];
    loaded.friction = state[predicted + 3];
    loaded.kinetic = state[friction + SLV_PAIR_KINETIC_FRICTION];
    return loaded;
}

SLV_INLINE slv_vector slv_select(int first, slv_vector a, slv_vector b) {
    return slv_make_vector(first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z);
}

// Order of two points in exactly the same position, by bin body and then by number: the first is pushed
// down and the other up, so that coincident cloths separate as a whole.
SLV_INLINE int slv_comes_first(int bin_body, int point, int other_body, int other_point) {
    return bin_body < other_body || (bin_body == other_body && point < other_point);
}

// The normal from the other point to the own one along which they are kept apart, and their distance.
// Sweeps only where the entry says that they might pass each other (`passing`). Branch-free: SIMD forms
// do several pairs at a time.
SLV_INLINE slv_gap slv_pair_gap(const SLV_PRIVATE slv_pair_point *own,
                                const SLV_PRIVATE slv_pair_point *other, float radii, int passing) {
    slv_vector now = slv_subtract(own->q, other->q);
    slv_vector before = slv_subtract(own->start, other->start);
    slv_vector displacement = slv_subtract(slv_subtract(own->y, other->y), before);
    float a = slv_dot(displacement, displacement);
    float b = slv_dot(before, displacement);
    float c = slv_dot(before, before) - radii * radii;
    float root = b * b - a * c;
    int fast =
        passing & (a > SLV_SWEEP_SQUARE * radii * radii) & (c > 0.0f) & (b < 0.0f) & (root > 0.0f);
    float impact_time = (0.0f - b - slv_square_root(fast ? root : 0.0f)) / (fast ? a : 1.0f);
    int swept = fast & (impact_time < 1.0f);
    slv_gap gap = slv_sphere_gap(
        slv_select(swept, slv_add_scaled(before, impact_time, displacement), now), 0.0f);
    int below = gap.distance <= 0.0f &&
                slv_comes_first(own->bin_body, own->point, other->bin_body, other->point);
    gap.distance = swept ? slv_dot(now, gap.normal) : gap.distance;
    gap.normal.y = below ? -1.0f : gap.normal.y;
    return gap;
}

// The load of a contact by gravity, as the depth it makes in a step. Passes after the first find almost
// no depth where cloth lies on cloth, while constraints go on pulling: each pass would let the cloth
// slip a little, and a pile with hanging edges would creep. So the weight counts in every pass for a
// point that would not slide by itself: one whose predicted tangential displacement (squared,
// `predicted_tangential`) is within the static limit. `gravity` is the normal part of gravity's
// displacement in a step.
SLV_INLINE float slv_gravity_load(float friction, float gravity, float predicted_tangential) {
    float weight = slv_absolute(gravity);
    float still = friction * weight;
    return predicted_tangential <= still * still ? weight : 0.0f;
}

// Adds the correction of a point by a neighbor that is to be `radii` away to a sum; returns 1 where
// they touch.
SLV_INLINE int slv_add_pair_correction(const SLV_PRIVATE slv_pair_point *own,
                                       const SLV_PRIVATE slv_pair_point *other, float radii,
                                       int passing, slv_vector gravity,
                                       SLV_PRIVATE slv_vector *sum) {
    slv_gap gap = slv_pair_gap(own, other, radii, passing);
    float depth = radii - gap.distance;
    int touches = depth > 0.0f;
    slv_pair_material material;
    material.thickness = radii;
    material.friction = own->friction * other->friction;
    material.kinetic = own->kinetic * other->kinetic;
    slv_vector others = slv_subtract(other->q, other->start);
    slv_vector tangential =
        slv_tangential_part(slv_subtract(slv_subtract(own->q, own->start), others), gap.normal);
    slv_vector predicted_tangential =
        slv_tangential_part(slv_subtract(slv_subtract(own->y, own->start), others), gap.normal);
    float weight = slv_gravity_load(material.friction, slv_dot(gravity, gap.normal),
                                    slv_dot(predicted_tangential, predicted_tangential));
    float fraction = slv_friction_fraction(material, slv_dot(tangential, tangential), depth,
                                           slv_max(depth, weight));
    float mass_ratio = own->inverse_mass / (own->inverse_mass + other->inverse_mass);
    slv_vector corrected = slv_add_scaled(*sum, mass_ratio * depth, gap.normal);
    corrected = slv_add_scaled(corrected, 0.0f - mass_ratio * fraction, tangential);
    *sum = slv_select(touches, corrected, *sum);
    return touches;
}

// At the start of a pass: copies the current position of a point.
SLV_INLINE void slv_pair_fetch(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body, int point) {
    int bins = body->search;
    if (table[table[slv_pair_lists_of(table, body) + SLV_LISTS_COUNTS] + point] != 0) {
        int bin_body = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
        int at = table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
        int q = table[at + SLV_BIN_BODY_Q] + table[table[bins + SLV_BINS_OFFSET_OF] + point];
        int step = table[at + SLV_BIN_BODY_COMPONENT];
        int now = table[bins + SLV_BINS_NOW] + 4 * point;
        for (int d = 0; d < 3; d++) {
            state[now + d] = state[q + d * step];
        }
    }
}

// Moves a point by the mean of its corrections.
SLV_INLINE void slv_pair_move(SLV_GLOBAL float *state, const SLV_GLOBAL int *table, int bins,
                              int point, slv_vector sum, int touching) {
    int bin_body = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int at = table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
    int q = table[at + SLV_BIN_BODY_Q] + table[table[bins + SLV_BINS_OFFSET_OF] + point];
    int step = table[at + SLV_BIN_BODY_COMPONENT];
    float inverse_count = 1.0f / (float)touching;
    state[q] += inverse_count * sum.x;
    state[q + step] += inverse_count * sum.y;
    state[q + 2 * step] += inverse_count * sum.z;
}

SLV_INLINE void slv_pair_push(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                              const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch, int point) {
    int bins = body->search;
    int lists = slv_pair_lists_of(table, body);
    int count = slv_count_listed(table, lists, point);
    if (count == 0) {
        return;
    }
    int list = slv_find_list(table, lists, point);
    int gaps = table[body->contact + SLV_CONTACT_PAIR_GAPS] + slv_find_entry(table, lists, point);
    int now = table[bins + SLV_BINS_NOW];
    slv_pair_point own = slv_load_pair_point(state, table, body, point);
    slv_vector gravity =
        slv_make_vector(launch->gravity_step[0], launch->gravity_step[1], launch->gravity_step[2]);
    slv_vector sum = slv_make_vector(0.0f, 0.0f, 0.0f);
    int touching = 0;
    for (int n = 0; n < count && own.inverse_mass > 0.0f; n++) {
        int entry = table[list + SLV_LANES * n];
        float radii = state[gaps + SLV_LANES * n];
        slv_vector apart = slv_subtract(own.q, slv_load_point(state, now + 4 * (entry >> 1)));
        if ((entry & 1) != 0 || slv_dot(apart, apart) < radii * radii) {
            slv_pair_point other = slv_load_pair_point(state, table, body, entry >> 1);
            touching += slv_add_pair_correction(&own, &other, radii, entry & 1, gravity, &sum);
        }
    }
    if (touching > 0) {
        slv_pair_move(state, table, bins, point, sum, touching);
    }
}

// After the first passes of a step: a point that contacts stopped short of its predicted position by
// more than a quarter of its radius loses that velocity. Otherwise inertia would go on pulling, and it
// could still pass through.
SLV_INLINE void slv_pair_rest_damp(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body, int point) {
    int bins = body->search;
    int lists = slv_pair_lists_of(table, body);
    if (table[table[lists + SLV_LISTS_COUNTS] + point] == 0) {
        return;
    }
    int bin_body = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int at = table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
    int offset = table[table[bins + SLV_BINS_OFFSET_OF] + point];
    int step = table[at + SLV_BIN_BODY_COMPONENT];
    int predicted = table[body->contact + SLV_CONTACT_PREDICTED] + 4 * point;
    int move = table[at + SLV_BIN_BODY_PREDICTED] + offset;
    slv_vector start = slv_load_point(state, table[bins + SLV_BINS_STARTS] + 4 * point);
    float radius = state[table[lists + SLV_LISTS_RESTS] + 4 * point + 3];
    slv_vector here = slv_load_strided(state, table[at + SLV_BIN_BODY_Q] + offset, step);
    slv_vector stopped = slv_subtract(slv_load_point(state, predicted), here);
    if (slv_dot(stopped, stopped) > SLV_STOPPED_SQUARE * radius * radius) {
        slv_store_vector_at(state, predicted, here);
        state[move] = here.x - start.x;
        state[move + step] = here.y - start.y;
        state[move + 2 * step] = here.z - start.z;
    }
}

#endif
