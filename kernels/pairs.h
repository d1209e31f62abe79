// SPDX-License-Identifier: MIT
// Particles against particles. A step begins with a neighbor list for each point. Pairs that lie near
// each other at rest are left out: the cloth itself keeps them apart. Each pass then averages, for
// every point, the corrections of its contacts (Jacobi), so the order of points does not matter. Lists
// are symmetric, except that immovable points have none.
//
// Two points whose relative displacement exceeds half their distance could pass each other. Where they
// first touch, a plane between them is found, and each stays on its side of it throughout the step.
//
// There are many passes, and few neighbors touch. The distance that a pair is to have is found once,
// with the lists, so that a pass reads nothing else of neighbors that are further apart.
#ifndef SLV_KERNELS_PAIRS_H
#define SLV_KERNELS_PAIRS_H

#include "kernels/bins.h"

// Squares and factors of the sum of two radii.
#define SLV_REST_TOLERANCE 1.001f // pairs nearer at rest than this do not collide
#define SLV_NEIGHBOR_REACH 1.1f   // of a list, beside the displacements of this step
#define SLV_OVERLAP_STEP 0.1f     // part of an overlap that is resolved in a step
#define SLV_FAST_SQUARE 0.16f     // of a displacement that is marked as fast in a list
#define SLV_SWEEP_SQUARE 0.25f    // of a relative displacement that is swept
// Of one radius: the square of the distance from the predicted position.
#define SLV_STOPPED_SQUARE 0.0625f

// --- Neighbor lists -------------------------------------------------------------------------------------

// A search around one point.
typedef struct slv_search {
    slv_vector start, rest;
    slv_vector displacement; // in this step
    float radius, body_id;
    float slack, scale; // as SLV_SCALE_…
    int x, y, z;        // its cell
    int list, room;     // in table: its first neighbor; capacity
    int gaps;           // in state: the distance to keep from that neighbor, metres
    int count;
    int cut; // 1 once the list is truncated
} slv_search;

// Ranks of the points of a run of cells; in two parts where the run wraps around the end of the table.
typedef struct slv_cell_run {
    int first[2], end[2];
} slv_cell_run;

SLV_INLINE slv_cell_run slv_find_run(const SLV_GLOBAL int *table, int firsts, int cells, int row,
                                     int x, int count) {
    slv_cell_run run;
    int cell = slv_bin_cell(row, x, cells - 1);
    int before = cell + count > cells ? cells - cell : count;
    run.first[0] = table[firsts + cell];
    run.end[0] = table[firsts + cell + before];
    run.first[1] = table[firsts];
    run.end[1] = table[firsts + count - before];
    return run;
}

SLV_INLINE slv_vector slv_load_point(const SLV_GLOBAL float *state, int at) {
    return slv_load_strided(state, at, 1);
}

// Place of a point's first neighbor among all lists; the next is SLV_LANES further on.
SLV_INLINE int slv_find_entry(const SLV_GLOBAL int *table, int bins, int point) {
    return point / SLV_LANES * SLV_LANES * table[bins + SLV_BINS_ROOM] + point % SLV_LANES;
}

// The same in table.
SLV_INLINE int slv_find_list(const SLV_GLOBAL int *table, int bins, int point) {
    return table[bins + SLV_BINS_LISTS] + slv_find_entry(table, bins, point);
}

SLV_INLINE slv_search slv_begin_search(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       int bins, int point) {
    int scale = table[bins + SLV_BINS_SCALE];
    int start = table[bins + SLV_BINS_STARTS] + 4 * point;
    int rest = table[bins + SLV_BINS_RESTS] + 4 * point;
    slv_search search;
    search.start = slv_load_point(state, start);
    search.radius = state[start + 3];
    search.rest = slv_load_point(state, rest);
    search.body_id = state[rest + 3];
    search.displacement =
        slv_subtract(slv_load_point(state, table[bins + SLV_BINS_NOW] + 4 * point), search.start);
    search.slack = state[scale + SLV_SCALE_SLACK];
    search.scale = state[scale + SLV_SCALE_RECIPROCAL];
    search.x = slv_bin_coordinate(search.start.x, search.scale);
    search.y = slv_bin_coordinate(search.start.y, search.scale);
    search.z = slv_bin_coordinate(search.start.z, search.scale);
    search.list = slv_find_list(table, bins, point);
    search.gaps = table[bins + SLV_BINS_GAPS] + slv_find_entry(table, bins, point);
    search.room = table[bins + SLV_BINS_ROOM];
    search.count = 0;
    search.cut = 0;
    return search;
}

