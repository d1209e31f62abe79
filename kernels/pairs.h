// SPDX-License-Identifier: MIT
// Particles against particles. A step begins with a list for each point of who may come near it; pairs
// that lie near each other at rest are left out, since there the cloth itself is what they are. Each pass
// then asks every point what its neighbors want of it, and gives it the average: all at once, so no
// order matters. Who is in my list has me in its own, but for those held still, who need none.
//
// Two that come at each other faster than half their distance a step could pass: where they first touch, a
// plane between them is put up, and each stays on its side of it throughout the step.
//
// Passes are many and few of those who are near touch: how far apart two are to be is found once, with the
// lists, so that a pass reads nothing else of who is further away.
#ifndef SLV_KERNELS_PAIRS_H
#define SLV_KERNELS_PAIRS_H

#include "kernels/bins.h"

// --- Finding --------------------------------------------------------------------------------------------

// A search around one point.
typedef struct slv_search {
    slv_vector start, rest;
    slv_vector way; // of this step
    float radius, kin;
    float slack, scale; // as SLV_SCALE_…
    int x, y, z;        // its cell
    int list, room;     // in table: its first neighbor, and how many there may be
    int gaps;           // in state: how far apart it is to be from that one
    int count;
    int cut; // 1 once something was left out
} slv_search;

// Ranks of a run of cells of a row; two runs where the row goes on at the first cell after the last one.
typedef struct slv_run_of_cells {
    int first[2], end[2];
} slv_run_of_cells;

SLV_INLINE slv_run_of_cells slv_find_run(const SLV_GLOBAL int *table, int firsts, int cells,
                                         int row, int x, int count) {
    slv_run_of_cells run;
    int cell = slv_bin_cell(row, x, cells - 1);
    int before = cell + count > cells ? cells - cell : count;
    run.first[0] = table[firsts + cell];
    run.end[0] = table[firsts + cell + before];
    run.first[1] = table[firsts];
    run.end[1] = table[firsts + count - before];
    return run;
}

