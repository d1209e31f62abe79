// SPDX-License-Identifier: MIT
#include "runtime/layout/vertex_tetrahedra.h"

#include "kernels/graph.h"

#include <limits.h>

static uint32_t particle_of(const slv_body *body, uint32_t end) {
    return end < body->count ? end : body->soft.originals[end - body->count];
}

// A slice has as many rows as its particle with most tetrahedra needs.
bool slv_apex_measure(const slv_body *body, const uint32_t *slots, slv_memory *scratch,
                      slv_graph_draft *draft) {
    if (draft->solver != SLV_PBD_JACOBI || body->soft.tetrahedron_count == 0) {
        return true;
    }
    uint32_t *met =
        slv_memory_take(scratch, (size_t)draft->slice_count * SLV_LANES + 1, sizeof *met);
    draft->apex_rows =
        slv_memory_take(scratch, (size_t)draft->slice_count + 1, sizeof *draft->apex_rows);
    if (!met || !draft->apex_rows) {
        return false;
    }
    for (uint32_t t = 0; t < body->soft.tetrahedron_count; t++) {
        for (int c = 0; c < 4; c++) {
            const uint32_t slot = slots[particle_of(body, body->soft.corners[t][c])];
            uint32_t *rows = &draft->apex_rows[slot / SLV_LANES + 1];
            met[slot]++;
            *rows = met[slot] > *rows ? met[slot] : *rows;
        }
    }
    for (uint32_t s = 0; s < draft->slice_count; s++) {
        draft->apex_rows[s + 1] += draft->apex_rows[s];
    }
    return true;
}

void slv_apex_lay_out(slv_part *part, slv_part_extents *extents, const slv_graph_draft *draft,
                      slv_layout *layout) {
    if (!draft->apex_rows) {
        return;
    }
    const size_t room = (size_t)draft->apex_rows[draft->slice_count] * SLV_LANES;
    if (room > INT_MAX / 8) {
        layout->too_large = true;
        return;
    }
    part->apex_count = (int)room;
    part->apex_rows = slv_layout_table(layout, (size_t)draft->slice_count + 1);
    for (int c = 0; c < 3; c++) {
        part->apex_others[c] = slv_layout_table(layout, room);
    }
    const size_t first = layout->state;
    for (int c = 0; c < 3; c++) {
        part->apex_masses[c] = slv_layout_state(layout, room);
    }
    extents->state[SLV_ASPECT_CORNERS] = (slv_extent){first, layout->state - first};
    part->apex_volumes = slv_layout_state(layout, room);
}

// Corner c of a tetrahedron first, then c ^ 1, c ^ 2, c ^ 3: every one of these orders turns the same way
// round, so that volumes keep their sign.
static void put_corner(const slv_part *part, const slv_body *body, const uint32_t *slots,
                       uint32_t t, int corner, int at, float *state, int *table) {
    for (int other = 1; other < 4; other++) {
        const uint32_t p = particle_of(body, body->soft.corners[t][corner ^ other]);
        table[part->apex_others[other - 1] + at] = (int)slots[p] * SLV_PARTICLE_FLOATS;
    }
    state[part->apex_volumes + at] = 6.0f * body->soft.volumes[t];
}

bool slv_apex_fill(const slv_part *part, const slv_body *body, const uint32_t *slots,
                   const slv_graph_draft *draft, slv_memory *scratch, float *state, int *table) {
    if (part->apex_count == 0) {
        return true;
    }
    uint32_t *met =
        slv_memory_take(scratch, (size_t)draft->slice_count * SLV_LANES + 1, sizeof *met);
    if (!met) {
        return false;
    }
    for (uint32_t s = 0; s <= draft->slice_count; s++) {
        table[part->apex_rows + (int)s] = (int)draft->apex_rows[s];
    }
    for (int at = 0; at < part->apex_count; at++) {
        for (int c = 0; c < 3; c++) { // empty: three times the slot that holds zeros
            table[part->apex_others[c] + at] = (part->slots - 1) * SLV_PARTICLE_FLOATS;
        }
    }
    for (uint32_t t = 0; t < body->soft.tetrahedron_count; t++) {
        for (int c = 0; c < 4; c++) {
            const uint32_t slot = slots[particle_of(body, body->soft.corners[t][c])];
            const uint32_t row = draft->apex_rows[slot / SLV_LANES] + met[slot]++;
            put_corner(part, body, slots, t, c, (int)(row * SLV_LANES + slot % SLV_LANES), state,
                       table);
            state[part->degrees + (int)slot] += 1.0f;
        }
    }
    return true;
}

void slv_apex_set_masses(const slv_part *part, float *state, const int *table) {
    for (int at = 0; at < part->apex_count; at++) {
        for (int c = 0; c < 3; c++) {
            const int place = table[part->apex_others[c] + at];
            state[part->apex_masses[c] + at] =
                state[part->inverse_mass + place / SLV_PARTICLE_FLOATS];
        }
    }
}
