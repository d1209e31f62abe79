// SPDX-License-Identifier: MIT
#include "runtime/layout/soft_layout.h"

#include "kernels/averaged.h"
#include "kernels/phantom.h"

#include <limits.h>

static const float PADDING = -1.0f; // rest value of what only fills up a row

static size_t padded(size_t count) {
    return (count + SLV_LANES - 1) / SLV_LANES * SLV_LANES;
}

// Only position based Gauss-Seidel uses copies. Jacobi averages all constraints, and has tetrahedra in a layout
// of its own (vertex_tetrahedra.h).
uint32_t slv_soft_copies(const slv_body *body, slv_solver solver) {
    return solver == SLV_PBD_GS ? body->soft.copy_count : 0;
}

// --- Laying out -------------------------------------------------------------------------------------

// Rows of a group hold no constraints of another.
static size_t count_batch_room(const slv_constraint_batch *batch) {
    size_t room = 0;
    for (uint32_t g = 0; g < batch->group_count; g++) {
        room += padded(batch->groups[g].count);
    }
    return room;
}

static size_t count_spring_room(const slv_body *body) {
    size_t room = 0;
    for (uint32_t g = 0; g < body->group_count; g++) {
        room += padded(body->groups[g].count);
    }
    return room;
}

// Inverse masses of all batches lie side by side, so that one extent covers them.
static void reserve_batches(slv_body_layout *body_layout, slv_body_extents *extents,
                            const slv_soft *soft, slv_layout_cursor *cursor) {
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        const slv_constraint_batch *batch = &soft->batches[b];
        slv_batch_layout *batch_layout = &body_layout->batches[b];
        batch_layout->group_count = (int)batch->group_count;
        batch_layout->groups = slv_reserve_table(cursor, 2 * (size_t)batch->group_count);
        for (uint32_t e = 0; e < slv_batch_arity(b); e++) {
            batch_layout->ends[e] = slv_reserve_table(cursor, count_batch_room(batch));
        }
    }
    const size_t first = cursor->state;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        for (uint32_t e = 0; e < slv_batch_arity(b); e++) {
            body_layout->batches[b].inverse_masses[e] =
                slv_reserve_state(cursor, count_batch_room(&soft->batches[b]));
        }
    }
    extents->state[SLV_ASPECT_CORNERS] = (slv_extent){first, cursor->state - first};
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        body_layout->batches[b].rests =
            slv_reserve_state(cursor, count_batch_room(&soft->batches[b]));
    }
}

static void reserve_averages(slv_body_layout *body_layout, const slv_body *body,
                             slv_layout_cursor *cursor) {
    const slv_soft *soft = &body->soft;
    const size_t springs = soft->averaged_springs > 0 ? count_spring_room(body) : 0;
    size_t ends = 2 * springs;
    body_layout->averaged_groups = (int)soft->averaged_springs;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        const slv_constraint_batch *batch = &soft->batches[b];
        body_layout->batches[b].averaged_groups = batch->averages_last ? 1 : 0;
        body_layout->batches[b].corrections = (int)(4 * ends);
        ends += batch->averages_last ? slv_batch_arity(b) * count_batch_room(batch) : 0;
    }
    if (!slv_soft_averages(body_layout)) {
        return;
    }
    body_layout->corrections = slv_reserve_state(cursor, 4 * ends);
    body_layout->end_tensions = slv_reserve_state(cursor, 2 * springs);
    body_layout->averaged_counts = slv_reserve_state(cursor, (size_t)body_layout->slots);
    body_layout->gather_first = slv_reserve_table(cursor, (size_t)body_layout->slots + 1);
    body_layout->gather = slv_reserve_table(cursor, ends);
}

static bool is_too_large(const slv_body *body) {
    bool too_large = count_spring_room(body) > INT_MAX / 32;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        too_large |= count_batch_room(&body->soft.batches[b]) > INT_MAX / 32 / SLV_BATCH_COUNT;
    }
    return too_large;
}

static void reserve_copies(slv_body_layout *body_layout, const slv_soft *soft, int copy_slot,
                           slv_layout_cursor *cursor) {
    body_layout->copy_slot = copy_slot;
    body_layout->copy_count = (int)soft->copy_count;
    body_layout->copies = slv_reserve_table(cursor, soft->copy_count);
    body_layout->phantom_count = (int)soft->phantom_count;
    body_layout->phantoms =
        slv_reserve_table(cursor, SLV_PHANTOM_INTS * (size_t)soft->phantom_count);
    for (int phase = 0; phase < SLV_PHASE_COUNT; phase++) {
        body_layout->members[phase] = slv_reserve_table(cursor, soft->copy_count);
        body_layout->pieces[phase] = slv_reserve_table(cursor, (size_t)body_layout->slots);
    }
}

