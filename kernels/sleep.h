// SPDX-License-Identifier: MIT
// Sleeping bodies. A body none of whose particles has moved further than a limit since its count of
// steps began is at rest; after enough steps it falls asleep. Then its positions are constant, its
// velocity is zero, and nothing is launched for it.
//
// A body's count is at most one above the least count of the bodies that it touches. So bodies in
// contact fall asleep together, and a disturbance wakes one neighbor a step. A sleeping body is woken
// in the step in which it is touched: by a moving collider when the step begins, by another body once
// the neighbor lists are known. It then takes part in the rest of the step as if it had never slept, so
// no impact is lost. Contacts between surfaces are known only after the constraints: garments with them touch where
// their bounding boxes overlap, which is known when the step begins.
//
// Points of sleeping bodies are left out of the broad phase while no body that is awake comes near
// their bounding box. Those that are in it have inverse mass 0 until they are woken.
//
// Counts are stored twice, by parity, so that a rollback finds the old ones.
#ifndef SLV_KERNELS_SLEEP_H
#define SLV_KERNELS_SLEEP_H

#include "kernels/pairs.h"

enum { SLV_TOUCH_MARKS = 64 }; // bodies with the same number modulo this share a mark

SLV_INLINE int slv_sleep_state_at(const SLV_PRIVATE slv_body_layout *body, int number) {
    return body->sleep_states + number * SLV_SLEEP_FLOATS;
}

SLV_INLINE int slv_is_asleep(const SLV_GLOBAL float *state, int sleep_state) {
    return state[sleep_state + SLV_SLEEP_ASLEEP] > 0.0f;
}

#define SLV_SLEEP_BOX_MARGIN 1.2f // of two radii: boxes of bodies that are nearer overlap

// --- When a step begins -----------------------------------------------------------------------------------

// Whether a moving collider comes near the bounding box of a body in this step.
SLV_INLINE int slv_is_disturbed(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                int contact, int sleep_state) {
    int room = table[contact + SLV_CONTACT_ROOM];
    int boxes = table[contact + SLV_CONTACT_BOXES];
    int kinds = table[contact + SLV_CONTACT_KINDS];
    float margin = state[sleep_state + SLV_SLEEP_MARGIN];
    slv_tile_box box;
    box.displacement = 0.0f;
    for (int d = 0; d < 3; d++) {
        box.low[d] = state[sleep_state + SLV_SLEEP_BOX + d];
        box.high[d] = state[sleep_state + SLV_SLEEP_BOX + 3 + d];
    }
    int disturbed = 0;
    for (int c = 0; c < room && !disturbed; c++) {
        int record = table[contact + SLV_CONTACT_COLLIDERS] + c * SLV_COLLIDER_FLOATS;
        int near = state[record + SLV_COLLIDER_DISPLACEMENT] > 0.0f;
        for (int d = 0; d < 3; d++) {
            near &= state[boxes + d * room + c] <= box.high[d] + margin;
            near &= state[boxes + (3 + d) * room + c] >= box.low[d] - margin;
        }
        if (near && table[kinds + c] == SLV_SHAPE_PLANE) {
            near = slv_box_touches_plane(state, record, &box, margin);
        }
        disturbed = near;
    }
    return disturbed;
}

SLV_INLINE void slv_sleep_clear(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_body_layout *body, int number) {
    int own = slv_sleep_state_at(body, number);
    state[own + SLV_SLEEP_DISTURBED] = 0.0f;
    state[own + SLV_SLEEP_MOVED] = 0.0f;
    state[own + SLV_SLEEP_WOKEN] = 0.0f;
    for (int n = 0; n < SLV_TOUCH_MARKS; n++) {
        table[body->touch_marks + number * SLV_TOUCH_MARKS + n] = 0;
    }
}

