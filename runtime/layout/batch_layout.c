// SPDX-License-Identifier: MIT
#include "runtime/layout/batch_layout.h"

#include "kernels/graph.h"
#include "runtime/layout/phantom_layout.h"

#include <limits.h>

static const float PADDING = -1.0f; // rest value of what only fills up a row

static size_t padded(size_t count) {
    return (count + SLV_LANES - 1) / SLV_LANES * SLV_LANES;
}

size_t slv_batch_count_room(const slv_constraint_batch *batch) {
    size_t room = 0;
    for (uint32_t g = 0; g < batch->group_count; g++) {
        room += padded(batch->groups[g].count);
    }
    return room;
}

// Inverse masses of all batches lie side by side, so that one extent covers them.
static void reserve_batches(slv_body_layout *body_layout, slv_body_extents *extents,
                            const slv_body *body, slv_layout_cursor *cursor) {
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        const slv_constraint_batch *batch = &body->batches[b];
        slv_batch_layout *batch_layout = &body_layout->batches[b];
        batch_layout->group_count = (int)batch->group_count;
        batch_layout->groups = slv_reserve_table(cursor, 2 * (size_t)batch->group_count);
        for (uint32_t e = 0; e < slv_batch_arity(b); e++) {
            batch_layout->ends[e] = slv_reserve_table(cursor, slv_batch_count_room(batch));
        }
    }
    const size_t first = cursor->state;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        for (uint32_t e = 0; e < slv_batch_arity(b); e++) {
            body_layout->batches[b].inverse_masses[e] =
                slv_reserve_state(cursor, slv_batch_count_room(&body->batches[b]));
        }
    }
    extents->state[SLV_ASPECT_CORNERS] = (slv_extent){first, cursor->state - first};
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        body_layout->batches[b].rests =
            slv_reserve_state(cursor, slv_batch_count_room(&body->batches[b]));
    }
}

static bool is_too_large(const slv_body *body) {
    bool too_large = slv_springs_count_room(body) > INT_MAX / 32;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        too_large |= slv_batch_count_room(&body->batches[b]) > INT_MAX / 32 / SLV_BATCH_COUNT;
    }
    return too_large;
}

void slv_batch_layout_reserve(slv_body_layout *body_layout, slv_body_extents *extents,
                              const slv_body *body, unsigned parts, slv_layout_cursor *cursor) {
    if (!(parts & SLV_PART_BATCHES)) {
        return;
    }
    if (is_too_large(body)) {
        cursor->too_large = true;
        return;
    }
    reserve_batches(body_layout, extents, body, cursor);
}

static void fill_batch(const slv_body_layout *body_layout, const slv_body *body, int b,
                       const uint32_t *slots, float *state, int *table) {
    const slv_constraint_batch *batch = &body->batches[b];
    const slv_batch_layout *batch_layout = &body_layout->batches[b];
    int first = 0;
    for (uint32_t g = 0; g < batch->group_count; g++) {
        const slv_batch_group *group = &batch->groups[g];
        for (uint32_t i = 0; i < group->count; i++) {
            const uint32_t *ends = batch->ends[group->first + i];
            for (uint32_t e = 0; e < slv_batch_arity(b); e++) {
                table[batch_layout->ends[e] + first + (int)i] =
                    (int)slv_phantom_slot(body_layout, body, slots, ends[e]) * SLV_PARTICLE_FLOATS;
            }
            state[batch_layout->rests + first + (int)i] = batch->rests[group->first + i];
        }
        table[batch_layout->groups + 2 * (int)g] = first / SLV_LANES;
        for (size_t i = group->count; i < padded(group->count); i++) {
            state[batch_layout->rests + first + (int)i] = PADDING;
        }
        first += (int)padded(group->count);
        table[batch_layout->groups + 2 * (int)g + 1] = first / SLV_LANES;
    }
}

void slv_batch_layout_fill(const slv_body_layout *body_layout, const slv_body *body,
                           const uint32_t *slots, float *state, int *table) {
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        if (body_layout->batches[b].group_count > 0) {
            fill_batch(body_layout, body, b, slots, state, table);
        }
    }
}

static void set_batch_inverse_masses(const slv_body_layout *body_layout, int b, float *state,
                                     const int *table) {
    const slv_batch_layout *batch_layout = &body_layout->batches[b];
    for (int g = 0; g < batch_layout->group_count; g++) {
        const int first = table[batch_layout->groups + 2 * g] * SLV_LANES;
        const int end = table[batch_layout->groups + 2 * g + 1] * SLV_LANES;
        for (int i = first; i < end && state[batch_layout->rests + i] > PADDING; i++) {
            for (uint32_t e = 0; e < slv_batch_arity(b); e++) {
                state[batch_layout->inverse_masses[e] + i] =
                    slv_phantom_inverse_mass(body_layout, state, table, SLV_PHASE_BATCHES + b,
                                             table[batch_layout->ends[e] + i]);
            }
        }
    }
}

void slv_batch_layout_set_inverse_masses(const slv_body_layout *body_layout, float *state,
                                         const int *table) {
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        set_batch_inverse_masses(body_layout, b, state, table);
    }
}