void slv_soft_reserve(slv_body_layout *body_layout, slv_body_extents *extents, const slv_body *body,
                      slv_solver solver, int copy_slot, slv_layout_cursor *cursor) {
    if (solver != SLV_PBD_GS) {
        return;
    }
    if (is_too_large(body)) {
        cursor->too_large = true;
        return;
    }
    reserve_batches(body_layout, extents, &body->soft, cursor);
    reserve_averages(body_layout, body, cursor);
    if (slv_soft_copies(body, solver) > 0) {
        reserve_copies(body_layout, &body->soft, copy_slot, cursor);
    }
}

bool slv_soft_averages(const slv_body_layout *body_layout) {
    bool averages = body_layout->averaged_groups > 0;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        averages |= body_layout->batches[b].averaged_groups > 0;
    }
    return averages;
}

// --- Filling ----------------------------------------------------------------------------------------

// The slot of an end: a particle's, or a copy's where these are in use.
static uint32_t slot_of(const slv_body_layout *body_layout, const slv_body *body,
                        const uint32_t *slots, uint32_t end) {
    if (end < body->count) {
        return slots[end];
    }
    const uint32_t copy = end - body->count;
    return body_layout->copy_count > 0 ? (uint32_t)body_layout->copy_slot + copy
                                       : slots[body->soft.originals[copy]];
}

uint32_t slv_soft_slot(const slv_body_layout *body_layout, const slv_body *body,
                       const uint32_t *slots, uint32_t spring, int end) {
    if (body_layout->copy_count > 0) {
        return slot_of(body_layout, body, slots, body->soft.spring_ends[spring][end]);
    }
    return slots[end == 0 ? body->springs[spring].a : body->springs[spring].b];
}

