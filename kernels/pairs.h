// SPDX-License-Identifier: MIT
// Particles against particles. A step begins with a list for each point of who may come near it; pairs
// that lie near each other at rest are left out, since there the cloth itself is what they are. Each pass
// then asks every point what its neighbours want of it, and gives it the average: all at once, so no
// order matters.
//
// Two that come at each other faster than half their distance a step could pass: where they first touch, a
// plane between them is put up, and each stays on its side of it throughout the step.
#ifndef SLV_KERNELS_PAIRS_H
#define SLV_KERNELS_PAIRS_H

#include "kernels/bins.h"

// --- Finding --------------------------------------------------------------------------------------------

// A search around one point.
typedef struct slv_search {
    slv_vector place, rest;
    slv_vector way; // of this step
    float radius, slack, kin;
    int parity;
    int list, room, count;
    int cut;
} slv_search;

SLV_BODY slv_vector slv_load_stepped(const SLV_GLOBAL float *state, int at, int step) {
    return slv_make_vector(state[at], state[at + step], state[at + 2 * step]);
}

// Where a point starts, and where it would go.
SLV_BODY slv_vector slv_point_way(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  int bins, int parity, int point, SLV_PRIVATE slv_vector *start) {
    int home = table[table[bins + SLV_BINS_HOME_OF] + point];
    int at = table[bins + SLV_BINS_HOMES] + home * SLV_HOME_INTS;
    int q = table[at + SLV_HOME_Q] + table[table[bins + SLV_BINS_PLACE_OF] + point];
    int step = table[at + SLV_HOME_COMPONENT];
    *start = slv_load_stepped(state, slv_point_start(table, bins, home, parity, point), step);
    return slv_minus(slv_load_stepped(state, q, step), *start);
}

// Adds a neighbour that may come near by its own way, unless it is there already: two rows of cells may
// share numbers.
SLV_BODY void slv_search_add(const SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins,
                             SLV_PRIVATE slv_search *search, float radii, int point) {
    slv_vector start;
    slv_vector way = slv_point_way(state, table, bins, search->parity, point, &start);
    float nearer = slv_length(slv_minus(search->way, way));
    float apart = slv_length(slv_minus(search->place, start));
    if (!(apart < radii + nearer + 0.1f * radii)) {
        return;
    }
    for (int n = 0; n < search->count; n++) {
        if (table[search->list + n] == point) {
            return;
        }
    }
    if (search->count == search->room) {
        search->cut = 1;
        return;
    }
    table[search->list + search->count] = point;
    search->count++;
}

// Looks at the points of ranks first … end - 1.
SLV_BODY void slv_search_ranks(const SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins,
                               SLV_PRIVATE slv_search *search, int first, int end) {
    int stride = table[bins + SLV_BINS_STRIDE];
    int sorted = table[bins + SLV_BINS_SORTED];
    int ids = table[bins + SLV_BINS_IDS];
    for (int rank = first; rank < end && !search->cut; rank++) {
        int at = sorted + rank;
        float dx = state[at] - search->place.x;
        float dy = state[at + stride] - search->place.y;
        float dz = state[at + 2 * stride] - search->place.z;
        float radii = state[at + 3 * stride] + search->radius;
        float rx = state[at + 4 * stride] - search->rest.x;
        float ry = state[at + 5 * stride] - search->rest.y;
        float rz = state[at + 6 * stride] - search->rest.z;
        float reach = radii + search->slack;
        float apart = 1.001f * radii;
        int near = dx * dx + dy * dy + dz * dz < reach * reach;
        float kin = state[at + 7 * stride];
        int apart_at_rest = rx * rx + ry * ry + rz * rz > apart * apart;
        int sociable = kin > 0.0f && search->kin > 0.0f;
        int strangers = kin == search->kin ? apart_at_rest : sociable;
        if (near && strangers) {
            slv_search_add(state, table, bins, search, radii, table[ids + rank]);
        }
    }
}

