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

static void lay_out_tetrahedra(slv_part *part, slv_part_extents *extents, const slv_soft *soft,
                               slv_layout *layout) {
    const size_t room = count_tetrahedra_room(soft);
    part->tetrahedron_groups = (int)soft->group_count;
    part->tetrahedra = slv_layout_table(layout, 2 * (size_t)soft->group_count);
    for (int c = 0; c < 4; c++) {
        part->corners[c] = slv_layout_table(layout, room);
    }
    const size_t first = layout->state;
    for (int c = 0; c < 4; c++) {
        part->corner_masses[c] = slv_layout_state(layout, room);
    }
    extents->state[SLV_ASPECT_CORNERS] = (slv_extent){first, layout->state - first};
    part->volumes = slv_layout_state(layout, room);
}

static void lay_out_averages(slv_part *part, const slv_body *body, slv_layout *layout) {
    const slv_soft *soft = &body->soft;
    const size_t tetrahedra = count_tetrahedra_room(soft);
    const size_t springs = soft->averaged_springs > 0 ? count_spring_room(body) : 0;
    part->averaged_groups = (int)soft->averaged_springs;
    part->averaged_tetrahedra = soft->averages_tetrahedra ? 1 : 0;
    if (part->averaged_groups == 0 && part->averaged_tetrahedra == 0) {
        return;
    }
    const size_t corners = part->averaged_tetrahedra > 0 ? tetrahedra : 0;
    part->corner_corrections = (int)(8 * springs);
    part->corrections = slv_layout_state(layout, 8 * springs + 16 * corners);
    part->end_tensions = slv_layout_state(layout, 2 * springs);
    part->shares = slv_layout_state(layout, (size_t)part->slots);
    part->gather_first = slv_layout_table(layout, (size_t)part->slots + 1);
    part->gather = slv_layout_table(layout, 2 * springs + 4 * corners);
}

void slv_soft_lay_out(slv_part *part, slv_part_extents *extents, const slv_body *body,
                      slv_solver solver, int copy_slot, slv_layout *layout) {
    const slv_soft *soft = &body->soft;
    if (solver != SLV_PBD_GS) {
        return;
    }
    if (count_tetrahedra_room(soft) > INT_MAX / 32 || count_spring_room(body) > INT_MAX / 32) {
        layout->too_large = true;
        return;
    }
    if (soft->tetrahedron_count > 0) {
        lay_out_tetrahedra(part, extents, soft, layout);
    }
    lay_out_averages(part, body, layout);
    if (slv_soft_copies(body, solver) > 0) {
        part->copy_slot = copy_slot;
        part->copy_count = (int)soft->copy_count;
        part->copies = slv_layout_table(layout, soft->copy_count);
        part->phantom_count = (int)soft->phantom_count;
        part->phantoms = slv_layout_table(layout, 5 * (size_t)soft->phantom_count);
        for (int kind = 0; kind < SLV_SOFT_KINDS; kind++) {
            part->members[kind] = slv_layout_table(layout, soft->copy_count);
            part->pieces[kind] = slv_layout_table(layout, (size_t)part->slots);
        }
    }
}

// --- Filling ----------------------------------------------------------------------------------------

// The slot of an end: a particle's, or a copy's where these are in use.
static uint32_t slot_of(const slv_part *part, const slv_body *body, const uint32_t *slots,
                        uint32_t end) {
    if (end < body->count) {
        return slots[end];
    }
    const uint32_t copy = end - body->count;
    return part->copy_count > 0 ? (uint32_t)part->copy_slot + copy
                                : slots[body->soft.originals[copy]];
}

uint32_t slv_soft_slot(const slv_part *part, const slv_body *body, const uint32_t *slots,
                       uint32_t spring, int end) {
    if (part->copy_count > 0) {
        return slot_of(part, body, slots, body->soft.spring_ends[spring][end]);
    }
    return slots[end == 0 ? body->springs[spring].a : body->springs[spring].b];
}

static void fill_tetrahedra(const slv_part *part, const slv_body *body, const uint32_t *slots,
                            float *state, int *table) {
    const slv_soft *soft = &body->soft;
    int first = 0;
    for (uint32_t g = 0; g < soft->group_count; g++) {
        const slv_tetrahedron_group *group = &soft->groups[g];
        for (uint32_t i = 0; i < group->count; i++) {
            const uint32_t *corners = soft->corners[group->first + i];
            for (int c = 0; c < 4; c++) {
                table[part->corners[c] + first + (int)i] =
                    (int)slot_of(part, body, slots, corners[c]) * SLV_PARTICLE_FLOATS;
            }
            state[part->volumes + first + (int)i] = 6.0f * soft->volumes[group->first + i];
        }
        table[part->tetrahedra + 2 * (int)g] = first / SLV_LANES;
        for (size_t i = group->count; i < padded(group->count); i++) {
            state[part->volumes + first + (int)i] = NO_TETRAHEDRON;
        }
        first += (int)padded(group->count);
        table[part->tetrahedra + 2 * (int)g + 1] = first / SLV_LANES;
    }
}

// The members of one kind.
static void fill_members(const slv_part *part, const slv_soft *soft, int kind,
                         const uint32_t *slots, int *table) {
    int *members = table + part->members[kind];
    int *pieces = table + part->pieces[kind];
    int count = 0;
    for (int s = 0; s < part->slots; s++) {
        pieces[s] = 1;
    }
    for (int i = 0; i < part->phantom_count; i++) {
        const uint32_t *phantom = soft->phantoms + 3 * (size_t)i;
        const int first = count;
        for (uint32_t c = phantom[1]; c < phantom[2]; c++) {
            if ((soft->uses[c] >> kind & 1) != 0) {
                members[count++] = (part->copy_slot + (int)c) * SLV_PARTICLE_FLOATS;
            }
        }
        table[part->phantoms + 5 * i + 3 + kind] = count;
        pieces[slots[phantom[0]]] = count - first + 1;
        for (int m = first; m < count; m++) {
            pieces[members[m] / SLV_PARTICLE_FLOATS] = count - first + 1;
        }
    }
}