// Whether two bodies may come near each other in this step. `reach`: SLV_SLEEP_REACH or SLV_SLEEP_SURFACE.
SLV_INLINE int slv_boxes_overlap(const SLV_GLOBAL float *state, int one, int other, int reach) {
    float margin = SLV_SLEEP_BOX_MARGIN * (state[one + reach] + state[other + reach]);
    int meet = 1;
    for (int d = 0; d < 3; d++) {
        int low = SLV_SLEEP_BOX + d;
        int high = SLV_SLEEP_BOX + 3 + d;
        meet &= state[one + low] <= state[other + high] + margin;
        meet &= state[other + low] <= state[one + high] + margin;
    }
    return meet;
}

// The least count of the bodies that a body touches; SLV_FAR without any.
SLV_INLINE float slv_min_steps_of_touching(const SLV_GLOBAL float *state,
                                           const SLV_GLOBAL int *table,
                                           const SLV_PRIVATE slv_body_layout *body, int parity,
                                           int number) {
    float least = SLV_FAR;
    for (int n = 0; n < SLV_TOUCH_MARKS; n++) {
        int touched = table[body->touch_marks + number * SLV_TOUCH_MARKS + n] != 0;
        for (int other = n; touched && other < body->sleep_state_count; other += SLV_TOUCH_MARKS) {
            float rest = state[slv_sleep_state_at(body, other) + SLV_SLEEP_STEPS + parity];
            least = other != number ? slv_min(least, rest) : least;
        }
    }
    return least;
}

// Marks the bodies whose surfaces may touch that of body `number` in this step.
SLV_INLINE void slv_mark_near_surfaces(const SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body, int number) {
    int own = slv_sleep_state_at(body, number);
    int has_surface = state[own + SLV_SLEEP_SURFACE] >= 0.0f;
    for (int n = 0; n < body->sleep_state_count && has_surface; n++) {
        int other = slv_sleep_state_at(body, n);
        if (n != number && state[other + SLV_SLEEP_SURFACE] >= 0.0f &&
            slv_boxes_overlap(state, own, other, SLV_SLEEP_SURFACE)) {
            table[body->touch_marks + number * SLV_TOUCH_MARKS + n % SLV_TOUCH_MARKS] = 1;
        }
    }
}

// Whether body `number` stays asleep in this step; its count is carried over.
SLV_INLINE void slv_sleep_begin_step(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int number) {
    int own = slv_sleep_state_at(body, number);
    float rest = state[own + SLV_SLEEP_STEPS + launch->parity];
    int collides = state[own + SLV_SLEEP_MARGIN] >= 0.0f;
    int disturbed = collides && slv_is_disturbed(state, table, body->contact, own);
    slv_mark_near_surfaces(state, table, body, number);
    int woken = slv_min_steps_of_touching(state, table, body, launch->parity, number) <
                state[own + SLV_SLEEP_WAKE_BELOW];
    state[own + SLV_SLEEP_ASLEEP] =
        rest >= state[own + SLV_SLEEP_STEPS_NEEDED] && !disturbed && !woken ? 1.0f : 0.0f;
    state[own + SLV_SLEEP_STEPS + 1 - launch->parity] = rest;
    state[own + SLV_SLEEP_DISTURBED] = disturbed ? 1.0f : 0.0f;
}

// Whether a body's points take part in the broad phase. Row 0 also finds whether any body with points
// is awake.
SLV_INLINE void slv_sleep_set_presence(SLV_GLOBAL float *state,
                                       const SLV_PRIVATE slv_body_layout *body, int number) {
    int own = slv_sleep_state_at(body, number);
    int present = !slv_is_asleep(state, own);
    int collides = state[own + SLV_SLEEP_REACH] >= 0.0f;
    for (int n = 0; n < body->sleep_state_count && collides && !present; n++) {
        int other = slv_sleep_state_at(body, n);
        present = n != number && !slv_is_asleep(state, other) &&
                  state[other + SLV_SLEEP_REACH] >= 0.0f &&
                  slv_boxes_overlap(state, own, other, SLV_SLEEP_REACH);
    }
    state[own + SLV_SLEEP_PRESENT] = present ? 1.0f : 0.0f;
    int awake = 0;
    for (int n = 0; n < body->sleep_state_count && number == 0; n++) {
        int one = slv_sleep_state_at(body, n);
        awake |= state[one + SLV_SLEEP_HAS_POINTS] > 0.0f && !slv_is_asleep(state, one);
    }
    if (number == 0) {
        state[slv_sleep_state_at(body, body->sleep_state_count) + SLV_SLEEP_ASLEEP] =
            awake ? 0.0f : 1.0f;
    }
}

