// SPDX-License-Identifier: MIT
// Neighbor lists: for each point, the points that may come within reach in this step. Each request of a
// feature (runtime/step/neighbor_search.h) has lists of its own, from the same sorted points
// (kernels/bins.h), since reaches and rules differ: contacts would read the many entries of a liquid in
// every pass.
//
// A point has, for each request, a reach in metres, and a position at rest. Two points are neighbors
// where they may come within the sum of their reaches, and
//     of one body:   they are further apart at rest than SLV_REST_TOLERANCE of that sum;
//     of two bodies: both have a reach above 0. It is stored as negative for points that have no
//                    neighbors in other bodies.
// So all pairs of a body count where positions at rest are far apart, and none where they are all equal.
//
// An entry of a list is twice the number of a point. The lowest bit is free for the feature. Lists are
// symmetric, except that immovable points have none.
#ifndef SLV_KERNELS_NEIGHBORS_H
#define SLV_KERNELS_NEIGHBORS_H

#include "kernels/bins.h"

// Factors of the sum of two reaches.
#define SLV_REST_TOLERANCE 1.001f // pairs nearer at rest than this are left out
#define SLV_NEIGHBOR_REACH 1.1f   // of a list, beside the displacements of this step

// A search around one point.
typedef struct slv_search {
    slv_vector start, rest;
    slv_vector displacement; // in this step
    float reach, bin_body;   // as stored in RESTS and STARTS
    float slack, scale;      // as SLV_SCALE_…
    int rests;               // as SLV_LISTS_RESTS
    int x, y, z;             // its cell
    int list, capacity;      // in table: its first neighbor; see SLV_LISTS_CAPACITY
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

// Offset of a point's first neighbor among all lists; the next is SLV_LANES further on.
SLV_INLINE int slv_find_entry(const SLV_GLOBAL int *table, int lists, int point) {
    return point / SLV_LANES * SLV_LANES * table[lists + SLV_LISTS_CAPACITY] + point % SLV_LANES;
}

// The same in table.
SLV_INLINE int slv_find_list(const SLV_GLOBAL int *table, int lists, int point) {
    return table[lists + SLV_LISTS_ENTRIES] + slv_find_entry(table, lists, point);
}

// Number of a point's neighbors.
SLV_INLINE int slv_count_listed(const SLV_GLOBAL int *table, int lists, int point) {
    int count = table[table[lists + SLV_LISTS_COUNTS] + point];
    return count < 0 ? -1 - count : count;
}

SLV_INLINE slv_search slv_begin_search(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       int bins, int lists, int point) {
    int scale = table[bins + SLV_BINS_SCALE];
    int start = table[bins + SLV_BINS_STARTS] + 4 * point;
    int rest = table[lists + SLV_LISTS_RESTS] + 4 * point;
    slv_search search;
    search.start = slv_load_point(state, start);
    search.bin_body = state[start + 3];
    search.rest = slv_load_point(state, rest);
    search.reach = state[rest + 3];
    search.rests = table[lists + SLV_LISTS_RESTS];
    search.displacement =
        slv_subtract(slv_load_point(state, table[bins + SLV_BINS_NOW] + 4 * point), search.start);
    search.slack = state[scale + SLV_SCALE_SLACK];
    search.scale = state[scale + SLV_SCALE_RECIPROCAL];
    search.x = slv_bin_coordinate(search.start.x, search.scale);
    search.y = slv_bin_coordinate(search.start.y, search.scale);
    search.z = slv_bin_coordinate(search.start.z, search.scale);
    search.list = slv_find_list(table, lists, point);
    search.capacity = table[lists + SLV_LISTS_CAPACITY];
    search.count = 0;
    search.cut = 0;
    return search;
}

// Sum of the reaches of two points, metres.
SLV_INLINE float slv_sum_reaches(float one, float other) {
    return slv_absolute(one) + slv_absolute(other);
}

// Whether a point, sorted to `at`, at rest at `rest`, belongs into the list: it is within reach, its
// cell is one of the row (y, z) next to the search's own, and the two may be neighbors.
SLV_INLINE int slv_search_accepts(const SLV_GLOBAL float *state,
                                  const SLV_PRIVATE slv_search *search, int at, int rest, int y,
                                  int z) {
    float reaches = slv_sum_reaches(search->reach, state[rest + 3]);
    float most = reaches + search->slack;
    float apart = SLV_REST_TOLERANCE * reaches;
    slv_vector start = slv_load_point(state, at);
    slv_vector away = slv_subtract(start, search->start);
    slv_vector away_at_rest = slv_subtract(slv_load_point(state, rest), search->rest);
    int near = slv_dot(away, away) < most * most;
    int apart_at_rest = slv_dot(away_at_rest, away_at_rest) > apart * apart;
    int with_others = state[rest + 3] > 0.0f && search->reach > 0.0f;
    if (!near || !(state[at + 3] == search->bin_body ? apart_at_rest : with_others)) {
        return 0;
    }
    int x = slv_bin_coordinate(start.x, search->scale) - search->x;
    return x >= -1 && x <= 1 && y - search->y >= -1 && y - search->y <= 1 && z - search->z >= -1 &&
           z - search->z <= 1 && slv_bin_coordinate(start.y, search->scale) == y &&
           slv_bin_coordinate(start.z, search->scale) == z;
}

// Adds the point of a rank where it may come near in this step.
SLV_INLINE void slv_search_add(const SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins,
                               SLV_PRIVATE slv_search *search, int rank, int y, int z) {
    int at = table[bins + SLV_BINS_SORTED] + 4 * rank;
    int point = table[table[bins + SLV_BINS_IDS] + rank];
    int rest = search->rests + 4 * point;
    if (!slv_search_accepts(state, search, at, rest, y, z)) {
        return;
    }
    slv_vector start = slv_load_point(state, at);
    slv_vector displacement =
        slv_subtract(slv_load_point(state, table[bins + SLV_BINS_NOW] + 4 * point), start);
    slv_vector closing = slv_subtract(search->displacement, displacement);
    float reaches = slv_sum_reaches(search->reach, state[rest + 3]);
    float apart = slv_length(slv_subtract(start, search->start));
    if (!(apart < SLV_NEIGHBOR_REACH * reaches + slv_length(closing))) {
        return;
    }
    if (search->count == search->capacity) {
        search->cut = 1;
        return;
    }
    table[search->list + SLV_LANES * search->count] = 2 * point;
    search->count++;
}

// Tests the points of ranks first … end - 1.
SLV_INLINE void slv_search_ranks(const SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins,
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

SLV_INLINE void slv_end_search(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int lists, int point,
                               int count, int cut) {
    int flags = table[lists + SLV_LISTS_FLAGS];
    table[table[lists + SLV_LISTS_COUNTS] + point] = cut ? -1 - count : count;
    slv_set_flag_often(&state[flags + SLV_LISTS_SEEN + count]);
    if (cut) {
        slv_set_flag(&state[flags + SLV_LISTS_TRUNCATED]);
    }
    if (cut && table[lists + SLV_LISTS_GROW]) {
        slv_set_flag(&state[SLV_DIVERGED]);
    }
}

// Finds the neighbors of a point for one request.
SLV_INLINE void slv_search_neighbors(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins,
                                     int lists, int point) {
    if (slv_is_immovable(state, table, bins, point)) {
        table[table[lists + SLV_LISTS_COUNTS] + point] = 0;
        return;
    }
    int firsts = table[bins + SLV_BINS_FIRSTS];
    int cells = table[bins + SLV_BINS_CELLS];
    slv_search search = slv_begin_search(state, table, bins, lists, point);
    for (int n = 0; n < 9; n++) {
        int y = search.y + n % 3 - 1;
        int z = search.z + n / 3 - 1;
        slv_cell_run run = slv_find_run(table, firsts, cells, slv_bin_row(y, z), search.x - 1, 3);
        for (int side = 0; side < 2; side++) {
            slv_search_ranks(state, table, bins, &search, run.first[side], run.end[side], y, z);
        }
    }
    slv_end_search(state, table, lists, point, search.count, search.cut);
}

// Whether a launch finds the neighbors of a block of points: with SLV_ONLY_WOKEN only those of bodies
// that were woken in this step, after all other lists were made.
SLV_INLINE int slv_is_block_searched(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int block) {
    int bin_body = table[table[body->search + SLV_BINS_BODY_OF] + block];
    int sleep_state = body->sleep_states + bin_body * SLV_SLEEP_FLOATS;
    return (launch->flags & SLV_ONLY_WOKEN) == 0 || state[sleep_state + SLV_SLEEP_WOKEN] > 0.0f;
}

SLV_INLINE int slv_is_point_searched(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int point) {
    return table[table[body->search + SLV_BINS_OFFSET_OF] + point] >= 0 &&
           slv_is_block_searched(state, table, body, launch, point / SLV_BLOCK);
}

// Finds the neighbors of a point for request launch->index.
SLV_INLINE void slv_find_neighbors(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body,
                                   const SLV_PRIVATE slv_launch *launch, int point) {
    if (slv_is_point_searched(state, table, body, launch, point)) {
        slv_search_neighbors(state, table, body->search,
                             slv_lists_of(table, body->search, launch->index), point);
    }
}

#endif