static void fill_copies(const slv_part *part, const slv_body *body, const uint32_t *slots,
                        int *table) {
    const slv_soft *soft = &body->soft;
    for (int c = 0; c < part->copy_count; c++) {
        table[part->copies + c] = (int)slots[soft->originals[c]] * SLV_PARTICLE_FLOATS;
    }
    for (int i = 0; i < part->phantom_count; i++) {
        const uint32_t *phantom = soft->phantoms + 3 * (size_t)i;
        table[part->phantoms + 5 * i] = (int)slots[phantom[0]] * SLV_PARTICLE_FLOATS;
        table[part->phantoms + 5 * i + 1] = (int)phantom[1];
        table[part->phantoms + 5 * i + 2] = (int)phantom[2];
    }
    for (int kind = 0; kind < SLV_SOFT_KINDS; kind++) {
        fill_members(part, soft, kind, slots, table);
    }
}

// Calls `each` for every end of an averaged constraint, in one order: its place in floats from q, and
// where its correction lies.
typedef struct gatherer {
    int *next; // by slot
    int *places;
    float *shares;
} gatherer;

static void each_averaged_end(const slv_part *part, const int *table, gatherer *g,
                              void (*each)(gatherer *g, int slot, int correction)) {
    for (int group = part->group_count - part->averaged_groups; group < part->group_count;
         group++) {
        const int *entry = table + part->groups + 3 * group;
        for (int s = entry[0]; s < entry[0] + entry[1]; s++) {
            for (int e = 0; e < 2; e++) {
                each(g, table[part->ends[e] + s] / SLV_PARTICLE_FLOATS, 8 * s + 4 * e);
            }
        }
    }
}

static void each_averaged_corner(const slv_part *part, const slv_body *body, const int *table,
                                 gatherer *g, void (*each)(gatherer *g, int slot, int correction)) {
    for (int group = part->tetrahedron_groups - part->averaged_tetrahedra;
         group < part->tetrahedron_groups; group++) {
        const int first = table[part->tetrahedra + 2 * group] * SLV_LANES;
        for (int t = first; t < first + (int)body->soft.groups[group].count; t++) {
            for (int c = 0; c < 4; c++) {
                each(g, table[part->corners[c] + t] / SLV_PARTICLE_FLOATS,
                     part->corner_corrections + 16 * t + 4 * c);
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

static bool fill_gather(const slv_part *part, const slv_body *body, slv_memory *scratch,
                        float *state, int *table) {
    int *first = table + part->gather_first;
    int *next = slv_memory_take(scratch, (size_t)part->slots + 1, sizeof *next);
    if (!next) {
        return false;
    }
    float *shares = &state[part->shares];
    gatherer g = {first, table + part->gather, shares};
    each_averaged_end(part, table, &g, count_end);
    each_averaged_corner(part, body, table, &g, count_end);
    for (int s = 0; s < part->slots; s++) {
        first[s + 1] += first[s];
        next[s] = first[s];
        shares[s] = shares[s] > 1.0f ? shares[s] : 1.0f;
    }
    g.next = next;
    each_averaged_end(part, table, &g, place_end);
    each_averaged_corner(part, body, table, &g, place_end);
    return true;
}

bool slv_soft_fill(const slv_part *part, const slv_body *body, const uint32_t *slots,
                   slv_solver solver, slv_memory *scratch, float *state, int *table) {
    if (solver != SLV_PBD_GS) {
        return true;
    }
    if (body->soft.tetrahedron_count > 0) {
        fill_tetrahedra(part, body, slots, state, table);
    }
    if (part->copy_count > 0) {
        fill_copies(part, body, slots, table);
    }
    return (part->averaged_groups == 0 && part->averaged_tetrahedra == 0) ||
           fill_gather(part, body, scratch, state, table);
}

// --- Masses -----------------------------------------------------------------------------------------

void slv_soft_copy_masses(const slv_part *part, float *state, const int *table) {
    float *inverse = state + part->inverse_mass;
    for (int c = 0; c < part->copy_count; c++) {
        inverse[part->copy_slot + c] = inverse[table[part->copies + c] / SLV_PARTICLE_FLOATS];
    }
}

float slv_soft_share(const slv_part *part, const float *state, const int *table, int kind,
                     int place) {
    const int slot = place / SLV_PARTICLE_FLOATS;
    const float mass = state[part->inverse_mass + slot];
    return part->copy_count > 0 ? mass * (float)table[part->pieces[kind] + slot] : mass;
}

void slv_soft_set_masses(const slv_part *part, float *state, const int *table) {
    for (int g = 0; g < part->tetrahedron_groups; g++) {
        const int first = table[part->tetrahedra + 2 * g] * SLV_LANES;
        const int end = table[part->tetrahedra + 2 * g + 1] * SLV_LANES;
        for (int t = first; t < end; t++) {
            for (int c = 0; c < 4 && state[part->volumes + t] > NO_TETRAHEDRON; c++) {
                state[part->corner_masses[c] + t] = slv_soft_share(
                    part, state, table, SLV_SOFT_TETRAHEDRA, table[part->corners[c] + t]);
            }
        }
    }
}
