// SPDX-License-Identifier: MIT
// Garments that sleep. What has stayed where it is for a while need not be computed: a garment none of
// whose particles has gone further than a limit since its count of steps began is at rest, and with steps
// enough it falls asleep. Then its positions stand still, its speed is zero, and nothing is launched for it.
//
// Who touches somebody has rested no longer than that one (and a step), so that all that hangs together
// falls asleep together, and what is stirred wakes one neighbor a step. A sleeper is woken in the very
// step in which it is met: by a collider that moves, when the step begins; by another garment, once it is
// known who is near whom. It then takes part in the rest of the step as if it had never slept, so no blow
// is lost.
//
// Points of sleepers are left out of the broad phase while no garment that is awake comes near their box.
// Those that are in it are as heavy as what never moves, until they are woken.
//
// A step taken back finds everything as it was: counts are there twice, by parity.
#ifndef SLV_KERNELS_SLEEP_H
#define SLV_KERNELS_SLEEP_H

#include "kernels/pairs.h"

enum { SLV_MEETINGS = 64 }; // garments with the same number modulo this are met as one

SLV_INLINE int slv_sleeper(const SLV_PRIVATE slv_body_layout *body, int number) {
    return body->sleepers + number * SLV_SLEEP_FLOATS;
}

SLV_INLINE int slv_is_still(const SLV_GLOBAL float *state, int sleeper) {
    return state[sleeper + SLV_SLEEP_STILL] > 0.0f;
}

// --- When a step begins -----------------------------------------------------------------------------------

// Whether a collider that moves in this step comes near the box of a garment.
SLV_INLINE int slv_is_stirred(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                              int contact, int sleeper) {
    int room = table[contact + SLV_CONTACT_ROOM];
    int boxes = table[contact + SLV_CONTACT_BOXES];
    int kinds = table[contact + SLV_CONTACT_KINDS];
    float margin = state[sleeper + SLV_SLEEP_MARGIN];
    slv_tile_box box;
    box.way = 0.0f;
    for (int d = 0; d < 3; d++) {
        box.low[d] = state[sleeper + SLV_SLEEP_BOX + d];
        box.high[d] = state[sleeper + SLV_SLEEP_BOX + 3 + d];
    }
    int stirred = 0;
    for (int c = 0; c < room && !stirred; c++) {
        int record = table[contact + SLV_CONTACT_COLLIDERS] + c * SLV_COLLIDER_FLOATS;
        int near = state[record + SLV_COLLIDER_PATH] > 0.0f;
        for (int d = 0; d < 3; d++) {
            near &= state[boxes + d * room + c] <= box.high[d] + margin;
            near &= state[boxes + (3 + d) * room + c] >= box.low[d] - margin;
        }
        if (near && table[kinds + c] == SLV_SHAPE_PLANE) {
            near = slv_box_meets_plane(state, record, &box, margin);
        }
        stirred = near;
    }
    return stirred;
}

SLV_INLINE void slv_sleep_clear(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_body_layout *body, int number) {
    int own = slv_sleeper(body, number);
    state[own + SLV_SLEEP_STIRRED] = 0.0f;
    state[own + SLV_SLEEP_MOVED] = 0.0f;
    state[own + SLV_SLEEP_WOKEN] = 0.0f;
    for (int n = 0; n < SLV_MEETINGS; n++) {
        table[body->meetings + number * SLV_MEETINGS + n] = 0;
    }
}

// Whether garment `number` sleeps on; its count stays as it is where it does.
SLV_INLINE void slv_sleep_on(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                             const SLV_PRIVATE slv_body_layout *body,
                             const SLV_PRIVATE slv_launch *launch, int number) {
    int own = slv_sleeper(body, number);
    float rest = state[own + SLV_SLEEP_REST + launch->parity];
    int collides = state[own + SLV_SLEEP_MARGIN] >= 0.0f;
    int stirred = collides && slv_is_stirred(state, table, body->contact, own);
    state[own + SLV_SLEEP_STILL] = rest >= state[own + SLV_SLEEP_NEED] && !stirred ? 1.0f : 0.0f;
    state[own + SLV_SLEEP_REST + 1 - launch->parity] = rest;
    state[own + SLV_SLEEP_STIRRED] = stirred ? 1.0f : 0.0f;
}