// Whether a point, sorted to `at`, at rest at `rest`, belongs into the list: it is within reach, its
// cell is one of the row (y, z) next to the search's own, and the two may collide. Points of one body
// may collide where they are further apart at rest than their radii; those of two bodies where both
// bodies collide with others.
SLV_INLINE int slv_search_accepts(const SLV_GLOBAL float *state,
                                  const SLV_PRIVATE slv_search *search, int at, int rest, int y,
                                  int z) {
    float radii = search->radius + state[at + 3];
    float reach = radii + search->slack;
    float apart = SLV_REST_TOLERANCE * radii;
    slv_vector start = slv_load_point(state, at);
    slv_vector away = slv_subtract(start, search->start);
    slv_vector away_at_rest = slv_subtract(slv_load_point(state, rest), search->rest);
    float body_id = state[rest + 3];
    int near = slv_dot(away, away) < reach * reach;
    int apart_at_rest = slv_dot(away_at_rest, away_at_rest) > apart * apart;
    int both_collide = body_id > 0.0f && search->body_id > 0.0f;
    if (!near || !(body_id == search->body_id ? apart_at_rest : both_collide)) {
        return 0;
    }
    int x = slv_bin_coordinate(start.x, search->scale) - search->x;
    return x >= -1 && x <= 1 && y - search->y >= -1 && y - search->y <= 1 && z - search->z >= -1 &&
           z - search->z <= 1 && slv_bin_coordinate(start.y, search->scale) == y &&
           slv_bin_coordinate(start.z, search->scale) == z;
}

// The distance that a pair is to have at the end of a step that it begins at distance `apart`. An
// overlap is resolved by SLV_OVERLAP_STEP of it a step: all at once would be an impact, and a pile of
// cloth would not come to rest. Metres.
SLV_INLINE float slv_pair_distance(float apart, float radii) {
    return apart < radii ? apart + SLV_OVERLAP_STEP * (radii - apart) : radii;
}

// Adds the point of a rank where it may come near in this step. An entry is twice the point, plus 1
// where one of the two is so fast that they might pass each other.
SLV_INLINE void slv_search_add(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins,
                               SLV_PRIVATE slv_search *search, int rank, int y, int z) {
    int at = table[bins + SLV_BINS_SORTED] + 4 * rank;
    int point = table[table[bins + SLV_BINS_IDS] + rank];
    if (!slv_search_accepts(state, search, at, table[bins + SLV_BINS_RESTS] + 4 * point, y, z)) {
        return;
    }
    slv_vector start = slv_load_point(state, at);
    slv_vector displacement =
        slv_subtract(slv_load_point(state, table[bins + SLV_BINS_NOW] + 4 * point), start);
    slv_vector closing = slv_subtract(search->displacement, displacement);
    float nearer = slv_dot(closing, closing);
    float radii = search->radius + state[at + 3];
    float apart = slv_length(slv_subtract(start, search->start));
    if (!(apart < SLV_NEIGHBOR_REACH * radii + slv_square_root(nearer))) {
        return;
    }
    if (search->count == search->room) {
        search->cut = 1;
        return;
    }
    float longest = slv_max(slv_dot(displacement, displacement),
                            slv_dot(search->displacement, search->displacement));
    int fast = apart > radii && slv_max(longest, nearer) > SLV_FAST_SQUARE * radii * radii;
    table[search->list + SLV_LANES * search->count] = 2 * point + fast;
    state[search->gaps + SLV_LANES * search->count] = slv_pair_distance(apart, radii);
    search->count++;
}

// Tests the points of ranks first … end - 1.
SLV_INLINE void slv_search_ranks(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins,
                                 SLV_PRIVATE slv_search *search, int first, int end, int y, int z) {
    int overfull = end - first > SLV_CELL_RUN_LIMIT;
    int stop = overfull ? first + SLV_CELL_RUN_LIMIT : end;
    for (int rank = first; rank < stop && !search->cut; rank++) {
        slv_search_add(state, table, bins, search, rank, y, z);
    }
    search->cut |= overfull;
}

