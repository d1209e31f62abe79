// SPDX-License-Identifier: MIT
#include "runtime/layout/layout.h"

#include "kernels/graph.h"
#include "kernels/moves.h"
#include "runtime/layout/soft_layout.h"
#include "runtime/layout/vertex_tetrahedra.h"
#include "runtime/step/features/contact.h"
#include "runtime/step/features/limits.h"
#include "runtime/step/features/sleep.h"
#include "runtime/step/features/tear.h"

#include <limits.h>
#include <string.h>

enum {
    PLACE_ALIGNMENT = 16, // floats or ints: one line of cache
    SPARE_MOVES = 64      // particles that may be fixed and led later, without a new form
};

// --- Layout -----------------------------------------------------------------------------------------

static int lay_out_in(size_t *end, size_t count, bool *too_large) {
    size_t place = *end;
    if (count > INT_MAX || place > INT_MAX - count - PLACE_ALIGNMENT) {
        *too_large = true;
        return 0;
    }
    *end = (place + count + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
    return (int)place;
}

int slv_layout_state(slv_layout *layout, size_t count) {
    return lay_out_in(&layout->state, count, &layout->too_large);
}

int slv_layout_table(slv_layout *layout, size_t count) {
    return lay_out_in(&layout->table, count, &layout->too_large);
}

static slv_extent extent_between(size_t first, size_t end) {
    return (slv_extent){first, end - first};
}

void slv_layout_vectors(slv_layout *layout, slv_part *part, slv_part_extents *extents,
                        size_t springs, size_t ends) {
    bool split = part->stride == 1;
    size_t slots = (size_t)part->slots;
    size_t floats = (split ? 3 : SLV_PARTICLE_FLOATS) * slots;
    part->component = split ? part->slots : 1;
    part->q = slv_layout_state(layout, floats);
    extents->state[SLV_ASPECT_POSITIONS] = extent_between((size_t)part->q, layout->state);
    part->u = slv_layout_state(layout, floats);
    part->b = slv_layout_state(layout, floats);
    size_t response = layout->state;
    part->weight = slv_layout_state(layout, slots);
    part->anchor = slv_layout_state(layout, slots);
    part->inverse_mass = slv_layout_state(layout, slots);
    part->end_masses = slv_layout_state(layout, ends);
    part->masses[0] = slv_layout_state(layout, springs);
    part->masses[1] = slv_layout_state(layout, springs);
    extents->state[SLV_ASPECT_RESPONSE] = extent_between(response, layout->state);
    part->y = slv_layout_state(layout, floats);
    extents->state[SLV_ASPECT_GOALS] = extent_between((size_t)part->y, layout->state);
    size_t previous = layout->state;
    part->prev[0] = slv_layout_state(layout, floats);
    part->prev[1] = slv_layout_state(layout, floats);
    extents->state[SLV_ASPECT_PREVIOUS] = extent_between(previous, layout->state);
    part->next = slv_layout_state(layout, floats);
    part->degrees = slv_layout_state(layout, slots);
}

// Moves of all parts lie side by side: they change most often.
static void lay_out_moves(slv_layout *layout, slv_part *part, slv_part_extents *extents,
                          const slv_body *body) {
    size_t room = SPARE_MOVES;
    for (uint32_t p = 0; p < body->count; p++) {
        room += body->fixed[p] ? 1 : 0;
    }
    room = room > body->move_room ? room : body->move_room;
    room = (room + SLV_LANES - 1) / SLV_LANES * SLV_LANES;
    if (room > INT_MAX / SLV_MOVE_FLOATS) {
        layout->too_large = true;
        return;
    }
    part->move_room = (int)room;
    part->moves = slv_layout_table(layout, SLV_MOVE_INTS * room);
    part->move_ends = slv_layout_state(layout, SLV_MOVE_FLOATS * room);
    extents->table[SLV_ASPECT_MOVES] = (slv_extent){(size_t)part->moves, SLV_MOVE_INTS * room};
    extents->state[SLV_ASPECT_MOVES] =
        (slv_extent){(size_t)part->move_ends, SLV_MOVE_FLOATS * room};
}

// --- Forms ------------------------------------------------------------------------------------------

// Position based solvers know index tables only. A box that is mostly empty would waste the strided
// form's bandwidth on cells without particles; and strides know no spring that is torn.
bool slv_form_is_strided(const slv_body *body, const slv_form_settings *settings) {
    uint64_t box = (uint64_t)body->cells[0] * body->cells[1] * body->cells[2];
    bool projective = settings->solver == SLV_PD_GS || settings->solver == SLV_PD_JACOBI ||
                      settings->solver == SLV_PD_RBGS;
    return projective && !settings->indexed && body->lattice && 2 * (uint64_t)body->count >= box &&
           !(body->tearing > 0.0f);
}

static bool lay_out_parts(slv_form *form, slv_body *const *bodies,
                          const slv_form_settings *settings, slv_layout *layout,
                          slv_memory *scratch, slv_graph_draft *drafts) {
    for (uint32_t i = 0; i < form->part_count; i++) {
        const slv_body *body = bodies[i];
        form->slots[i] = slv_memory_take(&form->memory, body->count, sizeof **form->slots);
        if (!form->slots[i]) {
            return false;
        }
        if (slv_form_is_strided(body, settings)) {
            slv_grid_form_lay_out(&form->parts[i], &form->extents[i], body, form->slots[i], layout);
            continue;
        }
        drafts[i].solver = settings->solver;
        if (!slv_graph_form_lay_out(&form->parts[i], &form->extents[i], body, form->slots[i],
                                    layout, scratch, &drafts[i])) {
            return false;
        }
    }
    form->move_state.first = layout->state;
    form->move_table.first = layout->table;
    for (uint32_t i = 0; i < form->part_count; i++) {
        lay_out_moves(layout, &form->parts[i], &form->extents[i], bodies[i]);
    }
    form->move_state = extent_between(form->move_state.first, layout->state);
    form->move_table = extent_between(form->move_table.first, layout->table);
    slv_contact_lay_out(form, bodies, &settings->contact, layout);
    slv_tear_lay_out(form, bodies, layout);
    slv_limits_lay_out(form, bodies, layout);
    slv_sleep_lay_out(form, bodies, layout);
    return true;
}

static void set_stiffness(slv_part *part, const slv_body *body, double time_step) {
    for (uint32_t c = 0; c < body->class_count; c++) {
        double stiffness = body->stiffness[c] * body->stiffening;
        part->ratio[c] = (float)(body->stiffness[c] / body->stiffness[0]);
        part->compliance[c] = (float)(1.0 / (stiffness * time_step * time_step));
    }
}

// How many springs each slot has, but at least one, since averages divide by it.
static void count_degrees(const slv_part *part, const slv_body *body, const uint32_t *slots,
                          float *state) {
    float *degrees = state + part->degrees;
    for (uint32_t s = 0; s < body->spring_count; s++) {
        degrees[slots[body->springs[s].a]] += 1.0f;
        degrees[slots[body->springs[s].b]] += 1.0f;
    }
    for (int slot = 0; slot < part->slots; slot++) {
        degrees[slot] = degrees[slot] > 1.0f ? degrees[slot] : 1.0f;
    }
}

// Whether all of a body is where it is put, whoever fixes it or lets it go: the surface of a clip.
static bool is_inert(const slv_body *body) {
    bool inert = true;
    for (uint32_t i = 0; i < body->count; i++) {
        inert = inert && !(body->mass[i] > 0.0f);
    }
    return inert;
}

static bool fill_parts(slv_form *form, slv_body *const *bodies, const slv_form_settings *settings,
                       slv_memory *scratch, const slv_graph_draft *drafts) {
    for (uint32_t i = 0; i < form->part_count; i++) {
        slv_part *part = &form->parts[i];
        part->inert = is_inert(bodies[i]);
        set_stiffness(part, bodies[i], settings->time_step);
        if (part->stride == 1) {
            slv_grid_form_fill(part, bodies[i], form->slots[i], form->table);
        } else if (!slv_graph_form_fill(part, bodies[i], form->slots[i], &drafts[i], scratch,
                                        form->state, form->table)) {
            return false;
        }
        if (part->stride == SLV_PARTICLE_FLOATS &&
            !slv_soft_fill(part, bodies[i], form->slots[i], settings->solver, scratch, form->state,
                           form->table)) {
            return false;
        }
        count_degrees(part, bodies[i], form->slots[i], form->state);
        slv_form_set_response(form, i, bodies[i], settings->time_step);
        slv_form_write(form, i, 0, bodies[i]->count, bodies[i]->start);
    }
    slv_limits_fill(form, bodies);
    if (!slv_contact_fill(form, bodies, settings->time_step, scratch)) {
        return false;
    }
    slv_sleep_fill(form, bodies, settings->time_step);
    return true;
}

static slv_staging own_staging(const slv_form *form) {
    return (slv_staging){form->state + form->move_state.first,
                         form->table + form->move_table.first};
}

static slv_status build(slv_form *form, slv_body *const *bodies, const slv_form_settings *settings,
                        slv_memory *scratch, slv_error *error) {
    slv_layout layout = {.state = SLV_HEAD_FLOATS};
    uint32_t count = form->part_count;
    slv_graph_draft *drafts = slv_memory_take(scratch, count, sizeof *drafts);
    form->parts = slv_memory_take(&form->memory, (size_t)count + 2, sizeof *form->parts);
    form->extents = slv_memory_take(&form->memory, count, sizeof *form->extents);
    form->slots = slv_memory_take(&form->memory, count, sizeof *form->slots);
    bool done = drafts && form->parts && form->extents && form->slots &&
                lay_out_parts(form, bodies, settings, &layout, scratch, drafts);
    if (done && layout.too_large) {
        (void)slv_fail(error, SLV_ERROR_UNSUPPORTED,
                       "the world needs more than %d numbers, too many for one", INT_MAX);
        return SLV_STATUS_UNSUPPORTED;
    }
    if (done) {
        form->state_count = layout.state;
        form->table_count = layout.table;
        form->state = slv_memory_take(&form->memory, layout.state, sizeof *form->state);
        form->table = slv_memory_take(&form->memory, layout.table, sizeof *form->table);
        done = form->state && form->table;
    }
    if (done) {
        form->staging = own_staging(form);
        done = fill_parts(form, bodies, settings, scratch, drafts);
    }
    if (!done) {
        (void)slv_fail(error, SLV_ERROR_INTERNAL, "out of memory");
        return SLV_STATUS_MEMORY;
    }
    return SLV_STATUS_OK;
}

slv_status slv_form_create(slv_form *form, slv_body *const *bodies, uint32_t count,
                           const slv_form_settings *settings, slv_allocator allocator,
                           slv_error *error) {
    slv_memory scratch = {.allocator = allocator};
    *form = (slv_form){
        .memory = {.allocator = allocator}, .part_count = count, .stiffness = settings->stiffness};
    slv_status status = build(form, bodies, settings, &scratch, error);
    slv_memory_release(&scratch);
    if (status != SLV_STATUS_OK) {
        slv_form_destroy(form);
    }
    return status;
}

void slv_form_destroy(slv_form *form) {
    slv_memory_release(&form->memory);
    *form = (slv_form){.memory = form->memory};
}

// --- What lies in them ------------------------------------------------------------------------------

static void note_written(slv_form *form, uint32_t index, slv_aspect aspect) {
    form->extents[index].written |= 1u << aspect;
}

void slv_form_read(const slv_form *form, uint32_t index, uint32_t first, uint32_t count,
                   float *values) {
    const slv_part *part = &form->parts[index];
    const float *q = form->state + part->q;
    const float *prev = form->state + part->prev[form->parity];
    for (uint32_t p = first; p < first + count; p++, values += 6) {
        size_t at = (size_t)form->slots[index][p] * (size_t)part->stride;
        for (size_t d = 0; d < 3; d++) {
            values[d] = q[at + d * (size_t)part->component];
            values[3 + d] = prev[at + d * (size_t)part->component];
        }
    }
}

void slv_form_write(slv_form *form, uint32_t index, uint32_t first, uint32_t count,
                    const float *values) {
    const slv_part *part = &form->parts[index];
    float *q = form->state + part->q;
    float *prev = form->state + part->prev[form->parity];
    for (uint32_t p = first; p < first + count; p++, values += 6) {
        size_t at = (size_t)form->slots[index][p] * (size_t)part->stride;
        for (size_t d = 0; d < 3; d++) {
            q[at + d * (size_t)part->component] = values[d];
            prev[at + d * (size_t)part->component] = values[3 + d];
        }
    }
    note_written(form, index, SLV_ASPECT_POSITIONS);
    note_written(form, index, SLV_ASPECT_PREVIOUS);
}

void slv_form_stop(slv_form *form, uint32_t index) {
    const slv_part *part = &form->parts[index];
    size_t floats = (size_t)part->slots * (part->stride == 1 ? 3 : (size_t)part->stride);
    memcpy(form->state + part->prev[form->parity], form->state + part->q,
           floats * sizeof *form->state);
    note_written(form, index, SLV_ASPECT_PREVIOUS);
}

void slv_form_write_moves(slv_form *form, uint32_t index, const slv_body *body) {
    const slv_part *part = &form->parts[index];
    if (body->move_count == 0 && form->extents[index].move_count == 0) {
        return;
    }
    int *entry = form->staging.table + ((size_t)part->moves - form->move_table.first);
    memset(entry, 0, (size_t)part->move_room * SLV_MOVE_INTS * sizeof *entry);
    for (uint32_t m = 0; m < body->move_count; m++) {
        const slv_move *move = &body->moves[m];
        entry[0] = (int)form->slots[index][move->particle] * part->stride;
        entry[1] = (int)move->done;
        entry[2] = (int)move->total;
        entry += SLV_MOVE_INTS;
    }
    form->extents[index].move_count = body->move_count;
    note_written(form, index, SLV_ASPECT_MOVES);
}

slv_way *slv_form_ways(const slv_form *form, uint32_t index) {
    _Static_assert(sizeof(slv_way) == SLV_MOVE_FLOATS * sizeof(float), "as kernels read it");
    const size_t first = (size_t)form->parts[index].move_ends - form->move_state.first;
    return (slv_way *)(void *)(form->staging.state + first);
}

void slv_form_stage(slv_form *form, slv_staging staging) {
    const slv_staging next = staging.state ? staging : own_staging(form);
    if (next.state != form->staging.state && form->move_state.count > 0) {
        memcpy(next.state, form->staging.state, form->move_state.count * sizeof *next.state);
        memcpy(next.table, form->staging.table, form->move_table.count * sizeof *next.table);
    }
    form->staging = next;
}

void slv_form_set_response(slv_form *form, uint32_t index, const slv_body *body, double time_step) {
    const slv_part *part = &form->parts[index];
    for (uint32_t p = 0; p < body->count; p++) {
        size_t slot = form->slots[index][p];
        slv_response response = slv_body_response(body, p, time_step);
        form->state[(size_t)part->weight + slot] = response.weight;
        form->state[(size_t)part->anchor + slot] = response.anchor;
        form->state[(size_t)part->inverse_mass + slot] = response.inverse_mass;
    }
    if (part->stride == SLV_PARTICLE_FLOATS) {
        slv_soft_copy_masses(part, form->state, form->table);
        slv_graph_form_set_masses(part, form->state, form->table);
        slv_soft_set_masses(part, form->state, form->table);
        slv_apex_set_masses(part, form->state, form->table);
        slv_tear_write(form, index, body, time_step);
    }
    note_written(form, index, SLV_ASPECT_RESPONSE);
    if (form->extents[index].state[SLV_ASPECT_CORNERS].count > 0) {
        note_written(form, index, SLV_ASPECT_CORNERS);
    }
}