SLV_INLINE slv_vector slv_load_point(const SLV_GLOBAL float *state, int at) {
    return slv_load_stepped(state, at, 1);
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
    search.kin = state[rest + 3];
    search.way =
        slv_minus(slv_load_point(state, table[bins + SLV_BINS_NOW] + 4 * point), search.start);
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

// Whether a point, sorted to `at`, at rest at `rest`, is a stranger within reach whose cell is one of the
// row (y, z) next to the search's own.
SLV_INLINE int slv_search_meets(const SLV_GLOBAL float *state, const SLV_PRIVATE slv_search *search,
                                int at, int rest, int y, int z) {
    float radii = search->radius + state[at + 3];
    float reach = radii + search->slack;
    float apart = 1.001f * radii;
    slv_vector start = slv_load_point(state, at);
    slv_vector away = slv_minus(start, search->start);
    slv_vector away_at_rest = slv_minus(slv_load_point(state, rest), search->rest);
    float kin = state[rest + 3];
    int near = slv_dot(away, away) < reach * reach;
    int strange = slv_dot(away_at_rest, away_at_rest) > apart * apart;
    int sociable = kin > 0.0f && search->kin > 0.0f;
    if (!near || !(kin == search->kin ? strange : sociable)) {
        return 0;
    }
    int x = slv_bin_coordinate(start.x, search->scale) - search->x;
    return x >= -1 && x <= 1 && y - search->y >= -1 && y - search->y <= 1 && z - search->z >= -1 &&
           z - search->z <= 1 && slv_bin_coordinate(start.y, search->scale) == y &&
           slv_bin_coordinate(start.z, search->scale) == z;
}

// How far apart two are to be at the end of a step that they begin `apart`. Those who are too near are parted
// by a tenth of what is missing: all at once would be a blow, and a pile of cloth would boil.
SLV_INLINE float slv_pair_distance(float apart, float radii) {
    return apart < radii ? apart + 0.1f * (radii - apart) : radii;
}

// Adds the point of a rank where it may come near in this step. An entry is twice the point, and one more
// where one of the two is so fast that they might pass each other unseen.
SLV_INLINE void slv_search_add(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins,
                               SLV_PRIVATE slv_search *search, int rank, int y, int z) {
    int at = table[bins + SLV_BINS_SORTED] + 4 * rank;
    int point = table[table[bins + SLV_BINS_IDS] + rank];
    if (!slv_search_meets(state, search, at, table[bins + SLV_BINS_RESTS] + 4 * point, y, z)) {
        return;
    }
    slv_vector start = slv_load_point(state, at);
    slv_vector way =
        slv_minus(slv_load_point(state, table[bins + SLV_BINS_NOW] + 4 * point), start);
    slv_vector closing = slv_minus(search->way, way);
    float nearer = slv_dot(closing, closing);
    float radii = search->radius + state[at + 3];
    float apart = slv_length(slv_minus(start, search->start));
    if (!(apart < 1.1f * radii + slv_square_root(nearer))) {
        return;
    }
    if (search->count == search->room) {
        search->cut = 1;
        return;
    }
    float longest = slv_larger(slv_dot(way, way), slv_dot(search->way, search->way));
    int fast = apart > radii && slv_larger(longest, nearer) > 0.16f * radii * radii;
    table[search->list + SLV_LANES * search->count] = 2 * point + fast;
    state[search->gaps + SLV_LANES * search->count] = slv_pair_distance(apart, radii);
    search->count++;
}

// Looks at the points of ranks first … end - 1.
SLV_INLINE void slv_search_ranks(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins,
                                 SLV_PRIVATE slv_search *search, int first, int end, int y, int z) {
    int crowd = end - first > SLV_BIN_WORK;
    int stop = crowd ? first + SLV_BIN_WORK : end;
    for (int rank = first; rank < stop && !search->cut; rank++) {
        slv_search_add(state, table, bins, search, rank, y, z);
    }
    search->cut |= crowd;
}

// Who is held still is pushed by nobody and needs no list; others only have to know where it goes.
SLV_INLINE int slv_is_held(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table, int bins,
                           int point) {
    return !(state[table[bins + SLV_BINS_NOW] + 4 * point + 3] > 0.0f);
}

// Writes down where inertia takes a point, for those in whose lists it is.
SLV_INLINE void slv_keep_goal(SLV_GLOBAL float *state, const SLV_GLOBAL int *table, int bins,
                              int point) {
    int home = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int at = table[bins + SLV_BINS_BODIES] + home * SLV_BIN_BODY_INTS;
    int floats = table[bins + SLV_BINS_BODY_FLOATS] + home * SLV_BIN_BODY_FLOATS;
    int y = table[at + SLV_BIN_BODY_Y] + table[table[bins + SLV_BINS_PLACE_OF] + point];
    slv_store_point(state, table[bins + SLV_BINS_GOALS] + 4 * point,
                    slv_load_stepped(state, y, table[at + SLV_BIN_BODY_COMPONENT]),
                    state[floats + SLV_BIN_BODY_FRICTION]);
}

SLV_INLINE void slv_end_search(SLV_GLOBAL float *state, SLV_GLOBAL int *table, int bins, int point,
                               int count, int cut) {
    table[table[bins + SLV_BINS_COUNTS] + point] = cut ? -1 - count : count;
    if (cut) {
        slv_raise(&state[table[bins + SLV_BINS_SCALE] + SLV_SCALE_CUT]);
    }
    if (cut && table[bins + SLV_BINS_GROWS]) {
        slv_raise(&state[SLV_DIVERGED]);
    }
    if (cut || count > 0) {
        slv_keep_goal(state, table, bins, point);
    }
}

SLV_INLINE void slv_pair_find(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                              const SLV_PRIVATE slv_body_layout *body, int point) {
    int bins = slv_bins_of(table, body);
    if (table[table[bins + SLV_BINS_PLACE_OF] + point] < 0) {
        return;
    }
    if (slv_is_held(state, table, bins, point)) {
        table[table[bins + SLV_BINS_COUNTS] + point] = 0;
        slv_keep_goal(state, table, bins, point);
        return;
    }
    int firsts = table[bins + SLV_BINS_FIRSTS];
    int cells = table[bins + SLV_BINS_CELLS];
    slv_search search = slv_begin_search(state, table, bins, point);
    for (int n = 0; n < 9; n++) {
        int y = search.y + n % 3 - 1;
        int z = search.z + n / 3 - 1;
        slv_run_of_cells run =
            slv_find_run(table, firsts, cells, slv_bin_row(y, z), search.x - 1, 3);
        for (int side = 0; side < 2; side++) {
            slv_search_ranks(state, table, bins, &search, run.first[side], run.end[side], y, z);
        }
    }
    slv_end_search(state, table, bins, point, search.count, search.cut);
}

// --- Pushing --------------------------------------------------------------------------------------------

// A point as a pair sees it.
typedef struct slv_mate {
    slv_vector q, y, start;
    float inverse_mass, friction, kinetic;
    int home, point;
} slv_mate;

SLV_INLINE slv_mate slv_load_mate(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  int bins, int point) {
    int home = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int floats = table[bins + SLV_BINS_BODY_FLOATS] + home * SLV_BIN_BODY_FLOATS;
    int start = table[bins + SLV_BINS_STARTS] + 4 * point;
    int now = table[bins + SLV_BINS_NOW] + 4 * point;
    int goal = table[bins + SLV_BINS_GOALS] + 4 * point;
    slv_mate mate;
    mate.home = home;
    mate.point = point;
    mate.q = slv_load_point(state, now);
    mate.y = slv_load_point(state, goal);
    mate.start = slv_load_point(state, start);
    mate.inverse_mass = state[now + 3];
    mate.friction = state[goal + 3];
    mate.kinetic = state[floats + SLV_BIN_BODY_KINETIC];
    return mate;
}

SLV_INLINE slv_vector slv_choose(int first, slv_vector a, slv_vector b) {
    return slv_make_vector(first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z);
}

// Of two points in the very same place the one that is earlier, by its home and then by its number, goes
// down and the other up: cloths that lie in each other part as a whole.
SLV_INLINE int slv_is_earlier(int home, int point, int other_body, int other_point) {
    return home < other_body || (home == other_body && point < other_point);
}

// The way from the other to the own point along which they are kept apart, and how far they are. Only where
// the entry says that they might pass each other (`passing`) is there need to ask how they came. Without a
// branch: this is done for several pairs at a time.
SLV_INLINE slv_gap slv_pair_gap(const SLV_PRIVATE slv_mate *own, const SLV_PRIVATE slv_mate *other,
                                float radii, int passing) {
    slv_vector now = slv_minus(own->q, other->q);
    slv_vector before = slv_minus(own->start, other->start);
    slv_vector way = slv_minus(slv_minus(own->y, other->y), before);
    float a = slv_dot(way, way);
    float b = slv_dot(before, way);
    float c = slv_dot(before, before) - radii * radii;
    float root = b * b - a * c;
    int fast = passing & (a > 0.25f * radii * radii) & (c > 0.0f) & (b < 0.0f) & (root > 0.0f);
    float share = (0.0f - b - slv_square_root(fast ? root : 0.0f)) / (fast ? a : 1.0f);
    int swept = fast & (share < 1.0f);
    slv_gap gap = slv_ball_gap(slv_choose(swept, slv_along(before, share, way), now), 0.0f);
    int below =
        gap.distance <= 0.0f && slv_is_earlier(own->home, own->point, other->home, other->point);
    gap.distance = swept ? slv_dot(now, gap.out) : gap.distance;
    gap.out.y = below ? -1.0f : gap.out.y;
    return gap;
}

// Passes after the first find next to no depth where cloth lies on cloth, while constraints go on pulling:
// each would let a little slip, and a pile whose edges hang would creep for ever. So for whoever would not
// slide of itself (`aim`: how far its own speed and weight would take it along the other, squared) the
// weight that presses it on counts in every pass, as the depth it makes in a step (`fall`).
SLV_INLINE float slv_pair_weight(float friction, float fall, float aim) {
    float weight = slv_absolute(fall);
    float still = friction * weight;
    return aim <= still * still ? weight : 0.0f;
}

// What a neighbor, who is to be `radii` away, wants of a point, added to a sum; 1 where they touch.
SLV_INLINE int slv_pair_want(const SLV_PRIVATE slv_mate *own, const SLV_PRIVATE slv_mate *other,
                             float radii, int passing, slv_vector fall,
                             SLV_PRIVATE slv_vector *sum) {
    slv_gap gap = slv_pair_gap(own, other, radii, passing);
    float depth = radii - gap.distance;
    int touches = depth > 0.0f;
    slv_grip grip;
    grip.thickness = radii;
    grip.friction = own->friction * other->friction;
    grip.kinetic = own->kinetic * other->kinetic;
    slv_vector others = slv_minus(other->q, other->start);
    slv_vector slide = slv_slide(slv_minus(slv_minus(own->q, own->start), others), gap.out);
    slv_vector aim = slv_slide(slv_minus(slv_minus(own->y, own->start), others), gap.out);
    float weight = slv_pair_weight(grip.friction, slv_dot(fall, gap.out), slv_dot(aim, aim));
    float held = slv_hold(grip, slv_dot(slide, slide), depth, slv_larger(depth, weight));
    float share = own->inverse_mass / (own->inverse_mass + other->inverse_mass);
    slv_vector wanted = slv_along(*sum, share * depth, gap.out);
    wanted = slv_along(wanted, 0.0f - share * held, slide);
    *sum = slv_choose(touches, wanted, *sum);
    return touches;
}

// At the start of a pass: where the point is now.
SLV_INLINE void slv_pair_fetch(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body, int point) {
    int bins = slv_bins_of(table, body);
    if (table[table[bins + SLV_BINS_COUNTS] + point] != 0) {
        int home = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
        int at = table[bins + SLV_BINS_BODIES] + home * SLV_BIN_BODY_INTS;
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

// Moves a point by the average of what its neighbors want.
SLV_INLINE void slv_pair_move(SLV_GLOBAL float *state, const SLV_GLOBAL int *table, int bins,
                              int point, slv_vector sum, int touching) {
    int home = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int at = table[bins + SLV_BINS_BODIES] + home * SLV_BIN_BODY_INTS;
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
    slv_mate own = slv_load_mate(state, table, bins, point);
    slv_vector fall = slv_make_vector(launch->drift[0], launch->drift[1], launch->drift[2]);
    slv_vector sum = slv_make_vector(0.0f, 0.0f, 0.0f);
    int touching = 0;
    for (int n = 0; n < count && own.inverse_mass > 0.0f; n++) {
        int entry = table[list + SLV_LANES * n];
        float radii = state[gaps + SLV_LANES * n];
        slv_vector apart = slv_minus(own.q, slv_load_point(state, now + 4 * (entry >> 1)));
        if ((entry & 1) != 0 || slv_dot(apart, apart) < radii * radii) {
            slv_mate other = slv_load_mate(state, table, bins, entry >> 1);
            touching += slv_pair_want(&own, &other, radii, entry & 1, fall, &sum);
        }
    }
    if (touching > 0) {
        slv_pair_move(state, table, bins, point, sum, touching);
    }
}

// After the first passes of a step: whoever was stopped short of where inertia would take it by more than
// a quarter of its radius has lost that speed. Were it to pull on, it could yet come through.
SLV_INLINE void slv_pair_rest_damp(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body, int point) {
    int bins = slv_bins_of(table, body);
    if (table[table[bins + SLV_BINS_COUNTS] + point] == 0) {
        return;
    }
    int home = table[table[bins + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    int at = table[bins + SLV_BINS_BODIES] + home * SLV_BIN_BODY_INTS;
    int place = table[table[bins + SLV_BINS_PLACE_OF] + point];
    int step = table[at + SLV_BIN_BODY_COMPONENT];
    int goal = table[bins + SLV_BINS_GOALS] + 4 * point;
    int y = table[at + SLV_BIN_BODY_Y] + place;
    float radius = state[table[bins + SLV_BINS_STARTS] + 4 * point + 3];
    slv_vector here = slv_load_stepped(state, table[at + SLV_BIN_BODY_Q] + place, step);
    slv_vector stopped = slv_minus(slv_load_point(state, goal), here);
    if (slv_dot(stopped, stopped) > 0.0625f * radius * radius) {
        slv_store_vector_at(state, goal, here);
        state[y] = here.x;
        state[y + step] = here.y;
        state[y + 2 * step] = here.z;
    }
}

#endif