// A fixed or sleeping point has inverse mass 0 and needs no neighbor list; its neighbors read only its
// positions.
SLV_INLINE int slv_is_immovable(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                int bins, int point) {
    return !(state[table[bins + SLV_BINS_NOW] + 4 * point + 3] > 0.0f);
}

// Stores the predicted position and the friction of a point for the points in whose lists it is.
SLV_INLINE void slv_store_predicted(SLV_GLOBAL float *state, const SLV_GLOBAL int *table, int bins,
                                    int point) {
    int bin_body = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int at = table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
    int floats = table[bins + SLV_BINS_BODY_FLOATS] + bin_body * SLV_BIN_BODY_FLOATS;
    int y = table[at + SLV_BIN_BODY_Y] + table[table[bins + SLV_BINS_PLACE_OF] + point];
    slv_store_point(state, table[bins + SLV_BINS_PREDICTED] + 4 * point,
                    slv_load_strided(state, y, table[at + SLV_BIN_BODY_COMPONENT]),
                    state[floats + SLV_BIN_BODY_FRICTION]);
}

SLV_INLINE void slv_end_search(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins, int point,
                               int count, int cut) {
    int seen = table[bins + SLV_BINS_SCALE] + SLV_SCALE_SEEN + count;
    table[table[bins + SLV_BINS_COUNTS] + point] = cut ? -1 - count : count;
    slv_set_flag_often(&state[seen]);
    if (cut) {
        slv_set_flag(&state[table[bins + SLV_BINS_SCALE] + SLV_SCALE_TRUNCATED]);
    }
    if (cut && table[bins + SLV_BINS_GROWS]) {
        slv_set_flag(&state[SLV_DIVERGED]);
    }
    if (cut || count > 0) {
        slv_store_predicted(state, table, bins, point);
    }
}

SLV_INLINE void slv_pair_find(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                              const SLV_PRIVATE slv_body_layout *body, int point) {
    int bins = slv_bins_of(table, body);
    if (table[table[bins + SLV_BINS_PLACE_OF] + point] < 0) {
        return;
    }
    if (slv_is_immovable(state, table, bins, point)) {
        table[table[bins + SLV_BINS_COUNTS] + point] = 0;
        slv_store_predicted(state, table, bins, point);
        return;
    }
    int firsts = table[bins + SLV_BINS_FIRSTS];
    int cells = table[bins + SLV_BINS_CELLS];
    slv_search search = slv_begin_search(state, table, bins, point);
    for (int n = 0; n < 9; n++) {
        int y = search.y + n % 3 - 1;
        int z = search.z + n / 3 - 1;
        slv_cell_run run = slv_find_run(table, firsts, cells, slv_bin_row(y, z), search.x - 1, 3);
        for (int side = 0; side < 2; side++) {
            slv_search_ranks(state, table, bins, &search, run.first[side], run.end[side], y, z);
        }
    }
    slv_end_search(state, table, bins, point, search.count, search.cut);
}

// --- Contacts -------------------------------------------------------------------------------------------

// The values of a point that a contact reads.
typedef struct slv_pair_point {
    slv_vector q, y, start;
    float inverse_mass, friction, kinetic;
    int bin_body, point;
} slv_pair_point;

SLV_INLINE slv_pair_point slv_load_pair_point(const SLV_GLOBAL float *state,
                                              const SLV_GLOBAL int *table, int bins, int point) {
    int bin_body = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int floats = table[bins + SLV_BINS_BODY_FLOATS] + bin_body * SLV_BIN_BODY_FLOATS;
    int start = table[bins + SLV_BINS_STARTS] + 4 * point;
    int now = table[bins + SLV_BINS_NOW] + 4 * point;
    int predicted = table[bins + SLV_BINS_PREDICTED] + 4 * point;
    slv_pair_point loaded;
    loaded.bin_body = bin_body;
    loaded.point = point;
    loaded.q = slv_load_point(state, now);
    loaded.y = slv_load_point(state, predicted);
    loaded.start = slv_load_point(state, start);
    loaded.inverse_mass = state[now + 3];
    loaded.friction = state[predicted + 3];
    loaded.kinetic = state[floats + SLV_BIN_BODY_KINETIC_FRICTION];
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
    float share = (0.0f - b - slv_square_root(fast ? root : 0.0f)) / (fast ? a : 1.0f);
    int swept = fast & (share < 1.0f);
    slv_gap gap =
        slv_sphere_gap(slv_select(swept, slv_add_scaled(before, share, displacement), now), 0.0f);
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
    float share = own->inverse_mass / (own->inverse_mass + other->inverse_mass);
    slv_vector corrected = slv_add_scaled(*sum, share * depth, gap.normal);
    corrected = slv_add_scaled(corrected, 0.0f - share * fraction, tangential);
    *sum = slv_select(touches, corrected, *sum);
    return touches;
}

