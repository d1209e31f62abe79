// SPDX-License-Identifier: MIT
#include "runtime/layout/layout.h"

#include "kernels/graph.h"

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
    body_layout->b = slv_reserve_state(cursor, floats);
    size_t response = cursor->state;
    body_layout->weight = slv_reserve_state(cursor, slots);
    body_layout->anchor = slv_reserve_state(cursor, slots);
    body_layout->inverse_mass = slv_reserve_state(cursor, slots);
    body_layout->end_inverse_masses = slv_reserve_state(cursor, ends);
    body_layout->inverse_masses[0] = slv_reserve_state(cursor, springs);
    body_layout->inverse_masses[1] = slv_reserve_state(cursor, springs);
    extents->state[SLV_ASPECT_RESPONSE] = extent_between(response, cursor->state);
    body_layout->y = slv_reserve_state(cursor, floats);
    extents->state[SLV_ASPECT_GOALS] = extent_between((size_t)body_layout->y, cursor->state);
    size_t previous = cursor->state;
    body_layout->prev[0] = slv_reserve_state(cursor, floats);
    body_layout->prev[1] = slv_reserve_state(cursor, floats);
    extents->state[SLV_ASPECT_PREVIOUS] = extent_between(previous, cursor->state);
    body_layout->next = slv_reserve_state(cursor, floats);
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

void slv_layout_read(const slv_layout *layout, uint32_t index, uint32_t first, uint32_t count,
                     float *values) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const float *q = layout->state + body_layout->q;
    const float *prev = layout->state + body_layout->prev[layout->parity];
    for (uint32_t p = first; p < first + count; p++, values += 6) {
        size_t at = (size_t)layout->slots[index][p] * (size_t)body_layout->stride;
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
    for (uint32_t p = first; p < first + count; p++, values += 6) {
        size_t at = (size_t)layout->slots[index][p] * (size_t)body_layout->stride;
        for (size_t d = 0; d < 3; d++) {
            q[at + d * (size_t)body_layout->component] = values[d];
            prev[at + d * (size_t)body_layout->component] = values[3 + d];
        }
    }
    note_written(layout, index, SLV_ASPECT_POSITIONS);
    note_written(layout, index, SLV_ASPECT_PREVIOUS);
}

void slv_layout_stop(slv_layout *layout, uint32_t index) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const size_t floats = slv_count_vector_floats(body_layout);
    memcpy(layout->state + body_layout->prev[layout->parity], layout->state + body_layout->q,
           floats * sizeof *layout->state);
    note_written(layout, index, SLV_ASPECT_PREVIOUS);
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