// --- Contacts ---------------------------------------------------------------------------------------------

// Empties the neighbor lists of a point, of all requests.
SLV_INLINE void slv_clear_lists(SLV_GLOBAL int *table, int bins, int point) {
    for (int request = 0; request < table[bins + SLV_BINS_REQUESTS]; request++) {
        int lists = slv_lists_of(table, bins, request);
        if (table[lists + SLV_LISTS_CAPACITY] > 0) {
            table[table[lists + SLV_LISTS_COUNTS] + point] = 0;
        }
    }
}

// Updates a block of points to the sleep state of its body. Absent points have their offsets hidden (-2
// - offset); sleeping ones have inverse mass 0. The saved start of a block that returns is set far away,
// so that no cached candidate list is used for it.
SLV_INLINE void slv_sleep_update_block(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body, int block) {
    int bins = body->search;
    int bin_body = table[table[bins + SLV_BINS_BODY_OF] + block];
    int at = table[bins + SLV_BINS_BODIES] + bin_body * SLV_BIN_BODY_INTS;
    int offset_of = table[bins + SLV_BINS_OFFSET_OF];
    int inverse_mass_of = table[bins + SLV_BINS_INVERSE_MASS_OF];
    int sleep_state = slv_sleep_state_at(body, bin_body);
    int present = state[sleep_state + SLV_SLEEP_PRESENT] > 0.0f;
    int asleep = slv_is_asleep(state, sleep_state);
    int first = block * SLV_BLOCK;
    int was_present = table[offset_of + first] >= 0;
    if (was_present == present && (table[inverse_mass_of + first] == SLV_ZERO) == asleep) {
        return;
    }
    for (int point = first; point < first + SLV_BLOCK; point++) {
        int stored = table[offset_of + point];
        int offset = stored < -1 ? -2 - stored : stored;
        if (offset >= 0) {
            int inverse_mass = asleep ? SLV_ZERO
                                      : table[at + SLV_BIN_BODY_INVERSE_MASSES] +
                                            offset / table[at + SLV_BIN_BODY_STRIDE];
            table[offset_of + point] = present ? offset : -2 - offset;
            table[inverse_mass_of + point] = inverse_mass;
            state[table[bins + SLV_BINS_NOW] + 4 * point + 3] = state[inverse_mass];
        }
        if (!present) {
            slv_clear_lists(table, bins, point);
        }
    }
    if (present && !was_present) {
        state[table[bins + SLV_BINS_STARTS] + 4 * first] = SLV_FAR;
    }
}

// Marks the bodies of a point's neighbors as touching, for both: sleeping points have no list.
SLV_INLINE void slv_mark_touching(SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                                  int point) {
    int bins = body->search;
    int lists = slv_pair_lists_of(table, body);
    int count = slv_count_listed(table, lists, point);
    int list = slv_find_list(table, lists, point);
    int bin_body_of = table[bins + SLV_BINS_BODY_OF];
    int bin_body = table[bin_body_of + point / SLV_BLOCK];
    for (int n = 0; n < count; n++) {
        int other = table[bin_body_of + (table[list + SLV_LANES * n] >> 1) / SLV_BLOCK];
        if (other != bin_body) {
            slv_set_mark(
                &table[body->touch_marks + bin_body * SLV_TOUCH_MARKS + other % SLV_TOUCH_MARKS]);
            slv_set_mark(
                &table[body->touch_marks + other * SLV_TOUCH_MARKS + bin_body % SLV_TOUCH_MARKS]);
        }
    }
}