// At the start of a pass: copies the current position of a point.
SLV_INLINE void slv_pair_fetch(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body, int point) {
    int bins = slv_bins_of(table, body);
    if (table[table[bins + SLV_BINS_COUNTS] + point] != 0) {
        int bin_body = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
        int at = table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
        int q = table[at + SLV_BIN_BODY_Q] + table[table[bins + SLV_BINS_PLACE_OF] + point];
        int step = table[at + SLV_BIN_BODY_COMPONENT];
        int now = table[bins + SLV_BINS_NOW] + 4 * point;
        for (int d = 0; d < 3; d++) {
            state[now + d] = state[q + d * step];
        }
    }
}

SLV_INLINE int slv_count_listed(const SLV_GLOBAL int *table, int bins, int point) {
    int count = table[table[bins + SLV_BINS_COUNTS] + point];
    return count < 0 ? -1 - count : count;
}

// Moves a point by the mean of its corrections.
SLV_INLINE void slv_pair_move(SLV_GLOBAL float *state, const SLV_GLOBAL int *table, int bins,
                              int point, slv_vector sum, int touching) {
    int bin_body = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int at = table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
    int q = table[at + SLV_BIN_BODY_Q] + table[table[bins + SLV_BINS_PLACE_OF] + point];
    int step = table[at + SLV_BIN_BODY_COMPONENT];
    float share = 1.0f / (float)touching;
    state[q] += share * sum.x;
    state[q + step] += share * sum.y;
    state[q + 2 * step] += share * sum.z;
}

SLV_INLINE void slv_pair_push(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                              const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch, int point) {
    int bins = slv_bins_of(table, body);
    int count = slv_count_listed(table, bins, point);
    if (count == 0) {
        return;
    }
    int list = slv_find_list(table, bins, point);
    int gaps = table[bins + SLV_BINS_GAPS] + slv_find_entry(table, bins, point);
    int now = table[bins + SLV_BINS_NOW];
    slv_pair_point own = slv_load_pair_point(state, table, bins, point);
    slv_vector gravity =
        slv_make_vector(launch->gravity_step[0], launch->gravity_step[1], launch->gravity_step[2]);
    slv_vector sum = slv_make_vector(0.0f, 0.0f, 0.0f);
    int touching = 0;
    for (int n = 0; n < count && own.inverse_mass > 0.0f; n++) {
        int entry = table[list + SLV_LANES * n];
        float radii = state[gaps + SLV_LANES * n];
        slv_vector apart = slv_subtract(own.q, slv_load_point(state, now + 4 * (entry >> 1)));
        if ((entry & 1) != 0 || slv_dot(apart, apart) < radii * radii) {
            slv_pair_point other = slv_load_pair_point(state, table, bins, entry >> 1);
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
    int bins = slv_bins_of(table, body);
    if (table[table[bins + SLV_BINS_COUNTS] + point] == 0) {
        return;
    }
    int bin_body = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int at = table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
    int place = table[table[bins + SLV_BINS_PLACE_OF] + point];
    int step = table[at + SLV_BIN_BODY_COMPONENT];
    int predicted = table[bins + SLV_BINS_PREDICTED] + 4 * point;
    int y = table[at + SLV_BIN_BODY_Y] + place;
    float radius = state[table[bins + SLV_BINS_STARTS] + 4 * point + 3];
    slv_vector here = slv_load_strided(state, table[at + SLV_BIN_BODY_Q] + place, step);
    slv_vector stopped = slv_subtract(slv_load_point(state, predicted), here);
    if (slv_dot(stopped, stopped) > SLV_STOPPED_SQUARE * radius * radius) {
        slv_store_vector_at(state, predicted, here);
        state[y] = here.x;
        state[y + step] = here.y;
        state[y + 2 * step] = here.z;
    }
}

#endif
