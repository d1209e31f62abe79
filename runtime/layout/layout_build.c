// SPDX-License-Identifier: MIT
#include "runtime/layout/layout_build.h"

#include "runtime/layout/graph_layout.h"
#include "runtime/layout/grid_layout.h"

#include <limits.h>

// --- Layout -----------------------------------------------------------------------------------------

// A grid whose box is mostly empty would waste bandwidth on cells without particles.
static bool is_grid(const slv_body *body, const slv_layout_settings *settings) {
    const uint64_t box = (uint64_t)body->cells[0] * body->cells[1] * body->cells[2];
    const bool strided =
        body->lattice || (settings->parts & SLV_PART_STENCIL && body->stencil.regular);
    return settings->parts & SLV_PART_GRID && !settings->indexed && strided &&
           2 * (uint64_t)body->count >= box && !settings->hooks->needs_graph(body);
}

unsigned slv_layout_get_parts(const slv_body *body, const slv_layout_settings *settings) {
    unsigned parts = 0;
    if (is_grid(body, settings)) {
        return SLV_PART_GRID;
    }
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        parts |= body->batches[b].count > 0 ? SLV_PART_BATCHES : 0u;
        parts |= body->batches[b].averages_last ? SLV_PART_AVERAGES : 0u;
    }
    if (body->batches[SLV_BATCH_TETRAHEDRON].count > 0) {
        parts |= SLV_PART_VERTEX_TETRAHEDRA;
    }
    if (body->averaged_group_count > 0) {
        parts |= SLV_PART_AVERAGES;
    }
    if (body->phantoms.copy_count > 0) {
        parts |= SLV_PART_PHANTOMS;
    }
    return parts & settings->parts;
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
        const unsigned parts = slv_layout_get_parts(body, settings);
        layout->extents[i].parts = parts;
        if (parts & SLV_PART_GRID) {
            slv_grid_layout_reserve(&layout->bodies[i], &layout->extents[i], body, layout->slots[i],
                                    cursor);
            number_tiles(&layout->bodies[i]);
            continue;
        }
        drafts[i].parts = parts;
        if (!slv_graph_layout_reserve(&layout->bodies[i], &layout->extents[i], body,
                                      layout->slots[i], cursor, scratch, &drafts[i])) {
            return false;
        }
        number_tiles(&layout->bodies[i]);
    }
    return settings->hooks->reserve(layout, bodies, settings, cursor);
}

static void set_stiffness(slv_body_layout *body_layout, const slv_body *body, double time_step) {
    for (uint32_t c = 0; c < body->class_count; c++) {
        double stiffness = body->stiffness[c] * body->stiffening;
        body_layout->ratio[c] = (float)(body->stiffness[c] / body->stiffness[0]);
        body_layout->compliance[c] = (float)(1.0 / (stiffness * time_step * time_step));
        if (body->buckles[c]) {
            body_layout->buckling_class = (int)c;
            body_layout->buckling = (float)(4.0 * body->buckling_rigidity / body->stiffness[c]);
        }
    }
    if (body->flexural_rigidity > 0.0) {
        body_layout->flexure_compliance =
            (float)(1.0 / (body->flexural_rigidity * body->stiffening * time_step * time_step));
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

// Whether no particle of a body has a mass, so that only prescribed motion changes it: the surface of a clip.
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
        count_degrees(body_layout, bodies[i], layout->slots[i], layout->state);
        slv_layout_set_response(layout, i, bodies[i], settings->time_step);
        slv_layout_write_start(layout, i, bodies[i]);
    }
    slv_layout_stage(layout, (slv_staging){.state = NULL});
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
    layout->settings.step = NULL;
    if (status != SLV_OK) {
        slv_layout_destroy(layout);
    }
    return status;
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
    if (!slv_body_is_grid(body_layout)) {
        slv_graph_layout_set_inverse_masses(body_layout, layout->state, layout->table);
    }
    layout->settings.hooks->set_response(layout, index, body, time_step);
    layout->extents[index].written |= 1u << SLV_ASPECT_RESPONSE;
    if (layout->extents[index].state[SLV_ASPECT_CORNERS].count > 0) {
        layout->extents[index].written |= 1u << SLV_ASPECT_CORNERS;
    }
}