// Wakes a sleeping body that is touched by one whose count is below SLV_SLEEP_WAKE_BELOW.
SLV_INLINE void slv_sleep_wake_touched(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body,
                                       const SLV_PRIVATE slv_launch *launch, int number) {
    int own = slv_sleep_state_at(body, number);
    if (slv_is_asleep(state, own) &&
        slv_min_steps_of_touching(state, table, body, launch->parity, number) <
            state[own + SLV_SLEEP_WAKE_BELOW]) {
        state[own + SLV_SLEEP_ASLEEP] = 0.0f;
        state[own + SLV_SLEEP_WOKEN] = 1.0f;
    }
}

SLV_INLINE int slv_is_woken(const SLV_GLOBAL float *state,
                            const SLV_PRIVATE slv_body_layout *body) {
    return state[body->asleep + SLV_SLEEP_WOKEN] > 0.0f;
}

// Integrates a body that was woken after all others were integrated.
SLV_INLINE void slv_integrate_woken_block(SLV_GLOBAL float *state,
                                          const SLV_PRIVATE slv_body_layout *body,
                                          const SLV_PRIVATE slv_launch *launch, int block, int from,
                                          int to) {
    for (int n = from; n < to && slv_is_woken(state, body); n++) {
        slv_integrate(state, body, launch, block * SLV_BLOCK + n, SLV_JOINED);
    }
}

SLV_INLINE void slv_integrate_woken_row(SLV_GLOBAL float *state,
                                        const SLV_PRIVATE slv_body_layout *body,
                                        const SLV_PRIVATE slv_launch *launch, int row, int from,
                                        int to) {
    for (int n = from; n < to && slv_is_woken(state, body); n++) {
        slv_integrate(state, body, launch, slv_grid_slot(body, 0, row, n), SLV_SPLIT);
        slv_integrate(state, body, launch, slv_grid_slot(body, 1, row, n), SLV_SPLIT);
    }
}

// --- When a step ends -------------------------------------------------------------------------------------

// Whether a particle of a tile has moved too far from where it was when the count began, which is now
// where the count is 0. Also finds the bounding box of the tile, now and, at its velocity, a step
// later.
SLV_INLINE void slv_sleep_measure(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                  const SLV_PRIVATE slv_launch *launch, int tile) {
    int start = slv_step_start(body, launch);
    int begins = !(state[body->asleep + SLV_SLEEP_STEPS + launch->parity] > 0.0f);
    float limit = state[body->asleep + SLV_SLEEP_LIMIT_SQUARE];
    slv_range range = slv_empty_range();
    float max_square = 0.0f;
    for (int column = 0; column < SLV_BLOCK; column++) {
        int slot = slv_tile_slot(body, tile, column);
        if (slot < 0 || !(state[body->anchor + slot] > 0.0f)) {
            continue;
        }
        slv_vector q = slv_load_vector(state, body, body->q, slot);
        slv_vector displacement = slv_subtract(q, slv_load_vector(state, body, start, slot));
        slv_vector next = slv_add_scaled(q, 1.0f, displacement);
        range = slv_extend_range(range, q, q);
        range = slv_extend_range(range, next, next);
        if (begins) {
            slv_store_vector(state, body, body->rest_positions, slot, q);
        }
        slv_vector displaced =
            slv_subtract(q, slv_load_vector(state, body, body->rest_positions, slot));
        max_square = slv_max(max_square, slv_dot(displaced, displaced));
    }
    slv_store_range(state, body->rest_boxes + 6 * tile, range);
    if (max_square > limit) {
        slv_set_flag(&state[body->asleep + SLV_SLEEP_MOVED]);
    }
}

enum { SLV_SLEEP_BOX_GROUP = 64 }; // tiles whose boxes are merged into one

