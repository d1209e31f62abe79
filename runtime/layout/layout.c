// SPDX-License-Identifier: MIT
#include "runtime/layout/layout.h"

#include "kernels/graph.h"
#include "kernels/remainder.h"

#include <limits.h>
#include <string.h>

enum { ARRAY_ALIGNMENT = 16 }; // floats or ints: one cache line

// --- Layout -----------------------------------------------------------------------------------------

static int reserve_in(size_t *end, size_t count, bool *too_large) {
    size_t offset = *end;
    if (count > INT_MAX || offset > INT_MAX - count - ARRAY_ALIGNMENT) {
        *too_large = true;
        return 0;
    }
    *end = (offset + count + ARRAY_ALIGNMENT - 1) / ARRAY_ALIGNMENT * ARRAY_ALIGNMENT;
    return (int)offset;
}

int slv_reserve_state(slv_layout_cursor *cursor, size_t count) {
    return reserve_in(&cursor->state, count, &cursor->too_large);
}

int slv_reserve_table(slv_layout_cursor *cursor, size_t count) {
    return reserve_in(&cursor->table, count, &cursor->too_large);
}

static slv_extent extent_between(size_t first, size_t end) {
    return (slv_extent){first, end - first};
}

void slv_reserve_vectors(slv_layout_cursor *cursor, slv_body_layout *body_layout,
                         slv_body_extents *extents, size_t springs, size_t ends) {
    bool split = slv_body_is_grid(body_layout);
    size_t slots = (size_t)body_layout->slots;
    size_t floats = (split ? 3 : SLV_PARTICLE_FLOATS) * slots;
    body_layout->component = split ? body_layout->slots : 1;
    body_layout->q = slv_reserve_state(cursor, floats);
    extents->state[SLV_ASPECT_POSITIONS] = extent_between((size_t)body_layout->q, cursor->state);
    body_layout->u = slv_reserve_state(cursor, floats);
    body_layout->remainders = slv_reserve_state(cursor, floats);
    extents->state[SLV_ASPECT_REMAINDERS] = extent_between((size_t)body_layout->u, cursor->state);
    body_layout->b = slv_reserve_state(cursor, floats);
    size_t response = cursor->state;
    body_layout->weight = slv_reserve_state(cursor, slots);
    body_layout->anchor = slv_reserve_state(cursor, slots);
    body_layout->inverse_mass = slv_reserve_state(cursor, slots);
    body_layout->end_inverse_masses = slv_reserve_state(cursor, ends);
    body_layout->inverse_masses[0] = slv_reserve_state(cursor, springs);
    body_layout->inverse_masses[1] = slv_reserve_state(cursor, springs);
    extents->state[SLV_ASPECT_RESPONSE] = extent_between(response, cursor->state);
    body_layout->predicted = slv_reserve_state(cursor, floats);
    extents->state[SLV_ASPECT_PREDICTED] =
        extent_between((size_t)body_layout->predicted, cursor->state);
    size_t previous = cursor->state;
    body_layout->prev[0] = slv_reserve_state(cursor, floats);
    body_layout->prev[1] = slv_reserve_state(cursor, floats);
    extents->state[SLV_ASPECT_PREVIOUS] = extent_between(previous, cursor->state);
    body_layout->degrees = slv_reserve_state(cursor, slots);
}

size_t slv_springs_count_room(const slv_body *body) {
    size_t room = 0;
    for (uint32_t g = 0; g < body->group_count; g++) {
        room += ((size_t)body->groups[g].count + SLV_LANES - 1) / SLV_LANES * SLV_LANES;
    }
    return room;
}

void slv_layout_destroy(slv_layout *layout) {
    slv_memory_release(&layout->memory);
    *layout = (slv_layout){.memory = layout->memory};
}

// --- State ----------- ------------------------------------------------------------------------------

static void note_written(slv_layout *layout, uint32_t index, slv_aspect aspect) {
    layout->extents[index].written |= 1u << aspect;
}

// Offset of a particle's first component in each vector array.
static size_t offset_of(const slv_layout *layout, uint32_t index, uint32_t particle) {
    return (size_t)layout->slots[index][particle] * (size_t)layout->bodies[index].stride;
}

void slv_layout_read(const slv_layout *layout, uint32_t index, uint32_t first, uint32_t count,
                     float *values) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const float *q = layout->state + body_layout->q;
    const float *prev = layout->state + body_layout->prev[layout->parity];
    for (uint32_t p = first; p < first + count; p++, values += 6) {
        size_t at = offset_of(layout, index, p);
        for (size_t d = 0; d < 3; d++) {
            values[d] = q[at + d * (size_t)body_layout->component];
            values[3 + d] = prev[at + d * (size_t)body_layout->component];
        }
    }
}