// Whether two garments may come near each other in this step.
SLV_INLINE int slv_boxes_meet(const SLV_GLOBAL float *state, int one, int other) {
    float margin = 1.2f * (state[one + SLV_SLEEP_RADIUS] + state[other + SLV_SLEEP_RADIUS]);
    int meet = 1;
    for (int d = 0; d < 3; d++) {
        int low = SLV_SLEEP_BOX + d;
        int high = SLV_SLEEP_BOX + 3 + d;
        meet &= state[one + low] <= state[other + high] + margin;
        meet &= state[other + low] <= state[one + high] + margin;
    }
    return meet;
}

// Whether a garment's points take part in the broad phase. The first also finds whether anybody's do.
SLV_INLINE void slv_sleep_gate(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                               int number) {
    int own = slv_sleeper(body, number);
    int present = !slv_is_still(state, own);
    int social = state[own + SLV_SLEEP_RADIUS] >= 0.0f;
    for (int n = 0; n < body->sleeper_count && social && !present; n++) {
        int other = slv_sleeper(body, n);
        present = n != number && !slv_is_still(state, other) &&
                  state[other + SLV_SLEEP_RADIUS] >= 0.0f && slv_boxes_meet(state, own, other);
    }
    state[own + SLV_SLEEP_PRESENT] = present ? 1.0f : 0.0f;
    int awake = 0;
    for (int n = 0; n < body->sleeper_count && number == 0; n++) {
        int one = slv_sleeper(body, n);
        awake |= state[one + SLV_SLEEP_POINTS] > 0.0f && !slv_is_still(state, one);
    }
    if (number == 0) {
        state[slv_sleeper(body, body->sleeper_count) + SLV_SLEEP_STILL] = awake ? 0.0f : 1.0f;
    }
}

// --- Who is near whom -------------------------------------------------------------------------------------

// A block of points as its garment now is: absent ones have their places hidden (-2 - place), those that
// sleep have the mass of nothing. Whoever comes back is known to nobody: it is put far from where it was, so
// that all look again.
SLV_INLINE void slv_seat_block(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body, int block) {
    int bins = slv_bins_of(table, body);
    int home = table[table[bins + SLV_BINS_BODY_OF] + block];
    int at = table[bins + SLV_BINS_BODIES] + home * SLV_BIN_BODY_INTS;
    int place_of = table[bins + SLV_BINS_PLACE_OF];
    int mass_of = table[bins + SLV_BINS_INVERSE_MASS_OF];
    int sleeper = slv_sleeper(body, home);
    int present = state[sleeper + SLV_SLEEP_PRESENT] > 0.0f;
    int still = slv_is_still(state, sleeper);
    int first = block * SLV_BLOCK;
    int was_present = table[place_of + first] >= 0;
    if (was_present == present && (table[mass_of + first] == SLV_NOTHING) == still) {
        return;
    }
    for (int point = first; point < first + SLV_BLOCK; point++) {
        int hidden = table[place_of + point];
        int place = hidden < -1 ? -2 - hidden : hidden;
        if (place >= 0) {
            int mass = still ? SLV_NOTHING
                             : table[at + SLV_BIN_BODY_INVERSE_MASSES] +
                                   place / table[at + SLV_BIN_BODY_STRIDE];
            table[place_of + point] = present ? place : -2 - place;
            table[mass_of + point] = mass;
            state[table[bins + SLV_BINS_NOW] + 4 * point + 3] = state[mass];
        }
        if (!present) {
            table[table[bins + SLV_BINS_COUNTS] + point] = 0;
        }
    }
    if (present && !was_present) {
        state[table[bins + SLV_BINS_STARTS] + 4 * first] = SLV_FAR;
    }
}