SLV_BODY slv_search slv_begin_search(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     int bins, int parity, int rank) {
    int stride = table[bins + SLV_BINS_STRIDE];
    int at = table[bins + SLV_BINS_SORTED] + rank;
    slv_search search;
    search.place = slv_make_vector(state[at], state[at + stride], state[at + 2 * stride]);
    search.radius = state[at + 3 * stride];
    search.rest =
        slv_make_vector(state[at + 4 * stride], state[at + 5 * stride], state[at + 6 * stride]);
    search.kin = state[at + 7 * stride];
    search.slack = state[table[bins + SLV_BINS_SCALE] + SLV_SCALE_SLACK];
    search.room = table[bins + SLV_BINS_ROOM];
    search.list =
        table[bins + SLV_BINS_LISTS] + table[table[bins + SLV_BINS_IDS] + rank] * search.room;
    search.count = 0;
    search.cut = 0;
    search.parity = parity;
    slv_vector start;
    search.way =
        slv_point_way(state, table, bins, parity, table[table[bins + SLV_BINS_IDS] + rank], &start);
    return search;
}

// NOLINTNEXTLINE(readability-non-const-parameter): what is raised is written
SLV_BODY void slv_end_search(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins, int rank,
                             const SLV_PRIVATE slv_search *search) {
    int point = table[table[bins + SLV_BINS_IDS] + rank];
    table[table[bins + SLV_BINS_COUNTS] + point] = search->cut ? search->room + 1 : search->count;
    if (search->cut) {
        slv_raise(&state[table[bins + SLV_BINS_SCALE] + SLV_SCALE_CUT]);
    }
    if (search->cut && table[bins + SLV_BINS_GROWS]) {
        slv_raise(&state[SLV_ALARM]);
    }
}

// The point of a rank and the eight cells around it. `ranks` is how to look at a run of points: there is
// a faster way where several can be looked at together.
#define SLV_SEARCH_AROUND(rank, ranks)                                                             \
    {                                                                                              \
        int bins = slv_bins_of(table, part);                                                       \
        int cells = table[bins + SLV_BINS_CELLS];                                                  \
        int starts = table[bins + SLV_BINS_STARTS];                                                \
        if ((rank) < table[starts + cells]) {                                                      \
            slv_search search = slv_begin_search(state, table, bins, launch->parity, rank);        \
            float scale = state[table[bins + SLV_BINS_SCALE] + SLV_SCALE_RECIPROCAL];              \
            int x = slv_floor(search.place.x * scale - 0.5f);                                      \
            int y = slv_floor(search.place.y * scale - 0.5f);                                      \
            int z = slv_floor(search.place.z * scale - 0.5f);                                      \
            for (int n = 0; n < 4; n++) {                                                          \
                int row = slv_bin_row(y + (n & 1), z + (n >> 1));                                  \
                int cell = slv_bin_cell(row, x, cells - 1);                                        \
                int next = slv_bin_cell(row, x + 1, cells - 1);                                    \
                int first = table[starts + cell];                                                  \
                int end = table[starts + cell + 1];                                                \
                if (next == cell + 1) {                                                            \
                    end = table[starts + next + 1];                                                \
                } else {                                                                           \
                    int other = table[starts + next];                                              \
                    int stop = table[starts + next + 1];                                           \
                    search.cut |= stop - other > SLV_BIN_WORK;                                     \
                    stop = stop - other > SLV_BIN_WORK ? other + SLV_BIN_WORK : stop;              \
                    ranks(state, table, bins, &search, other, stop);                               \
                }                                                                                  \
                int crowd = end - first > SLV_BIN_WORK;                                            \
                ranks(state, table, bins, &search, first, crowd ? first + SLV_BIN_WORK : end);     \
                search.cut |= crowd;                                                               \
            }                                                                                      \
            slv_end_search(state, table, bins, rank, &search);                                     \
        }                                                                                          \
    }

