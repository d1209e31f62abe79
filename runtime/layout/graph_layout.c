// SPDX-License-Identifier: MIT
#include "runtime/layout/graph_layout.h"

#include "kernels/graph.h"
#include "runtime/layout/averaged_layout.h"
#include "runtime/layout/batch_layout.h"
#include "runtime/layout/flexure_layout.h"
#include "runtime/layout/phantom_layout.h"
#include "runtime/layout/vertex_tetrahedra.h"

#include <limits.h>
#include <string.h>

// A graph: particles sorted by color, each color padded to whole slices; the ends
// of springs slot by slot within a slice. Slots without a spring name the last slot of all, which holds
// zeros. On grids a spring between neighbors has its slot by direction, so that the pairs a sum takes
// are those of a grid.

// --- The ends of springs ----------------------------------------------------------------------------

// Counts, spring by spring, which index in its particle's row an end takes.
typedef struct end_counter {
    const slv_body *body;
    uint32_t *taken; // [count][class_count]: indices so far
} end_counter;

static bool begin_ends(end_counter *counter, const slv_body *body, slv_memory *scratch) {
    counter->body = body;
    counter->taken =
        slv_memory_take(scratch, (size_t)body->count * body->class_count, sizeof *counter->taken);
    return counter->taken != NULL;
}

static uint32_t take_end(end_counter *counter, uint32_t particle, uint32_t stiffness_class,
                         int direction) {
    uint32_t *taken =
        &counter->taken[(size_t)particle * counter->body->class_count + stiffness_class];
    uint32_t index = direction >= 0 ? (uint32_t)direction : *taken;
    *taken = index >= *taken ? index + 1 : *taken;
    return index;
}

// Indices of both ends of the next spring.
static void take_spring(end_counter *counter, const slv_spring *spring, uint32_t indices[2]) {
    int direction = -1;
    if (counter->body->neighborly && spring->stiffness_class == 0) {
        direction = slv_body_direction(counter->body, spring);
    }
    indices[0] = take_end(counter, spring->a, spring->stiffness_class, direction);
    indices[1] =
        take_end(counter, spring->b, spring->stiffness_class, direction >= 0 ? direction ^ 1 : -1);
}

// --- Laying out -------------------------------------------------------------------------------------

static bool number_slots(const slv_body *body, uint32_t *slots, slv_memory *scratch,
                         slv_graph_draft *draft) {
    uint32_t *next = slv_memory_take(scratch, (size_t)body->color_count + 1, sizeof *next);
    draft->first_slice =
        slv_memory_take(scratch, (size_t)body->color_count + 1, sizeof *draft->first_slice);
    if (!next || !draft->first_slice) {
        return false;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        next[body->color[p]]++;
    }
    for (uint32_t c = 0; c < body->color_count; c++) {
        uint32_t slices = (next[c] + SLV_LANES - 1) / SLV_LANES;
        next[c] = draft->first_slice[c] * SLV_LANES;
        draft->first_slice[c + 1] = draft->first_slice[c] + slices;
    }
    draft->slice_count = draft->first_slice[body->color_count];
    for (uint32_t w = 0; w < body->count; w++) {
        uint32_t p = body->storage_order[w];
        slots[p] = next[body->color[p]]++;
    }
    return true;
}

// A slice is as wide, class by class, as its widest particle, in whole pairs.
static bool measure_slices(const slv_body *body, const uint32_t *slots, slv_memory *scratch,
                           slv_graph_draft *draft) {
    end_counter counter;
    draft->spans = slv_memory_take(scratch, (size_t)draft->slice_count + 1,
                                   SLV_SLICE_INTS * sizeof *draft->spans);
    if (!draft->spans || !begin_ends(&counter, body, scratch)) {
        return false;
    }
    for (uint32_t s = 0; s < body->spring_count; s++) {
        uint32_t indices[2];
        take_spring(&counter, &body->springs[s], indices);
    }
    for (uint32_t p = 0; p < body->count; p++) {
        uint32_t *span = draft->spans + (size_t)(slots[p] / SLV_LANES) * SLV_SLICE_INTS;
        for (uint32_t c = 0; c < body->class_count; c++) {
            uint32_t width = (counter.taken[(size_t)p * body->class_count + c] + 1) / 2 * 2;
            span[c + 1] = width > span[c + 1] ? width : span[c + 1];
        }
    }
    uint32_t end = 0;
    for (uint32_t s = 0; s < draft->slice_count; s++) {
        uint32_t *span = draft->spans + (size_t)s * SLV_SLICE_INTS;
        span[0] = end;
        for (uint32_t c = 0; c < body->class_count; c++) {
            end += span[c + 1];
            span[c + 1] = end;
        }
    }
    draft->end_count = (size_t)end * SLV_LANES;
    return true;
}