// Notes which other garments a point's neighbors belong to, for both: who sleeps has no list.
SLV_INLINE void slv_meet_others(SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                                int point) {
    int bins = slv_bins_of(table, body);
    int count = slv_count_listed(table, bins, point);
    int list = slv_find_list(table, bins, point);
    int bin_body_of = table[bins + SLV_BINS_BODY_OF];
    int home = table[bin_body_of + point / SLV_BLOCK];
    for (int n = 0; n < count; n++) {
        int other = table[bin_body_of + (table[list + SLV_LANES * n] >> 1) / SLV_BLOCK];
        if (other != home) {
            slv_mark(&table[body->meetings + home * SLV_MEETINGS + other % SLV_MEETINGS]);
            slv_mark(&table[body->meetings + other * SLV_MEETINGS + home % SLV_MEETINGS]);
        }
    }
}

// The least count of those a garment meets; SLV_FAR without any.
SLV_INLINE float slv_least_rest(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_body_layout *body, int parity, int number) {
    float least = SLV_FAR;
    for (int n = 0; n < SLV_MEETINGS; n++) {
        int met = table[body->meetings + number * SLV_MEETINGS + n] != 0;
        for (int other = n; met && other < body->sleeper_count; other += SLV_MEETINGS) {
            float rest = state[slv_sleeper(body, other) + SLV_SLEEP_REST + parity];
            least = other != number ? slv_smaller(least, rest) : least;
        }
    }
    return least;
}

// Wakes a sleeper that somebody touches who has come to rest only lately, or not at all.
SLV_INLINE void slv_sleep_rouse(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_body_layout *body,
                                const SLV_PRIVATE slv_launch *launch, int number) {
    int own = slv_sleeper(body, number);
    if (slv_is_still(state, own) &&
        slv_least_rest(state, table, body, launch->parity, number) < state[own + SLV_SLEEP_CALL]) {
        state[own + SLV_SLEEP_STILL] = 0.0f;
        state[own + SLV_SLEEP_WOKEN] = 1.0f;
    }
}

SLV_INLINE int slv_is_woken(const SLV_GLOBAL float *state,
                            const SLV_PRIVATE slv_body_layout *body) {
    return state[body->asleep + SLV_SLEEP_WOKEN] > 0.0f;
}

// Inertia for who was woken after all others had it.
SLV_INLINE void slv_sleep_rise_block(SLV_GLOBAL float *state,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int block, int from,
                                     int to) {
    for (int n = from; n < to && slv_is_woken(state, body); n++) {
        slv_integrate(state, body, launch, block * SLV_BLOCK + n, 4);
    }
}

SLV_INLINE void slv_sleep_rise_row(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                   const SLV_PRIVATE slv_launch *launch, int row, int from,
                                   int to) {
    for (int n = from; n < to && slv_is_woken(state, body); n++) {
        slv_integrate(state, body, launch, slv_grid_slot(body, 0, row, n), 1);
        slv_integrate(state, body, launch, slv_grid_slot(body, 1, row, n), 1);
    }
}

// Finds the neighbors of who was woken after all others had looked for theirs.
SLV_INLINE void slv_find_late(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                              const SLV_PRIVATE slv_body_layout *body, int point) {
    int home = table[table[slv_bins_of(table, body) + SLV_BINS_BODY_OF] + point / SLV_BLOCK];
    if (state[slv_sleeper(body, home) + SLV_SLEEP_WOKEN] > 0.0f) {
        slv_pair_find(state, table, body, point);
    }
}

// --- When a step ends -------------------------------------------------------------------------------------

// Whether a particle of a tile has gone too far from where it was when the count began, which is now where
// there is none yet; and the box that the tile is in and, at its speed, will be in a step later.
SLV_INLINE void slv_sleep_look(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int tile) {
    int start = slv_step_start(body, launch);
    int begins = !(state[body->asleep + SLV_SLEEP_REST + launch->parity] > 0.0f);
    float limit = state[body->asleep + SLV_SLEEP_LIMIT];
    slv_range range = slv_no_range();
    float furthest = 0.0f;
    for (int column = 0; column < SLV_BLOCK; column++) {
        int slot = slv_tile_slot(body, tile, column);
        if (slot < 0 || !(state[body->anchor + slot] > 0.0f)) {
            continue;
        }
        slv_vector q = slv_load_vector(state, body, body->q, slot);
        slv_vector way = slv_minus(q, slv_load_vector(state, body, start, slot));
        slv_vector next = slv_along(q, 1.0f, way);
        range = slv_widen(range, q, q);
        range = slv_widen(range, next, next);
        if (begins) {
            slv_store_vector(state, body, body->rest_positions, slot, q);
        }
        slv_vector gone = slv_minus(q, slv_load_vector(state, body, body->rest_positions, slot));
        furthest = slv_larger(furthest, slv_dot(gone, gone));
    }
    slv_store_range(state, body->rest_boxes + 6 * tile, range);
    if (furthest > limit) {
        slv_raise(&state[body->asleep + SLV_SLEEP_MOVED]);
    }
}

