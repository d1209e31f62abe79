// SPDX-License-Identifier: MIT
#include "runtime/layout/layout.h"

#include "kernels/contact.h"
#include "kernels/graph.h"
#include "runtime/layout/soft_layout.h"
#include "runtime/layout/vertex_tetrahedra.h"

#include <limits.h>
#include <string.h>

enum { PLACE_ALIGNMENT = 16 }; // floats or ints: one cache line

// --- Layout -----------------------------------------------------------------------------------------

static int reserve_in(size_t *end, size_t count, bool *too_large) {
    size_t place = *end;
    if (count > INT_MAX || place > INT_MAX - count - PLACE_ALIGNMENT) {
        *too_large = true;
        return 0;
    }
    *end = (place + count + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
    return (int)place;
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

// --- Forms ------------------------------------------------------------------------------------------

// Position based solvers know index tables only. A box that is mostly empty would waste the strided
// form's bandwidth on cells without particles; and strides know no spring that is torn.
bool slv_layout_is_grid(const slv_body *body, const slv_layout_settings *settings) {
    uint64_t box = (uint64_t)body->cells[0] * body->cells[1] * body->cells[2];
    bool projective = settings->solver == SLV_PD_GS || settings->solver == SLV_PD_JACOBI ||
                      settings->solver == SLV_PD_RBGS;
    return projective && !settings->indexed && body->lattice && 2 * (uint64_t)body->count >= box &&
           !(body->tearing > 0.0f);
}

// Tiles are blocks of SLV_BLOCK particles that lie near each other: of a grid, some columns of some rows.
static void number_tiles(slv_body_layout *body_layout) {
    body_layout->tile_columns =
        slv_body_is_grid(body_layout) ? body_layout->columns / SLV_TILE_COLUMNS : 1;
    body_layout->tiles = slv_body_is_grid(body_layout)
                             ? (body_layout->rows * body_layout->layers + SLV_TILE_ROWS - 1) /
                                   SLV_TILE_ROWS * body_layout->tile_columns
                             : body_layout->slots / SLV_BLOCK;
}

static bool reserve_bodies(slv_layout *layout, slv_body *const *bodies,
                           const slv_layout_settings *settings, slv_layout_cursor *cursor,
                           slv_memory *scratch, slv_graph_draft *drafts) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_body *body = bodies[i];
        layout->slots[i] = slv_memory_take(&layout->memory, body->count, sizeof **layout->slots);
        if (!layout->slots[i]) {
            return false;
        }
        if (slv_layout_is_grid(body, settings)) {
            slv_grid_layout_reserve(&layout->bodies[i], &layout->extents[i], body, layout->slots[i],
                                    cursor);
            number_tiles(&layout->bodies[i]);
            continue;
        }
        drafts[i].solver = settings->solver;
        if (!slv_graph_layout_reserve(&layout->bodies[i], &layout->extents[i], body,
                                      layout->slots[i], cursor, scratch, &drafts[i])) {
            return false;
        }
        number_tiles(&layout->bodies[i]);
    }
    settings->hooks->reserve(layout, bodies, settings, cursor);
    return true;
}

static void set_stiffness(slv_body_layout *body_layout, const slv_body *body, double time_step) {
    for (uint32_t c = 0; c < body->class_count; c++) {
        double stiffness = body->stiffness[c] * body->stiffening;
        body_layout->ratio[c] = (float)(body->stiffness[c] / body->stiffness[0]);
        body_layout->compliance[c] = (float)(1.0 / (stiffness * time_step * time_step));
    }
}

// How many springs each slot has, but at least one, since averages divide by it.
static void count_degrees(const slv_body_layout *body_layout, const slv_body *body,
                          const uint32_t *slots, float *state) {
    float *degrees = state + body_layout->degrees;
    for (uint32_t s = 0; s < body->spring_count; s++) {
        degrees[slots[body->springs[s].a]] += 1.0f;
        degrees[slots[body->springs[s].b]] += 1.0f;
    }
    for (int slot = 0; slot < body_layout->slots; slot++) {
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

static bool fill_bodies(slv_layout *layout, slv_body *const *bodies,
                        const slv_layout_settings *settings, slv_memory *scratch,
                        const slv_graph_draft *drafts) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        body_layout->inert = is_inert(bodies[i]);
        set_stiffness(body_layout, bodies[i], settings->time_step);
        if (slv_body_is_grid(body_layout)) {
            slv_grid_layout_fill(body_layout, bodies[i], layout->slots[i], layout->table);
        } else if (!slv_graph_layout_fill(body_layout, bodies[i], layout->slots[i], &drafts[i],
                                          scratch, layout->state, layout->table)) {
            return false;
        }
        if (body_layout->stride == SLV_PARTICLE_FLOATS &&
            !slv_soft_fill(body_layout, bodies[i], layout->slots[i], settings->solver, scratch,
                           layout->state, layout->table)) {
            return false;
        }
        count_degrees(body_layout, bodies[i], layout->slots[i], layout->state);
        slv_layout_set_response(layout, i, bodies[i], settings->time_step);
        slv_layout_write(layout, i, 0, bodies[i]->count, bodies[i]->start);
    }
    return settings->hooks->fill(layout, bodies, settings, scratch);
}

