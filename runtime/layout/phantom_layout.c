// SPDX-License-Identifier: MIT
#include "runtime/layout/phantom_layout.h"

#include "kernels/phantom.h"

uint32_t slv_phantom_count_copies(const slv_body *body, unsigned parts) {
    return parts & SLV_PART_PHANTOMS ? body->phantoms.copy_count : 0;
}

void slv_phantom_layout_reserve(slv_body_layout *body_layout, const slv_body *body, unsigned parts,
                                int copy_slot, slv_layout_cursor *cursor) {
    const slv_phantom_set *set = &body->phantoms;
    if (slv_phantom_count_copies(body, parts) == 0) {
        return;
    }
    body_layout->copy_slot = copy_slot;
    body_layout->copy_count = (int)set->copy_count;
    body_layout->copies = slv_reserve_table(cursor, set->copy_count);
    body_layout->phantom_count = (int)set->count;
    body_layout->phantoms = slv_reserve_table(cursor, SLV_PHANTOM_INTS * (size_t)set->count);
    for (int phase = 0; phase < SLV_PHASE_COUNT; phase++) {
        body_layout->members[phase] = slv_reserve_table(cursor, set->copy_count);
        body_layout->pieces[phase] = slv_reserve_table(cursor, (size_t)body_layout->slots);
    }
}

// The slot of an end: a particle's, or a copy's where these are in use.
uint32_t slv_phantom_slot(const slv_body_layout *body_layout, const slv_body *body,
                          const uint32_t *slots, uint32_t end) {
    if (end < body->count) {
        return slots[end];
    }
    const uint32_t copy = end - body->count;
    return body_layout->copy_count > 0 ? (uint32_t)body_layout->copy_slot + copy
                                       : slots[body->phantoms.originals[copy]];
}

uint32_t slv_phantom_spring_slot(const slv_body_layout *body_layout, const slv_body *body,
                                 const uint32_t *slots, uint32_t spring, int end) {
    if (body_layout->copy_count > 0) {
        return slv_phantom_slot(body_layout, body, slots, body->phantoms.spring_ends[spring][end]);
    }
    return slots[end == 0 ? body->springs[spring].a : body->springs[spring].b];
}

// The members of one phase.
static void fill_members(const slv_body_layout *body_layout, const slv_phantom_set *set, int phase,
                         const uint32_t *slots, int *table) {
    int *members = table + body_layout->members[phase];
    int *pieces = table + body_layout->pieces[phase];
    int count = 0;
    for (int s = 0; s < body_layout->slots; s++) {
        pieces[s] = 1;
    }
    for (int i = 0; i < body_layout->phantom_count; i++) {
        const uint32_t *phantom = set->phantoms + 3 * (size_t)i;
        const int first = count;
        for (uint32_t c = phantom[1]; c < phantom[2]; c++) {
            if ((set->uses[c] >> phase & 1) != 0) {
                members[count++] = (body_layout->copy_slot + (int)c) * SLV_PARTICLE_FLOATS;
            }
        }
        table[body_layout->phantoms + SLV_PHANTOM_INTS * i + 3 + phase] = count;
        pieces[slots[phantom[0]]] = count - first + 1;
        for (int m = first; m < count; m++) {
            pieces[members[m] / SLV_PARTICLE_FLOATS] = count - first + 1;
        }
    }
}

void slv_phantom_layout_fill(const slv_body_layout *body_layout, const slv_body *body,
                             const uint32_t *slots, int *table) {
    const slv_phantom_set *set = &body->phantoms;
    if (body_layout->copy_count == 0) {
        return;
    }
    for (int c = 0; c < body_layout->copy_count; c++) {
        table[body_layout->copies + c] = (int)slots[set->originals[c]] * SLV_PARTICLE_FLOATS;
    }
    for (int i = 0; i < body_layout->phantom_count; i++) {
        const uint32_t *phantom = set->phantoms + 3 * (size_t)i;
        table[body_layout->phantoms + SLV_PHANTOM_INTS * i] =
            (int)slots[phantom[0]] * SLV_PARTICLE_FLOATS;
        table[body_layout->phantoms + SLV_PHANTOM_INTS * i + 1] = (int)phantom[1];
        table[body_layout->phantoms + SLV_PHANTOM_INTS * i + 2] = (int)phantom[2];
    }
    for (int phase = 0; phase < SLV_PHASE_COUNT; phase++) {
        fill_members(body_layout, set, phase, slots, table);
    }
}

void slv_phantom_copy_inverse_masses(const slv_body_layout *body_layout, float *state,
                                     const int *table) {
    float *inverse = state + body_layout->inverse_mass;
    for (int c = 0; c < body_layout->copy_count; c++) {
        inverse[body_layout->copy_slot + c] =
            inverse[table[body_layout->copies + c] / SLV_PARTICLE_FLOATS];
    }
}

float slv_phantom_inverse_mass(const slv_body_layout *body_layout, const float *state,
                               const int *table, int phase, int offset) {
    const int slot = offset / SLV_PARTICLE_FLOATS;
    const float inverse_mass = state[body_layout->inverse_mass + slot];
    return body_layout->copy_count > 0
               ? inverse_mass * (float)table[body_layout->pieces[phase] + slot]
               : inverse_mass;
}
