// SPDX-License-Identifier: MIT
#include "runtime/layout/vertex_tetrahedra.h"

#include "kernels/graph.h"

#include <limits.h>

static uint32_t particle_of(const slv_body *body, uint32_t end) {
    return end < body->count ? end : body->phantoms.originals[end - body->count];
}

static const slv_constraint_batch *tetrahedra_of(const slv_body *body) {
    return &body->batches[SLV_BATCH_TETRAHEDRON];
}

// A slice has as many rows as its particle with most tetrahedra needs.
bool slv_vertex_tetrahedra_measure(const slv_body *body, const uint32_t *slots, slv_memory *scratch,
                                   slv_graph_draft *draft) {
    if (!(draft->parts & SLV_PART_VERTEX_TETRAHEDRA) || tetrahedra_of(body)->count == 0) {
        return true;
    }
    uint32_t *taken =
        slv_memory_take(scratch, (size_t)draft->slice_count * SLV_LANES + 1, sizeof *taken);
    draft->vertex_rows =
        slv_memory_take(scratch, (size_t)draft->slice_count + 1, sizeof *draft->vertex_rows);
    if (!taken || !draft->vertex_rows) {
        return false;
    }
    for (uint32_t t = 0; t < tetrahedra_of(body)->count; t++) {
        for (int c = 0; c < 4; c++) {
            const uint32_t slot = slots[particle_of(body, tetrahedra_of(body)->ends[t][c])];
            uint32_t *rows = &draft->vertex_rows[slot / SLV_LANES + 1];
            taken[slot]++;
            *rows = taken[slot] > *rows ? taken[slot] : *rows;
        }
    }
    for (uint32_t s = 0; s < draft->slice_count; s++) {
        draft->vertex_rows[s + 1] += draft->vertex_rows[s];
    }
    return true;
}

void slv_vertex_tetrahedra_reserve(slv_body_layout *body_layout, slv_body_extents *extents,
                                   const slv_graph_draft *draft, slv_layout_cursor *cursor) {
    if (!draft->vertex_rows) {
        return;
    }
    const size_t room = (size_t)draft->vertex_rows[draft->slice_count] * SLV_LANES;
    if (room > INT_MAX / 8) {
        cursor->too_large = true;
        return;
    }
    body_layout->vertex_entry_count = (int)room;
    body_layout->vertex_rows = slv_reserve_table(cursor, (size_t)draft->slice_count + 1);
    for (int c = 0; c < 3; c++) {
        body_layout->vertex_others[c] = slv_reserve_table(cursor, room);
    }
    const size_t first = cursor->state;
    for (int c = 0; c < 3; c++) {
        body_layout->vertex_inverse_masses[c] = slv_reserve_state(cursor, room);
    }
    extents->state[SLV_ASPECT_CORNERS] = (slv_extent){first, cursor->state - first};
    body_layout->vertex_volumes = slv_reserve_state(cursor, room);
}

// Corner c of a tetrahedron first, then c ^ 1, c ^ 2, c ^ 3: every one of these orders turns the same way
// round, so that volumes keep their sign.
static void put_corner(const slv_body_layout *body_layout, const slv_body *body,
                       const uint32_t *slots, uint32_t t, int corner, int at, float *state,
                       int *table) {
    for (int other = 1; other < 4; other++) {
        const uint32_t p = particle_of(body, tetrahedra_of(body)->ends[t][corner ^ other]);
        table[body_layout->vertex_others[other - 1] + at] = (int)slots[p] * SLV_PARTICLE_FLOATS;
    }
    state[body_layout->vertex_volumes + at] = 6.0f * tetrahedra_of(body)->rests[t];
}

bool slv_vertex_tetrahedra_fill(const slv_body_layout *body_layout, const slv_body *body,
                                const uint32_t *slots, const slv_graph_draft *draft,
                                slv_memory *scratch, float *state, int *table) {
    if (body_layout->vertex_entry_count == 0) {
        return true;
    }
    uint32_t *taken =
        slv_memory_take(scratch, (size_t)draft->slice_count * SLV_LANES + 1, sizeof *taken);
    if (!taken) {
        return false;
    }
    for (uint32_t s = 0; s <= draft->slice_count; s++) {
        table[body_layout->vertex_rows + (int)s] = (int)draft->vertex_rows[s];
    }
    for (int at = 0; at < body_layout->vertex_entry_count; at++) {
        for (int c = 0; c < 3; c++) { // empty: three times the slot that holds zeros
            table[body_layout->vertex_others[c] + at] =
                (body_layout->slots - 1) * SLV_PARTICLE_FLOATS;
        }
    }
    for (uint32_t t = 0; t < tetrahedra_of(body)->count; t++) {
        for (int c = 0; c < 4; c++) {
            const uint32_t slot = slots[particle_of(body, tetrahedra_of(body)->ends[t][c])];
            const uint32_t row = draft->vertex_rows[slot / SLV_LANES] + taken[slot]++;
            put_corner(body_layout, body, slots, t, c, (int)(row * SLV_LANES + slot % SLV_LANES),
                       state, table);
            state[body_layout->degrees + (int)slot] += 1.0f;
        }
    }
    return true;
}

void slv_vertex_tetrahedra_set_inverse_masses(const slv_body_layout *body_layout, float *state,
                                              const int *table) {
    for (int at = 0; at < body_layout->vertex_entry_count; at++) {
        for (int c = 0; c < 3; c++) {
            const int offset = table[body_layout->vertex_others[c] + at];
            state[body_layout->vertex_inverse_masses[c] + at] =
                state[body_layout->inverse_mass + offset / SLV_PARTICLE_FLOATS];
        }
    }
}
