// SPDX-License-Identifier: MIT
#include "runtime/step/features/tearing.h"

#include "kernels/tear.h"
#include "runtime/base/check.h"
#include "runtime/step/feature.h"

#include <stdlib.h>
#include <string.h>

// The layout has torn springs while steps run; snapshots, new layouts and the drawn surface take them from the body.

const float slv_tearing_never = 1e6f;

extern const slv_feature slv_feature_tearing;

slv_tears *slv_tears_get(const slv_body *body) {
    return slv_feature_get_body_data(&slv_feature_tearing, body);
}

bool slv_tearing_is_possible(const slv_body *body) {
    return slv_tears_get(body)->threshold > 0.0f;
}

// --- Body -------------------------------------------------------------------------------------------

// What was taken before memory ran out serves the next call.
bool slv_tearing_begin(slv_body *body, float threshold) {
    const size_t corners = 3 * (size_t)body->surface.triangle_count;
    slv_memory *memory = &body->memory;
    slv_tears *tears = slv_tears_get(body);
    if (!tears->keys) {
        tears->keys = slv_memory_take(memory, body->spring_count, sizeof *tears->keys);
    }
    if (!tears->whole_triangles) {
        tears->whole_triangles = slv_memory_take(memory, corners, sizeof *tears->whole_triangles);
    }
    if (!tears->torn && tears->keys && tears->whole_triangles) {
        tears->torn = slv_memory_take(memory, body->spring_count, sizeof *tears->torn);
    }
    if (tears->torn) {
        tears->threshold = threshold;
    }
    return tears->torn != NULL;
}

// A body that is only ever cut is as before once no spring is cut any more.
static void settle(slv_tears *tears) {
    if (tears->only_cut) {
        tears->threshold = tears->count > 0 ? slv_tearing_never : 0.0f;
    }
}

// Whether a garment tears is decided when it is added.
static slv_result define(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                         slv_memory *scratch, slv_error *error) {
    (void)scratch;
    if (!garment || !(def->tearing_threshold > 0.0f)) {
        return SLV_OK;
    }
    return slv_tearing_begin(body, def->tearing_threshold)
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
}

// --- The drawn surface ------------------------------------------------------------------------------

static uint64_t key_of(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int compare_keys(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one;
    uint64_t b = *(const uint64_t *)other;
    return a < b ? -1 : a > b ? 1 : 0;
}

// Particles that a triangle's corners follow, at most three times eight.
static uint32_t gather(const slv_surface *surface, const uint32_t *corners, uint32_t *particles) {
    uint32_t count = 0;
    for (int c = 0; c < 3; c++) {
        for (uint32_t n = 0; n < surface->influences; n++) {
            size_t link = (size_t)corners[c] * surface->influences + n;
            if (surface->weights[link] > 0.0f) {
                particles[count++] = surface->particles[link];
            }
        }
    }
    return count;
}

static bool is_torn(const uint32_t *particles, uint32_t count, const uint64_t *keys,
                    uint32_t key_count) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            uint64_t key = key_of(particles[i], particles[j]);
            if (bsearch(&key, keys, key_count, sizeof key, compare_keys)) {
                return true;
            }
        }
    }
    return false;
}

// Along a diagonal no spring may have been: a triangle goes with the threads between any two particles
// that its corners follow.
void slv_tears_open_surface(slv_body *body) {
    slv_tears *tears = slv_tears_get(body);
    slv_surface *surface = &body->surface;
    if (!tears->torn || tears->count == tears->shown) {
        return;
    }
    uint32_t count = 0;
    for (uint32_t s = 0; s < body->spring_count; s++) {
        if (tears->torn[s]) {
            tears->keys[count++] = key_of(body->springs[s].a, body->springs[s].b);
        }
    }
    qsort(tears->keys, count, sizeof *tears->keys, compare_keys);
    surface->whole = tears->count > 0 ? tears->whole_triangles : NULL;
    surface->whole_count = 0;
    for (size_t t = 0; surface->whole && t < surface->triangle_count; t++) {
        uint32_t particles[24];
        const uint32_t *corners = surface->triangles + 3 * t;
        uint32_t followed = gather(surface, corners, particles);
        if (!is_torn(particles, followed, tears->keys, count)) {
            memcpy(surface->whole + 3 * (size_t)surface->whole_count++, corners,
                   3 * sizeof *corners);
        }
    }
    tears->shown = tears->count;
    surface->current = false; // normals follow
}