SLV_BODY void slv_pair_find(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                            const SLV_PRIVATE slv_part *part, const SLV_PRIVATE slv_launch *launch,
                            int rank) {
    SLV_SEARCH_AROUND(rank, slv_search_ranks)
}

// --- Pushing --------------------------------------------------------------------------------------------

// A point as a pair sees it.
typedef struct slv_mate {
    slv_vector q, y, start;
    float inverse_mass, radius, friction, kinetic;
} slv_mate;

SLV_BODY slv_mate slv_load_mate(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                int bins, int parity, int point) {
    int home = table[table[bins + SLV_BINS_HOME_OF] + point];
    int place = table[table[bins + SLV_BINS_PLACE_OF] + point];
    int at = table[bins + SLV_BINS_HOMES] + home * SLV_HOME_INTS;
    int floats = table[bins + SLV_BINS_HOME_FLOATS] + home * SLV_HOME_FLOATS;
    int step = table[at + SLV_HOME_COMPONENT];
    slv_mate mate;
    mate.q = slv_load_stepped(state, table[at + SLV_HOME_Q] + place, step);
    mate.y = slv_load_stepped(state, table[at + SLV_HOME_Y] + place, step);
    mate.start = slv_load_stepped(state, slv_point_start(table, bins, home, parity, point), step);
    mate.inverse_mass = state[table[table[bins + SLV_BINS_MASS_OF] + point]];
    mate.radius = state[floats + SLV_HOME_RADIUS];
    mate.friction = state[floats + SLV_HOME_FRICTION];
    mate.kinetic = state[floats + SLV_HOME_KINETIC];
    return mate;
}

// The way from the other to the own point along which they are kept apart, and how far they are.
SLV_BODY slv_gap slv_pair_gap(const SLV_PRIVATE slv_mate *own, const SLV_PRIVATE slv_mate *other,
                              float radii) {
    slv_vector now = slv_minus(own->q, other->q);
    slv_vector before = slv_minus(own->start, other->start);
    slv_vector way = slv_minus(slv_minus(own->y, other->y), before);
    float a = slv_dot(way, way);
    float b = slv_dot(before, way);
    float c = slv_dot(before, before) - radii * radii;
    float root = b * b - a * c;
    slv_gap gap = slv_ball_gap(now, 0.0f);
    int fast = a > 0.25f * radii * radii && c > 0.0f && b < 0.0f && root > 0.0f;
    if (fast) {
        float share = (0.0f - b - slv_square_root(root)) / a;
        if (share < 1.0f) {
            slv_vector touch = slv_along(before, share, way);
            gap.out = slv_ball_gap(touch, 0.0f).out;
            gap.distance = slv_dot(now, gap.out);
        }
    }
    return gap;
}

// How far apart two are to be at the end of the step. Those who begin it too near are parted by a tenth of
// what is missing: all at once would be a blow, and a pile of cloth would boil.
SLV_BODY float slv_pair_distance(const SLV_PRIVATE slv_mate *own,
                                 const SLV_PRIVATE slv_mate *other) {
    float radii = own->radius + other->radius;
    float before = slv_length(slv_minus(own->start, other->start));
    return before < radii ? before + 0.1f * (radii - before) : radii;
}

// What a neighbour wants of a point, added to a sum; 1 where they touch.
SLV_BODY int slv_pair_want(const SLV_PRIVATE slv_mate *own, const SLV_PRIVATE slv_mate *other,
                           SLV_PRIVATE slv_vector *sum) {
    float radii = slv_pair_distance(own, other);
    slv_gap gap = slv_pair_gap(own, other, radii);
    float depth = radii - gap.distance;
    if (!(depth > 0.0f)) {
        return 0;
    }
    slv_grip grip;
    grip.thickness = radii;
    grip.friction = slv_square_root(own->friction * other->friction);
    grip.kinetic = slv_square_root(own->kinetic * other->kinetic);
    slv_vector slide = slv_minus(slv_minus(own->q, own->start), slv_minus(other->q, other->start));
    slide = slv_along(slide, 0.0f - slv_dot(slide, gap.out), gap.out);
    float held = slv_hold(grip, slv_dot(slide, slide), depth);
    float share = own->inverse_mass / (own->inverse_mass + other->inverse_mass);
    *sum = slv_along(*sum, share * depth, gap.out);
    *sum = slv_along(*sum, 0.0f - share * held, slide);
    return 1;
}

