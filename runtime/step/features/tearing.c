// SPDX-License-Identifier: MIT
// Springs that tear or are cut (kernels/tear.h). The layout has them while steps run; snapshots, new layouts
// and the drawn surface take them from the body (runtime/model/tears.h).
#include "kernels/tear.h"
#include "runtime/base/check.h"
#include "runtime/model/tears.h"
#include "runtime/step/feature.h"

#include <string.h>

// --- Layout -----------------------------------------------------------------------------------------

// A spring is torn in index tables.
static bool needs_graph(const slv_body *body) {
    return body->tearing > 0.0f;
}

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        body_layout->tearing = bodies[i]->tearing * bodies[i]->tearing;
        if (body_layout->tearing > 0.0f) {
            body_layout->inertia = slv_reserve_state(cursor, (size_t)body_layout->slots);
            layout->extents[i].state[SLV_ASPECT_tearing] =
                (slv_extent){(size_t)body_layout->lengths, slv_springs_count_room(bodies[i])};
        }
    }
}

// --- Springs and their ends -------------------------------------------------------------------------

// The index, in the tables of its slice, of the end at `slot` of a spring of a class to `other`; -1 where there
// is none left. The first of two such springs is found; when it is torn, the second.
static int find_end(const slv_body_layout *body_layout, const int *table, uint32_t slot,
                    uint32_t other, uint32_t stiffness_class) {
    int slice = (int)(slot / SLV_LANES);
    slv_span span = slv_graph_span(table, body_layout, slice, (int)stiffness_class);
    for (int n = span.first; n < span.end; n++) {
        int at = n * SLV_LANES + (int)(slot % SLV_LANES);
        if (table[body_layout->neighbors + at] == (int)other * SLV_PARTICLE_FLOATS) {
            return at;
        }
    }
    return -1;
}

static void cut_end(const slv_body_layout *body_layout, slv_layout *layout, uint32_t slot,
                    uint32_t other, uint32_t stiffness_class) {
    int at = find_end(body_layout, layout->table, slot, other, stiffness_class);
    if (at >= 0) {
        layout->state[body_layout->rests + at] = -1.0f;
        layout->table[body_layout->neighbors + at] = (body_layout->slots - 1) * SLV_PARTICLE_FLOATS;
    }
}

// Number of a spring in the layout's groups, which are padded.
static int number_in_groups(const slv_body_layout *body_layout, const int *table,
                            const slv_body *body, uint32_t spring) {
    for (uint32_t g = 0; g < body->group_count; g++) {
        uint32_t first = body->groups[g].first;
        if (spring >= first && spring < first + body->groups[g].count) {
            return table[body_layout->groups + 3 * (int)g] + (int)(spring - first);
        }
    }
    return -1;
}

static void cut_springs(slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const uint32_t *slots = layout->slots[index];
    for (uint32_t s = 0; s < body->spring_count; s++) {
        const slv_spring *spring = &body->springs[s];
        if (!body->torn[s]) {
            continue;
        }
        cut_end(body_layout, layout, slots[spring->a], slots[spring->b], spring->stiffness_class);
        cut_end(body_layout, layout, slots[spring->b], slots[spring->a], spring->stiffness_class);
        int number = number_in_groups(body_layout, layout->table, body, s);
        if (number >= 0) {
            layout->state[body_layout->lengths + number] = -1.0f;
            layout->state[body_layout->inverse_masses[0] + number] = 0.0f;
            layout->state[body_layout->inverse_masses[1] + number] = 0.0f;
        }
    }
}

static void set_response(slv_layout *layout, uint32_t index, const slv_body *body,
                         double time_step) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    if (slv_body_is_grid(body_layout) || !(body_layout->tearing > 0.0f) || body->class_count == 0) {
        return;
    }
    cut_springs(layout, index, body);
    for (uint32_t p = 0; p < body->count; p++) {
        double stiffness = body->stiffness[0] * body->stiffening;
        double inertia = (double)body->mass[p] / (time_step * time_step * stiffness);
        layout->state[(size_t)body_layout->inertia + layout->slots[index][p]] = (float)inertia;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        int slot = (int)layout->slots[index][p];
        slv_update_response(layout->state, layout->table, body_layout, slot / SLV_LANES,
                            slot % SLV_LANES);
    }
}