static slv_result build(slv_layout *layout, slv_body *const *bodies,
                        const slv_layout_settings *settings, slv_memory *scratch,
                        slv_error *error) {
    slv_layout_cursor cursor = {.state = SLV_HEAD_FLOATS};
    uint32_t count = layout->body_count;
    slv_graph_draft *drafts = slv_memory_take(scratch, count, sizeof *drafts);
    layout->bodies = slv_memory_take(&layout->memory, (size_t)count + 2, sizeof *layout->bodies);
    layout->extents = slv_memory_take(&layout->memory, (size_t)count + 1, sizeof *layout->extents);
    layout->slots = slv_memory_take(&layout->memory, count, sizeof *layout->slots);
    bool done = drafts && layout->bodies && layout->extents && layout->slots &&
                reserve_bodies(layout, bodies, settings, &cursor, scratch, drafts);
    if (done && cursor.too_large) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "the world needs more than %d numbers, too many for one", INT_MAX);
    }
    if (done) {
        layout->state_count = cursor.state;
        layout->table_count = cursor.table;
        layout->state = slv_memory_take(&layout->memory, cursor.state, sizeof *layout->state);
        layout->table = slv_memory_take(&layout->memory, cursor.table, sizeof *layout->table);
        done = layout->state && layout->table;
    }
    if (done) {
        done = fill_bodies(layout, bodies, settings, scratch, drafts);
    }
    if (!done) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    return SLV_OK;
}

slv_result slv_layout_create(slv_layout *layout, slv_body *const *bodies, uint32_t count,
                             const slv_layout_settings *settings, slv_allocator allocator,
                             slv_error *error) {
    slv_memory scratch = {.allocator = allocator};
    *layout = (slv_layout){
        .memory = {.allocator = allocator}, .body_count = count, .settings = *settings};
    slv_result status = build(layout, bodies, settings, &scratch, error);
    slv_memory_release(&scratch);
    if (status != SLV_OK) {
        slv_layout_destroy(layout);
    }
    return status;
}

void slv_layout_destroy(slv_layout *layout) {
    slv_memory_release(&layout->memory);
    *layout = (slv_layout){.memory = layout->memory};
}

// --- What lies in them ------------------------------------------------------------------------------

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
    size_t floats = (size_t)body_layout->slots * (size_t)slv_body_slot_floats(body_layout);
    memcpy(layout->state + body_layout->prev[layout->parity], layout->state + body_layout->q,
           floats * sizeof *layout->state);
    note_written(layout, index, SLV_ASPECT_PREVIOUS);
}

void slv_layout_stage(slv_layout *layout, slv_staging staging) {
    const slv_staging own = {layout->state + layout->move_state.first,
                             layout->table + layout->move_table.first};
    const slv_staging next = staging.state ? staging : own;
    if (layout->staging.state && next.state != layout->staging.state &&
        layout->move_state.count > 0) {
        memcpy(next.state, layout->staging.state, layout->move_state.count * sizeof *next.state);
        memcpy(next.table, layout->staging.table, layout->move_table.count * sizeof *next.table);
    }
    layout->staging = next;
}

void slv_layout_set_response(slv_layout *layout, uint32_t index, const slv_body *body,
                             double time_step) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    for (uint32_t p = 0; p < body->count; p++) {
        size_t slot = layout->slots[index][p];
        slv_response response = slv_body_response(body, p, time_step);
        layout->state[(size_t)body_layout->weight + slot] = response.weight;
        layout->state[(size_t)body_layout->anchor + slot] = response.anchor;
        layout->state[(size_t)body_layout->inverse_mass + slot] = response.inverse_mass;
    }
    if (body_layout->stride == SLV_PARTICLE_FLOATS) {
        slv_soft_copy_inverse_masses(body_layout, layout->state, layout->table);
        slv_graph_layout_set_inverse_masses(body_layout, layout->state, layout->table);
        slv_soft_set_inverse_masses(body_layout, layout->state, layout->table);
        slv_vertex_tetrahedra_set_inverse_masses(body_layout, layout->state, layout->table);
    }
    layout->settings.hooks->set_response(layout, index, body, time_step);
    note_written(layout, index, SLV_ASPECT_RESPONSE);
    if (layout->extents[index].state[SLV_ASPECT_CORNERS].count > 0) {
        note_written(layout, index, SLV_ASPECT_CORNERS);
    }
}