static void reserve_tables(slv_body_layout *body_layout, const slv_body *body,
                           slv_layout_cursor *cursor, const slv_graph_draft *draft) {
    size_t springs = slv_springs_count_room(body);
    body_layout->colors = slv_reserve_table(cursor, (size_t)body->color_count + 1);
    body_layout->slices = slv_reserve_table(cursor, (size_t)draft->slice_count * SLV_SLICE_INTS);
    body_layout->neighbors = slv_reserve_table(cursor, draft->end_count);
    body_layout->order = slv_reserve_table(cursor, body->count);
    body_layout->groups = slv_reserve_table(cursor, 3 * (size_t)body->group_count);
    body_layout->ends[0] = slv_reserve_table(cursor, springs);
    body_layout->ends[1] = slv_reserve_table(cursor, springs);
    body_layout->rests = slv_reserve_state(cursor, draft->end_count);
    body_layout->lengths = slv_reserve_state(cursor, springs);
}

bool slv_graph_layout_reserve(slv_body_layout *body_layout, slv_body_extents *extents,
                              const slv_body *body, uint32_t *slots, slv_layout_cursor *cursor,
                              slv_memory *scratch, slv_graph_draft *draft) {
    if (!number_slots(body, slots, scratch, draft) ||
        !measure_slices(body, slots, scratch, draft) ||
        !slv_vertex_tetrahedra_measure(body, slots, scratch, draft)) {
        return false;
    }
    // Copies of particles follow, and one slice more for the zeros.
    size_t copies = (slv_phantom_count_copies(body, draft->parts) + SLV_LANES - 1) / SLV_LANES;
    size_t used = ((size_t)draft->slice_count + copies + 1) * SLV_LANES;
    size_t count = (used + SLV_BLOCK - 1) / SLV_BLOCK * SLV_BLOCK;
    if (count > INT_MAX / 4 || draft->end_count > INT_MAX) {
        cursor->too_large = true;
        return true;
    }
    *body_layout = (slv_body_layout){
        .arrangement = SLV_JOINED,
        .stride = SLV_PARTICLE_FLOATS,
        .slots = (int)count,
        .end_count = (int)draft->end_count,
        .color_count = (int)body->color_count,
        .class_count = (int)body->class_count,
        .group_count = (int)body->group_count,
        .particles = (int)body->count,
    };
    slv_reserve_vectors(cursor, body_layout, extents, slv_springs_count_room(body),
                        draft->end_count);
    reserve_tables(body_layout, body, cursor, draft);
    slv_batch_layout_reserve(body_layout, extents, body, draft->parts, cursor);
    slv_flexure_layout_reserve(body_layout, body, draft->parts, cursor);
    slv_averaged_layout_reserve(body_layout, body, draft->parts, cursor);
    slv_phantom_layout_reserve(body_layout, body, draft->parts,
                               (int)(draft->slice_count * SLV_LANES), cursor);
    slv_vertex_tetrahedra_reserve(body_layout, extents, draft, cursor);
    return true;
}

// --- Filling ----------------------------------------------------------------------------------------

static void put_end(const slv_body_layout *body_layout, const slv_graph_draft *draft, uint32_t slot,
                    uint32_t other, const slv_spring *spring, uint32_t index, float *state,
                    int *table) {
    const uint32_t *span = draft->spans + (size_t)(slot / SLV_LANES) * SLV_SLICE_INTS;
    int at = (int)((span[spring->stiffness_class] + index) * SLV_LANES + slot % SLV_LANES);
    table[body_layout->neighbors + at] = (int)other * SLV_PARTICLE_FLOATS;
    state[body_layout->rests + at] = spring->rest;
}