SLV_BODY void slv_pair_push(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                            const SLV_PRIVATE slv_part *part, const SLV_PRIVATE slv_launch *launch,
                            int point) {
    int bins = slv_bins_of(table, part);
    int room = table[bins + SLV_BINS_ROOM];
    int count = table[table[bins + SLV_BINS_COUNTS] + point];
    if (count == 0 || table[table[bins + SLV_BINS_PLACE_OF] + point] < 0) {
        return;
    }
    count = count > room ? room : count;
    int list = table[bins + SLV_BINS_LISTS] + point * room;
    int push = table[bins + SLV_BINS_PUSHES] + 4 * point;
    slv_mate own = slv_load_mate(state, table, bins, launch->parity, point);
    slv_vector sum = slv_make_vector(0.0f, 0.0f, 0.0f);
    int touching = 0;
    for (int n = 0; n < count && own.inverse_mass > 0.0f; n++) {
        slv_mate other = slv_load_mate(state, table, bins, launch->parity, table[list + n]);
        touching += slv_pair_want(&own, &other, &sum);
    }
    float share = touching > 0 ? 1.0f / (float)touching : 0.0f;
    state[push] = share * sum.x;
    state[push + 1] = share * sum.y;
    state[push + 2] = share * sum.z;
}

// After the first passes of a step: whoever was stopped short of where inertia would take it by more than
// a quarter of its radius has lost that speed. Were it to pull on, it could yet come through.
SLV_BODY void slv_pair_calm(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                            const SLV_PRIVATE slv_part *part, int point) {
    int bins = slv_bins_of(table, part);
    int place = table[table[bins + SLV_BINS_PLACE_OF] + point];
    if (place < 0 || table[table[bins + SLV_BINS_COUNTS] + point] == 0) {
        return;
    }
    int home = table[table[bins + SLV_BINS_HOME_OF] + point];
    int at = table[bins + SLV_BINS_HOMES] + home * SLV_HOME_INTS;
    int step = table[at + SLV_HOME_COMPONENT];
    int q = table[at + SLV_HOME_Q] + place;
    int y = table[at + SLV_HOME_Y] + place;
    float radius =
        state[table[bins + SLV_BINS_HOME_FLOATS] + home * SLV_HOME_FLOATS + SLV_HOME_RADIUS];
    slv_vector stopped =
        slv_minus(slv_load_stepped(state, y, step), slv_load_stepped(state, q, step));
    if (slv_dot(stopped, stopped) > 0.0625f * radius * radius) {
        for (int d = 0; d < 3; d++) {
            state[y + d * step] = state[q + d * step];
        }
    }
}

SLV_BODY void slv_pair_apply(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                             const SLV_PRIVATE slv_part *part, int point) {
    int bins = slv_bins_of(table, part);
    int place = table[table[bins + SLV_BINS_PLACE_OF] + point];
    if (place < 0 || table[table[bins + SLV_BINS_COUNTS] + point] == 0) {
        return;
    }
    int home = table[table[bins + SLV_BINS_HOME_OF] + point];
    int at = table[bins + SLV_BINS_HOMES] + home * SLV_HOME_INTS;
    int q = table[at + SLV_HOME_Q] + place;
    int push = table[bins + SLV_BINS_PUSHES] + 4 * point;
    for (int d = 0; d < 3; d++) {
        state[q + d * table[at + SLV_HOME_COMPONENT]] += state[push + d];
    }
}

#endif