void slv_layout_write(slv_layout *layout, uint32_t index, uint32_t first, uint32_t count,
                      const float *values) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    float *q = layout->state + body_layout->q;
    float *prev = layout->state + body_layout->prev[layout->parity];
    float *u = layout->state + body_layout->u;
    float *remainders = layout->state + body_layout->remainders;
    for (uint32_t p = first; p < first + count; p++, values += 6) {
        for (size_t d = 0; d < 3; d++) {
            size_t at = offset_of(layout, index, p) + d * (size_t)body_layout->component;
            q[at] = values[d];
            prev[at] = values[3 + d];
            u[at] = 0.0f;
            remainders[at] = 0.0f;
        }
    }
    note_written(layout, index, SLV_ASPECT_POSITIONS);
    note_written(layout, index, SLV_ASPECT_PREVIOUS);
    note_written(layout, index, SLV_ASPECT_REMAINDERS);
}

void slv_layout_read_remainders(const slv_layout *layout, uint32_t index, uint32_t first,
                                uint32_t count, int16_t *remainders) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    for (uint32_t p = first; p < first + count; p++, remainders += 6) {
        for (size_t d = 0; d < 3; d++) {
            const float *at =
                layout->state + offset_of(layout, index, p) + d * (size_t)body_layout->component;
            const float q = at[body_layout->q];
            remainders[d] = (int16_t)slv_round_remainder(at[body_layout->u], q);
            remainders[3 + d] = (int16_t)slv_remainder_now(at[body_layout->remainders]);
        }
    }
}

void slv_layout_write_remainders(slv_layout *layout, uint32_t index, uint32_t first, uint32_t count,
                                 const int16_t *remainders) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    for (uint32_t p = first; p < first + count; p++, remainders += 6) {
        for (size_t d = 0; d < 3; d++) {
            float *at =
                layout->state + offset_of(layout, index, p) + d * (size_t)body_layout->component;
            at[body_layout->u] = slv_scale_remainder(remainders[d], at[body_layout->q]);
            at[body_layout->remainders] = slv_pack_remainders(remainders[3 + d], 0);
        }
    }
    note_written(layout, index, SLV_ASPECT_REMAINDERS);
}

void slv_layout_read_exactly(const slv_layout *layout, uint32_t index, uint32_t particle,
                             double values[6]) {
    float rounded[6] = {0.0f};
    int16_t remainders[6] = {0};
    slv_layout_read(layout, index, particle, 1, rounded);
    slv_layout_read_remainders(layout, index, particle, 1, remainders);
    for (int n = 0; n < 6; n++) {
        values[n] = (double)rounded[n] + (double)slv_scale_remainder(remainders[n], rounded[n]);
    }
}

void slv_layout_write_exactly(slv_layout *layout, uint32_t index, uint32_t particle,
                              const double values[6]) {
    float rounded[6];
    int16_t remainders[6];
    for (int n = 0; n < 6; n++) {
        rounded[n] = (float)values[n];
        remainders[n] =
            (int16_t)slv_round_remainder((float)(values[n] - (double)rounded[n]), rounded[n]);
    }
    slv_layout_write(layout, index, particle, 1, rounded);
    slv_layout_write_remainders(layout, index, particle, 1, remainders);
}

void slv_layout_write_start(slv_layout *layout, uint32_t index, const slv_body *body) {
    for (uint32_t p = 0; p < body->count; p++) {
        const float *start = body->start + 6 * (size_t)p;
        double values[6];
        if (start[3] == 0.0f && start[4] == 0.0f && start[5] == 0.0f) { // nothing to round
            const float at_rest[6] = {start[0], start[1], start[2], start[0], start[1], start[2]};
            slv_layout_write(layout, index, p, 1, at_rest);
            continue;
        }
        for (int d = 0; d < 3; d++) {
            values[d] = (double)start[d];
            values[3 + d] = (double)start[d] - (double)start[3 + d];
        }
        slv_layout_write_exactly(layout, index, p, values);
    }
}

void slv_layout_stop(slv_layout *layout, uint32_t index) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const size_t size = slv_count_vector_floats(body_layout) * sizeof *layout->state;
    memcpy(layout->state + body_layout->prev[layout->parity], layout->state + body_layout->q, size);
    memset(layout->state + body_layout->u, 0, size);
    memset(layout->state + body_layout->remainders, 0, size);
    note_written(layout, index, SLV_ASPECT_PREVIOUS);
    note_written(layout, index, SLV_ASPECT_REMAINDERS);
}

void slv_layout_stage(slv_layout *layout, slv_staging staging) {
    const slv_staging own = {layout->state + layout->staged_state.first,
                             layout->table + layout->staged_table.first};
    const slv_staging next = staging.state ? staging : own;
    if (layout->staging.state && next.state != layout->staging.state &&
        layout->staged_state.count > 0) {
        memcpy(next.state, layout->staging.state, layout->staged_state.count * sizeof *next.state);
        memcpy(next.table, layout->staging.table, layout->staged_table.count * sizeof *next.table);
    }
    layout->staging = next;
}