enum { SLV_SLEEP_FOLD = 64 }; // tiles

SLV_INLINE slv_range slv_join_boxes(const SLV_GLOBAL float *state,
                                    const SLV_PRIVATE slv_body_layout *body, int first, int step,
                                    int count) {
    slv_range range = slv_no_range();
    for (int n = 0, tile = first; n < count && tile < body->tiles; n++, tile += step) {
        int box = body->rest_boxes + 6 * tile;
        range =
            slv_widen(range, slv_load_stepped(state, box, 1), slv_load_stepped(state, box + 3, 1));
    }
    return range;
}

// The box of so many tiles, in place of the first one's: what is left for the one that counts is few.
SLV_INLINE void slv_sleep_fold(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                               int group) {
    int first = group * SLV_SLEEP_FOLD;
    slv_store_range(state, body->rest_boxes + 6 * first,
                    slv_join_boxes(state, body, first, 1, SLV_SLEEP_FOLD));
}

// Counts a step at rest, and finds the garment's box.
SLV_INLINE void slv_sleep_count(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_body_layout *body,
                                const SLV_PRIVATE slv_launch *launch) {
    int own = body->asleep;
    int number = (own - body->sleepers) / SLV_SLEEP_FLOATS;
    int parity = launch->parity;
    float met = slv_least_rest(state, table, body, parity, number);
    float rest = slv_smaller(state[own + SLV_SLEEP_REST + parity], met) + 1.0f;
    int restless = state[own + SLV_SLEEP_STIRRED] > 0.0f || state[own + SLV_SLEEP_MOVED] > 0.0f;
    rest = slv_smaller(rest, state[own + SLV_SLEEP_NEED]);
    state[own + SLV_SLEEP_REST + 1 - parity] = restless ? 0.0f : rest;
    slv_store_range(state, own + SLV_SLEEP_BOX,
                    slv_join_boxes(state, body, 0, SLV_SLEEP_FOLD, body->tiles));
}

SLV_INLINE int slv_falls_asleep(const SLV_GLOBAL float *state,
                                const SLV_PRIVATE slv_body_layout *body,
                                const SLV_PRIVATE slv_launch *launch) {
    return state[body->asleep + SLV_SLEEP_REST + 1 - launch->parity] >=
           state[body->asleep + SLV_SLEEP_NEED];
}

// Who falls asleep has no speed: it always was where it is.
SLV_INLINE void slv_sleep_stop(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                               int slot, int stride) {
    for (int d = 0; d < SLV_COMPONENTS(stride); d++) {
        int at = slv_place(body, slot, d, stride);
        float q = state[body->q + at];
        state[body->y + at] = q;
        state[body->prev[0] + at] = q;
        state[body->prev[1] + at] = q;
    }
}

SLV_INLINE void slv_sleep_settle_block(SLV_GLOBAL float *state,
                                       const SLV_PRIVATE slv_body_layout *body,
                                       const SLV_PRIVATE slv_launch *launch, int block, int from,
                                       int to) {
    for (int n = from; n < to && slv_falls_asleep(state, body, launch); n++) {
        slv_sleep_stop(state, body, block * SLV_BLOCK + n, 4);
    }
}

SLV_INLINE void slv_sleep_settle_row(SLV_GLOBAL float *state,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int row, int from,
                                     int to) {
    for (int n = from; n < to && slv_falls_asleep(state, body, launch); n++) {
        slv_sleep_stop(state, body, slv_grid_slot(body, 0, row, n), 1);
        slv_sleep_stop(state, body, slv_grid_slot(body, 1, row, n), 1);
    }
}

#endif