static void fill_groups(const slv_body_layout *body_layout, const slv_body *body,
                        const uint32_t *slots, float *state, int *table) {
    int first = 0;
    for (uint32_t g = 0; g < body->group_count; g++) {
        const slv_spring_group *group = &body->groups[g];
        int *entry = table + body_layout->groups + 3 * (int)g;
        entry[0] = first;
        entry[1] = (int)group->count;
        entry[2] = (int)group->stiffness_class;
        for (uint32_t n = 0; n < group->count; n++) {
            const uint32_t spring = group->first + n;
            for (int e = 0; e < 2; e++) {
                table[body_layout->ends[e] + first + (int)n] =
                    (int)slv_phantom_spring_slot(body_layout, body, slots, spring, e) *
                    SLV_PARTICLE_FLOATS;
            }
            state[body_layout->lengths + first + (int)n] = body->springs[spring].rest;
        }
        first += ((int)group->count + SLV_LANES - 1) / SLV_LANES * SLV_LANES;
    }
}

bool slv_graph_layout_fill(const slv_body_layout *body_layout, const slv_body *body,
                           const uint32_t *slots, const slv_graph_draft *draft, slv_memory *scratch,
                           float *state, int *table) {
    end_counter counter;
    if (!begin_ends(&counter, body, scratch)) {
        return false;
    }
    for (uint32_t c = 0; c <= body->color_count; c++) {
        table[body_layout->colors + (int)c] = (int)draft->first_slice[c];
    }
    for (size_t i = 0; i < (size_t)draft->slice_count * SLV_SLICE_INTS; i++) {
        table[(size_t)body_layout->slices + i] = (int)draft->spans[i];
    }
    for (size_t i = 0; i < draft->end_count; i++) {
        table[(size_t)body_layout->neighbors + i] = (body_layout->slots - 1) * SLV_PARTICLE_FLOATS;
        state[(size_t)body_layout->rests + i] = -1.0f;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        table[body_layout->order + (int)p] = (int)slots[p];
    }
    for (uint32_t s = 0; s < body->spring_count; s++) {
        const slv_spring *spring = &body->springs[s];
        uint32_t indices[2];
        take_spring(&counter, spring, indices);
        put_end(body_layout, draft, slots[spring->a], slots[spring->b], spring, indices[0], state,
                table);
        put_end(body_layout, draft, slots[spring->b], slots[spring->a], spring, indices[1], state,
                table);
    }
    fill_groups(body_layout, body, slots, state, table);
    slv_batch_layout_fill(body_layout, body, slots, state, table);
    slv_flexure_layout_fill(body_layout, body, state, table);
    slv_phantom_layout_fill(body_layout, body, slots, table);
    return slv_averaged_layout_fill(body_layout, body, scratch, state, table) &&
           slv_vertex_tetrahedra_fill(body_layout, body, slots, draft, scratch, state, table);
}

static void set_spring_inverse_masses(const slv_body_layout *body_layout, float *state,
                                      const int *table) {
    const float *inverse_mass = state + body_layout->inverse_mass;
    for (int g = 0; g < body_layout->group_count; g++) {
        const int *group = table + body_layout->groups + 3 * g;
        for (int s = group[0]; s < group[0] + group[1]; s++) {
            for (int end = 0; end < 2; end++) {
                int offset = table[body_layout->ends[end] + s];
                bool absent = state[body_layout->lengths + s] < 0.0f;
                state[body_layout->inverse_masses[end] + s] =
                    absent ? 0.0f
                           : slv_phantom_inverse_mass(body_layout, state, table, SLV_PHASE_SPRINGS,
                                                      offset);
            }
        }
    }
    int slices = table[body_layout->colors + body_layout->color_count];
    for (int slice = 0; slice < slices; slice++) {
        const int *span = table + body_layout->slices + slice * SLV_SLICE_INTS;
        for (int end = span[0] * SLV_LANES; end < span[body_layout->class_count] * SLV_LANES;
             end++) {
            int offset = table[body_layout->neighbors + end];
            state[body_layout->end_inverse_masses + end] =
                inverse_mass[slice * SLV_LANES + end % SLV_LANES] +
                inverse_mass[offset / SLV_PARTICLE_FLOATS];
        }
    }
}

void slv_graph_layout_set_inverse_masses(const slv_body_layout *body_layout, float *state,
                                         const int *table) {
    slv_phantom_copy_inverse_masses(body_layout, state, table);
    set_spring_inverse_masses(body_layout, state, table);
    slv_batch_layout_set_inverse_masses(body_layout, state, table);
    slv_vertex_tetrahedra_set_inverse_masses(body_layout, state, table);
}