// --- The step ---------------------------------------------------------------------------------------

static void launch(slv_plan_writer *writer) {
    const slv_layout *layout = writer->layout;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_body_layout *body_layout = &layout->bodies[i];
        if (slv_body_is_grid(body_layout) || !(body_layout->tearing > 0.0f) ||
            body_layout->class_count == 0) {
            continue;
        }
        slv_plan_launch_rows(writer, SLV_ID_tear_slice, i, 0, 0,
                             layout->table[body_layout->colors + body_layout->color_count]);
        for (int g = 0; g < body_layout->group_count; g++) {
            int springs = layout->table[body_layout->groups + 3 * g + 1];
            slv_plan_launch_rows(writer, SLV_ID_tear_batch, i, g, 0,
                                 (springs + SLV_LANES - 1) / SLV_LANES);
        }
    }
    slv_plan_barrier(writer);
}

// --- State ------------------------------------------------------------------------------------------

static void read(const slv_layout *layout, uint32_t index, slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    if (!(body_layout->tearing > 0.0f)) {
        return;
    }
    body->torn_count = 0;
    for (uint32_t s = 0; s < body->spring_count; s++) {
        int number = number_in_groups(body_layout, layout->table, body, s);
        body->torn[s] = number >= 0 && layout->state[body_layout->lengths + number] < 0.0f;
        body->torn_count += body->torn[s];
    }
}

// A layout can tear springs but not mend them.
static bool needs_rebuild(const slv_body *body) {
    return body->torn != NULL;
}

// Torn springs are those whose byte is not 0; none without bytes.
static void set_torn(slv_body *body, const char *from, size_t size) {
    if (!body->torn) {
        return;
    }
    body->torn_count = 0;
    for (uint32_t s = 0; s < body->spring_count; s++) {
        body->torn[s] = size > 0 && from[s] != 0;
        body->torn_count += body->torn[s];
    }
    slv_body_settle_tearing(body);
    body->torn_shown = UINT32_MAX;
}

static void reset(slv_layout *layout, uint32_t index, slv_body *body) {
    (void)layout;
    (void)index;
    set_torn(body, NULL, 0);
}

// Nothing of a body that is only ever cut while no spring is cut.
static size_t get_size(const slv_layout *layout, const slv_body *body) {
    (void)layout;
    return body->tearing > 0.0f ? body->spring_count : 0;
}

static void save(const slv_layout *layout, uint32_t index, const slv_body *body, char *to) {
    (void)layout;
    (void)index;
    memcpy(to, body->torn, body->spring_count);
}

static const char *check(const slv_layout *layout, const slv_body *body, const char *from,
                         size_t size, uint8_t *marks) {
    (void)layout;
    (void)marks;
    if (size != 0 && size != body->spring_count) {
        return "a garment has another number of springs";
    }
    return slv_are_truth_values(from, size) ? NULL : "whether a spring is torn is neither 0 nor 1";
}

// A snapshot may have cuts in a garment that had none yet.
static bool make_room(slv_body *body, size_t size) {
    if (size == 0 || body->torn) {
        return true;
    }
    body->only_cut = true;
    return slv_body_make_tearable(body, 0.0f);
}

const slv_feature slv_feature_tearing = {
    .name = "tearing",
    .read_aspects = 1u << SLV_ASPECT_tearing,
    .needs_graph = needs_graph,
    .reserve = reserve,
    .set_response = set_response,
    .needs_rebuild = needs_rebuild,
    .launch = {[SLV_POINT_SOLVE_BEGIN] = launch},
    .read = read,
    .reset = reset,
    .get_size = get_size,
    .save = save,
    .check = check,
    .make_room = make_room,
    .take = set_torn,
};
