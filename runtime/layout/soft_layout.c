// SPDX-License-Identifier: MIT
#include "runtime/layout/soft_layout.h"

#include "kernels/averaged.h"
#include "kernels/phantom.h"
#include "kernels/tetrahedron.h"

#include <limits.h>

static const float NO_TETRAHEDRON = -1.0f; // volume of what only fills up a batch

static size_t padded(size_t count) {
    return (count + SLV_LANES - 1) / SLV_LANES * SLV_LANES;
}

// Position based Gauss-Seidel alone gains by copies. Jacobi averages anyway, and has tetrahedra in a form of
// its own (apex_form.h).
uint32_t slv_soft_copies(const slv_body *body, slv_solver solver) {
    return solver == SLV_PBD_GS ? body->soft.copy_count : 0;
}

// --- Laying out -------------------------------------------------------------------------------------

// Batches of a group are its own.
static size_t count_tetrahedra_room(const slv_soft *soft) {
    size_t room = 0;
    for (uint32_t g = 0; g < soft->group_count; g++) {
        room += padded(soft->groups[g].count);
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

static void reserve_tetrahedra(slv_body_layout *body_layout, slv_body_extents *extents,
                               const slv_soft *soft, slv_layout_cursor *cursor) {
    const size_t room = count_tetrahedra_room(soft);
    body_layout->tetrahedron_groups = (int)soft->group_count;
    body_layout->tetrahedra = slv_reserve_table(cursor, 2 * (size_t)soft->group_count);
    for (int c = 0; c < 4; c++) {
        body_layout->corners[c] = slv_reserve_table(cursor, room);
    }
    const size_t first = cursor->state;
    for (int c = 0; c < 4; c++) {
        body_layout->corner_inverse_masses[c] = slv_reserve_state(cursor, room);
    }
    extents->state[SLV_ASPECT_CORNERS] = (slv_extent){first, cursor->state - first};
    body_layout->volumes = slv_reserve_state(cursor, room);
}

static void reserve_averages(slv_body_layout *body_layout, const slv_body *body,
                             slv_layout_cursor *cursor) {
    const slv_soft *soft = &body->soft;
    const size_t tetrahedra = count_tetrahedra_room(soft);
    const size_t springs = soft->averaged_springs > 0 ? count_spring_room(body) : 0;
    body_layout->averaged_groups = (int)soft->averaged_springs;
    body_layout->averaged_tetrahedra = soft->averages_tetrahedra ? 1 : 0;
    if (body_layout->averaged_groups == 0 && body_layout->averaged_tetrahedra == 0) {
        return;
    }
    const size_t corners = body_layout->averaged_tetrahedra > 0 ? tetrahedra : 0;
    body_layout->corner_corrections = (int)(8 * springs);
    body_layout->corrections = slv_reserve_state(cursor, 8 * springs + 16 * corners);
    body_layout->end_tensions = slv_reserve_state(cursor, 2 * springs);
    body_layout->averaged_counts = slv_reserve_state(cursor, (size_t)body_layout->slots);
    body_layout->gather_first = slv_reserve_table(cursor, (size_t)body_layout->slots + 1);
    body_layout->gather = slv_reserve_table(cursor, 2 * springs + 4 * corners);
}

void slv_soft_reserve(slv_body_layout *body_layout, slv_body_extents *extents, const slv_body *body,
                      slv_solver solver, int copy_slot, slv_layout_cursor *cursor) {
    const slv_soft *soft = &body->soft;
    if (solver != SLV_PBD_GS) {
        return;
    }
    if (count_tetrahedra_room(soft) > INT_MAX / 32 || count_spring_room(body) > INT_MAX / 32) {
        cursor->too_large = true;
        return;
    }
    if (soft->tetrahedron_count > 0) {
        reserve_tetrahedra(body_layout, extents, soft, cursor);
    }
    reserve_averages(body_layout, body, cursor);
    if (slv_soft_copies(body, solver) > 0) {
        body_layout->copy_slot = copy_slot;
        body_layout->copy_count = (int)soft->copy_count;
        body_layout->copies = slv_reserve_table(cursor, soft->copy_count);
        body_layout->phantom_count = (int)soft->phantom_count;
        body_layout->phantoms = slv_reserve_table(cursor, 5 * (size_t)soft->phantom_count);
        for (int kind = 0; kind < SLV_SOFT_KINDS; kind++) {
            body_layout->members[kind] = slv_reserve_table(cursor, soft->copy_count);
            body_layout->pieces[kind] = slv_reserve_table(cursor, (size_t)body_layout->slots);
        }
    }
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

static void fill_tetrahedra(const slv_body_layout *body_layout, const slv_body *body,
                            const uint32_t *slots, float *state, int *table) {
    const slv_soft *soft = &body->soft;
    int first = 0;
    for (uint32_t g = 0; g < soft->group_count; g++) {
        const slv_tetrahedron_group *group = &soft->groups[g];
        for (uint32_t i = 0; i < group->count; i++) {
            const uint32_t *corners = soft->corners[group->first + i];
            for (int c = 0; c < 4; c++) {
                table[body_layout->corners[c] + first + (int)i] =
                    (int)slot_of(body_layout, body, slots, corners[c]) * SLV_PARTICLE_FLOATS;
            }
            state[body_layout->volumes + first + (int)i] = 6.0f * soft->volumes[group->first + i];
        }
        table[body_layout->tetrahedra + 2 * (int)g] = first / SLV_LANES;
        for (size_t i = group->count; i < padded(group->count); i++) {
            state[body_layout->volumes + first + (int)i] = NO_TETRAHEDRON;
        }
        first += (int)padded(group->count);
        table[body_layout->tetrahedra + 2 * (int)g + 1] = first / SLV_LANES;
    }
}

// The members of one kind.
static void fill_members(const slv_body_layout *body_layout, const slv_soft *soft, int kind,
                         const uint32_t *slots, int *table) {
    int *members = table + body_layout->members[kind];
    int *pieces = table + body_layout->pieces[kind];
    int count = 0;
    for (int s = 0; s < body_layout->slots; s++) {
        pieces[s] = 1;
    }
    for (int i = 0; i < body_layout->phantom_count; i++) {
        const uint32_t *phantom = soft->phantoms + 3 * (size_t)i;
        const int first = count;
        for (uint32_t c = phantom[1]; c < phantom[2]; c++) {
            if ((soft->uses[c] >> kind & 1) != 0) {
                members[count++] = (body_layout->copy_slot + (int)c) * SLV_PARTICLE_FLOATS;
            }
        }
        table[body_layout->phantoms + 5 * i + 3 + kind] = count;
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
        table[body_layout->phantoms + 5 * i] = (int)slots[phantom[0]] * SLV_PARTICLE_FLOATS;
        table[body_layout->phantoms + 5 * i + 1] = (int)phantom[1];
        table[body_layout->phantoms + 5 * i + 2] = (int)phantom[2];
    }
    for (int kind = 0; kind < SLV_SOFT_KINDS; kind++) {
        fill_members(body_layout, soft, kind, slots, table);
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

static void each_averaged_corner(const slv_body_layout *body_layout, const slv_body *body,
                                 const int *table, gatherer *g,
                                 void (*each)(gatherer *g, int slot, int correction)) {
    for (int group = body_layout->tetrahedron_groups - body_layout->averaged_tetrahedra;
         group < body_layout->tetrahedron_groups; group++) {
        const int first = table[body_layout->tetrahedra + 2 * group] * SLV_LANES;
        for (int t = first; t < first + (int)body->soft.groups[group].count; t++) {
            for (int c = 0; c < 4; c++) {
                each(g, table[body_layout->corners[c] + t] / SLV_PARTICLE_FLOATS,
                     body_layout->corner_corrections + 16 * t + 4 * c);
            }
        }
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
    each_averaged_end(body_layout, table, &g, count_end);
    each_averaged_corner(body_layout, body, table, &g, count_end);
    for (int s = 0; s < body_layout->slots; s++) {
        first[s + 1] += first[s];
        next[s] = first[s];
        shares[s] = shares[s] > 1.0f ? shares[s] : 1.0f;
    }
    g.next = next;
    each_averaged_end(body_layout, table, &g, place_end);
    each_averaged_corner(body_layout, body, table, &g, place_end);
    return true;
}

bool slv_soft_fill(const slv_body_layout *body_layout, const slv_body *body, const uint32_t *slots,
                   slv_solver solver, slv_memory *scratch, float *state, int *table) {
    if (solver != SLV_PBD_GS) {
        return true;
    }
    if (body->soft.tetrahedron_count > 0) {
        fill_tetrahedra(body_layout, body, slots, state, table);
    }
    if (body_layout->copy_count > 0) {
        fill_copies(body_layout, body, slots, table);
    }
    return (body_layout->averaged_groups == 0 && body_layout->averaged_tetrahedra == 0) ||
           fill_gather(body_layout, body, scratch, state, table);
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
                               const int *table, int kind, int place) {
    const int slot = place / SLV_PARTICLE_FLOATS;
    const float mass = state[body_layout->inverse_mass + slot];
    return body_layout->copy_count > 0 ? mass * (float)table[body_layout->pieces[kind] + slot]
                                       : mass;
}

void slv_soft_set_inverse_masses(const slv_body_layout *body_layout, float *state,
                                 const int *table) {
    for (int g = 0; g < body_layout->tetrahedron_groups; g++) {
        const int first = table[body_layout->tetrahedra + 2 * g] * SLV_LANES;
        const int end = table[body_layout->tetrahedra + 2 * g + 1] * SLV_LANES;
        for (int t = first; t < end; t++) {
            for (int c = 0; c < 4 && state[body_layout->volumes + t] > NO_TETRAHEDRON; c++) {
                state[body_layout->corner_inverse_masses[c] + t] =
                    slv_phantom_inverse_mass(body_layout, state, table, SLV_SOFT_TETRAHEDRA,
                                             table[body_layout->corners[c] + t]);
            }
        }
    }
}