SLV_INLINE slv_range slv_join_boxes(const SLV_GLOBAL float *state,
                                    const SLV_PRIVATE slv_body_layout *body, int first, int step,
                                    int count) {
    slv_range range = slv_empty_range();
    for (int n = 0, tile = first; n < count && tile < body->tiles; n++, tile += step) {
        int box = body->rest_boxes + 6 * tile;
        range = slv_extend_range(range, slv_load_strided(state, box, 1),
                                 slv_load_strided(state, box + 3, 1));
    }
    return range;
}

// Merges the boxes of a group of tiles into that of the first, so that slv_sleep_count reads few.
SLV_INLINE void slv_sleep_merge_boxes(SLV_GLOBAL float *state,
                                      const SLV_PRIVATE slv_body_layout *body, int group) {
    int first = group * SLV_SLEEP_BOX_GROUP;
    slv_store_range(state, body->rest_boxes + 6 * first,
                    slv_join_boxes(state, body, first, 1, SLV_SLEEP_BOX_GROUP));
}

// Counts a step at rest and finds the bounding box of the body.
SLV_INLINE void slv_sleep_count(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_body_layout *body,
                                const SLV_PRIVATE slv_launch *launch) {
    int own = body->asleep;
    int number = (own - body->sleep_states) / SLV_SLEEP_FLOATS;
    int parity = launch->parity;
    float touched = slv_min_steps_of_touching(state, table, body, parity, number);
    float rest = slv_min(state[own + SLV_SLEEP_STEPS + parity], touched) + 1.0f;
    int moving = state[own + SLV_SLEEP_DISTURBED] > 0.0f || state[own + SLV_SLEEP_MOVED] > 0.0f;
    rest = slv_min(rest, state[own + SLV_SLEEP_STEPS_NEEDED]);
    state[own + SLV_SLEEP_STEPS + 1 - parity] = moving ? 0.0f : rest;
    slv_store_range(state, own + SLV_SLEEP_BOX,
                    slv_join_boxes(state, body, 0, SLV_SLEEP_BOX_GROUP, body->tiles));
}

SLV_INLINE int slv_falls_asleep(const SLV_GLOBAL float *state,
                                const SLV_PRIVATE slv_body_layout *body,
                                const SLV_PRIVATE slv_launch *launch) {
    return state[body->asleep + SLV_SLEEP_STEPS + 1 - launch->parity] >=
           state[body->asleep + SLV_SLEEP_STEPS_NEEDED];
}

// A body that falls asleep has no velocity: its previous positions become the current one.
SLV_INLINE void slv_sleep_stop_slot(SLV_GLOBAL float *state,
                                    const SLV_PRIVATE slv_body_layout *body, int slot,
                                    int arrangement) {
    for (int d = 0; d < SLV_COMPONENTS(arrangement); d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        float q = state[body->q + at];
        state[body->predicted + at] = 0.0f;
        state[body->prev[0] + at] = q;
        state[body->prev[1] + at] = q;
        state[body->u + at] = 0.0f;
        state[body->remainders + at] = 0.0f;
    }
}

SLV_INLINE void slv_sleep_stop_block(SLV_GLOBAL float *state,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int block, int from,
                                     int to) {
    for (int n = from; n < to && slv_falls_asleep(state, body, launch); n++) {
        slv_sleep_stop_slot(state, body, block * SLV_BLOCK + n, SLV_JOINED);
    }
}

SLV_INLINE void slv_sleep_stop_row(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                   const SLV_PRIVATE slv_launch *launch, int row, int from,
                                   int to) {
    for (int n = from; n < to && slv_falls_asleep(state, body, launch); n++) {
        slv_sleep_stop_slot(state, body, slv_grid_slot(body, 0, row, n), SLV_SPLIT);
        slv_sleep_stop_slot(state, body, slv_grid_slot(body, 1, row, n), SLV_SPLIT);
    }
}

#endif