// --- Layout -----------------------------------------------------------------------------------------

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        const float threshold = slv_tears_get(bodies[i])->threshold;
        body_layout->tearing = threshold * threshold;
        if (body_layout->tearing > 0.0f) {
            body_layout->inertia = slv_reserve_state(cursor, (size_t)body_layout->slots);
            layout->extents[i].state[SLV_ASPECT_tearing] =
                (slv_extent){(size_t)body_layout->lengths, slv_springs_count_room(bodies[i])};
        }
    }
}

// --- Springs and their ends -------------------------------------------------------------------------

// The index, in the tables of its slice, of the end of a spring at `slot`, with the other end at `other`; -1 where it
// is cut already. Of two springs between the same particles the rest length tells which is meant.
static int find_end(const slv_body_layout *body_layout, const slv_layout *layout, uint32_t slot,
                    uint32_t other, const slv_spring *spring) {
    const int slice = (int)(slot / SLV_LANES);
    const slv_span span =
        slv_graph_span(layout->table, body_layout, slice, (int)spring->stiffness_class);
    for (int n = span.first; n < span.end; n++) {
        const int at = n * SLV_LANES + (int)(slot % SLV_LANES);
        if (layout->table[body_layout->neighbors + at] == (int)other * SLV_PARTICLE_FLOATS &&
            layout->state[body_layout->rests + at] == spring->rest) {
            return at;
        }
    }
    return -1;
}

static void cut_end(const slv_body_layout *body_layout, slv_layout *layout, uint32_t slot,
                    uint32_t other, const slv_spring *spring) {
    const int at = find_end(body_layout, layout, slot, other, spring);
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
    const uint8_t *torn = slv_tears_get(body)->torn;
    for (uint32_t s = 0; s < body->spring_count; s++) {
        const slv_spring *spring = &body->springs[s];
        if (!torn[s]) {
            continue;
        }
        cut_end(body_layout, layout, slots[spring->a], slots[spring->b], spring);
        cut_end(body_layout, layout, slots[spring->b], slots[spring->a], spring);
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
        double inertia = (double)slv_body_get_mass(body, p) / (time_step * time_step * stiffness);
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
    slv_tears *tears = slv_tears_get(body);
    tears->count = 0;
    for (uint32_t s = 0; s < body->spring_count; s++) {
        int number = number_in_groups(body_layout, layout->table, body, s);
        tears->torn[s] = number >= 0 && layout->state[body_layout->lengths + number] < 0.0f;
        tears->count += tears->torn[s];
    }
}

// A layout can tear springs but not mend them.
static bool needs_rebuild(const slv_body *body) {
    return slv_tears_get(body)->torn != NULL;
}

// Torn springs are those whose byte is not 0; none without bytes.
static void set_torn(slv_body *body, const char *from, size_t size) {
    slv_tears *tears = slv_tears_get(body);
    if (!tears->torn) {
        return;
    }
    tears->count = 0;
    for (uint32_t s = 0; s < body->spring_count; s++) {
        tears->torn[s] = size > 0 && from[s] != 0;
        tears->count += tears->torn[s];
    }
    settle(tears);
    tears->shown = UINT32_MAX;
}

static void reset(slv_layout *layout, uint32_t index, slv_body *body) {
    (void)layout;
    (void)index;
    set_torn(body, NULL, 0);
}

// Nothing of a body that is only ever cut while no spring is cut.
static size_t get_size(const slv_layout *layout, const slv_body *body) {
    (void)layout;
    return slv_tearing_is_possible(body) ? body->spring_count : 0;
}

static void save(const slv_layout *layout, uint32_t index, const slv_body *body, char *to) {
    (void)layout;
    (void)index;
    memcpy(to, slv_tears_get(body)->torn, body->spring_count);
}

static const char *check(const slv_layout *layout, const slv_body *body, const char *from,
                         size_t size, slv_marks marks) {
    (void)layout;
    (void)marks;
    if (size != 0 && size != body->spring_count) {
        return "a garment has another number of springs";
    }
    return slv_are_truth_values(from, size) ? NULL : "whether a spring is torn is neither 0 nor 1";
}

// A snapshot may have cuts in a garment that had none yet.
static bool make_room(slv_body *body, size_t size) {
    slv_tears *tears = slv_tears_get(body);
    if (size == 0 || tears->torn) {
        return true;
    }
    tears->only_cut = true;
    return slv_tearing_begin(body, 0.0f);
}

const slv_feature slv_feature_tearing = {
    .name = "tearing",
    .body_size = sizeof(slv_tears),
    .define = define,
    .read_aspects = 1u << SLV_ASPECT_tearing,
    .needs_graph = slv_tearing_is_possible, // springs are torn in index tables
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