static void fill_batch(const slv_body_layout *body_layout, const slv_body *body, int b,
                       const uint32_t *slots, float *state, int *table) {
    const slv_constraint_batch *batch = &body->soft.batches[b];
    const slv_batch_layout *batch_layout = &body_layout->batches[b];
    int first = 0;
    for (uint32_t g = 0; g < batch->group_count; g++) {
        const slv_batch_group *group = &batch->groups[g];
        for (uint32_t i = 0; i < group->count; i++) {
            const uint32_t *ends = batch->ends[group->first + i];
            for (uint32_t e = 0; e < slv_batch_arity(b); e++) {
                table[batch_layout->ends[e] + first + (int)i] =
                    (int)slot_of(body_layout, body, slots, ends[e]) * SLV_PARTICLE_FLOATS;
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

// The members of one phase.
static void fill_members(const slv_body_layout *body_layout, const slv_soft *soft, int phase,
                         const uint32_t *slots, int *table) {
    int *members = table + body_layout->members[phase];
    int *pieces = table + body_layout->pieces[phase];
    int count = 0;
    for (int s = 0; s < body_layout->slots; s++) {
        pieces[s] = 1;
    }
    for (int i = 0; i < body_layout->phantom_count; i++) {
        const uint32_t *phantom = soft->phantoms + 3 * (size_t)i;
        const int first = count;
        for (uint32_t c = phantom[1]; c < phantom[2]; c++) {
            if ((soft->uses[c] >> phase & 1) != 0) {
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

static void fill_copies(const slv_body_layout *body_layout, const slv_body *body,
                        const uint32_t *slots, int *table) {
    const slv_soft *soft = &body->soft;
    for (int c = 0; c < body_layout->copy_count; c++) {
        table[body_layout->copies + c] = (int)slots[soft->originals[c]] * SLV_PARTICLE_FLOATS;
    }
    for (int i = 0; i < body_layout->phantom_count; i++) {
        const uint32_t *phantom = soft->phantoms + 3 * (size_t)i;
        table[body_layout->phantoms + SLV_PHANTOM_INTS * i] =
            (int)slots[phantom[0]] * SLV_PARTICLE_FLOATS;
        table[body_layout->phantoms + SLV_PHANTOM_INTS * i + 1] = (int)phantom[1];
        table[body_layout->phantoms + SLV_PHANTOM_INTS * i + 2] = (int)phantom[2];
    }
    for (int phase = 0; phase < SLV_PHASE_COUNT; phase++) {
        fill_members(body_layout, soft, phase, slots, table);
    }
}

// Calls `each` for every end of an averaged constraint, in one order: its place in floats from q, and
// where its correction lies.
typedef struct gatherer {
    int *next; // by slot
    int *places;
    float *shares;
} gatherer;

static void each_averaged_end(const slv_body_layout *body_layout, const int *table, gatherer *g,
                              void (*each)(gatherer *g, int slot, int correction)) {
    for (int group = body_layout->group_count - body_layout->averaged_groups;
         group < body_layout->group_count; group++) {
        const int *entry = table + body_layout->groups + 3 * group;
        for (int s = entry[0]; s < entry[0] + entry[1]; s++) {
            for (int e = 0; e < 2; e++) {
                each(g, table[body_layout->ends[e] + s] / SLV_PARTICLE_FLOATS, 8 * s + 4 * e);
            }
        }
    }
}

static void each_averaged_batch_end(const slv_body_layout *body_layout, const slv_body *body, int b,
                                    const int *table, gatherer *g,
                                    void (*each)(gatherer *g, int slot, int correction)) {
    const slv_batch_layout *batch_layout = &body_layout->batches[b];
    const int arity = (int)slv_batch_arity(b);
    for (int group = batch_layout->group_count - batch_layout->averaged_groups;
         group < batch_layout->group_count; group++) {
        const int first = table[batch_layout->groups + 2 * group] * SLV_LANES;
        for (int i = first; i < first + (int)body->soft.batches[b].groups[group].count; i++) {
            for (int e = 0; e < arity; e++) {
                each(g, table[batch_layout->ends[e] + i] / SLV_PARTICLE_FLOATS,
                     batch_layout->corrections + 4 * (arity * i + e));
            }
        }
    }
}

static void each_end(const slv_body_layout *body_layout, const slv_body *body, const int *table,
                     gatherer *g, void (*each)(gatherer *g, int slot, int correction)) {
    each_averaged_end(body_layout, table, g, each);
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        each_averaged_batch_end(body_layout, body, b, table, g, each);
    }
}

static void count_end(gatherer *g, int slot, int correction) {
    (void)correction;
    g->next[slot + 1]++;
    g->shares[slot] += 1.0f;
}

static void place_end(gatherer *g, int slot, int correction) {
    g->places[g->next[slot]++] = correction;
}

static bool fill_gather(const slv_body_layout *body_layout, const slv_body *body,
                        slv_memory *scratch, float *state, int *table) {
    int *first = table + body_layout->gather_first;
    int *next = slv_memory_take(scratch, (size_t)body_layout->slots + 1, sizeof *next);
    if (!next) {
        return false;
    }
    float *shares = &state[body_layout->averaged_counts];
    gatherer g = {first, table + body_layout->gather, shares};
    each_end(body_layout, body, table, &g, count_end);
    for (int s = 0; s < body_layout->slots; s++) {
        first[s + 1] += first[s];
        next[s] = first[s];
        shares[s] = shares[s] > 1.0f ? shares[s] : 1.0f;
    }
    g.next = next;
    each_end(body_layout, body, table, &g, place_end);
    return true;
}

bool slv_soft_fill(const slv_body_layout *body_layout, const slv_body *body, const uint32_t *slots,
                   slv_solver solver, slv_memory *scratch, float *state, int *table) {
    if (solver != SLV_PBD_GS) {
        return true;
    }
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        fill_batch(body_layout, body, b, slots, state, table);
    }
    if (body_layout->copy_count > 0) {
        fill_copies(body_layout, body, slots, table);
    }
    return !slv_soft_averages(body_layout) || fill_gather(body_layout, body, scratch, state, table);
}

// --- Masses -----------------------------------------------------------------------------------------

void slv_soft_copy_inverse_masses(const slv_body_layout *body_layout, float *state,
                                  const int *table) {
    float *inverse = state + body_layout->inverse_mass;
    for (int c = 0; c < body_layout->copy_count; c++) {
        inverse[body_layout->copy_slot + c] =
            inverse[table[body_layout->copies + c] / SLV_PARTICLE_FLOATS];
    }
}

float slv_phantom_inverse_mass(const slv_body_layout *body_layout, const float *state,
                               const int *table, int phase, int place) {
    const int slot = place / SLV_PARTICLE_FLOATS;
    const float mass = state[body_layout->inverse_mass + slot];
    return body_layout->copy_count > 0 ? mass * (float)table[body_layout->pieces[phase] + slot]
                                       : mass;
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

void slv_soft_set_inverse_masses(const slv_body_layout *body_layout, float *state,
                                 const int *table) {
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        set_batch_inverse_masses(body_layout, b, state, table);
    }
}
