// SPDX-License-Identifier: MIT
#include "runtime/step/features/tear.h"

#include "kernels/tear.h"
#include "runtime/step/features/sleep.h"

#include <stdlib.h>
#include <string.h>

// --- Layout -----------------------------------------------------------------------------------------

void slv_tear_reserve(slv_layout *layout, slv_body *const *bodies, slv_layout_cursor *cursor) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        body_layout->tearing = bodies[i]->tearing * bodies[i]->tearing;
        if (body_layout->tearing > 0.0f) {
            body_layout->inertia = slv_reserve_state(cursor, (size_t)body_layout->slots);
        }
    }
}

// --- Springs and their ends -------------------------------------------------------------------------

// Where in the tables of its slice the end of a spring at `slot` lies that joins it to `other`; -1 where
// it is torn. `from` is where to begin, so that two springs between the same two are told apart.
static int find_end(const slv_body_layout *body_layout, const int *table, uint32_t slot,
                    uint32_t other, uint32_t kind) {
    int slice = (int)(slot / SLV_LANES);
    slv_span span = slv_graph_span(table, body_layout, slice, (int)kind);
    for (int n = span.first; n < span.end; n++) {
        int at = n * SLV_LANES + (int)(slot % SLV_LANES);
        if (table[body_layout->neighbors + at] == (int)other * SLV_PARTICLE_FLOATS) {
            return at;
        }
    }
    return -1;
}

static void cut_end(const slv_body_layout *body_layout, slv_layout *layout, uint32_t slot,
                    uint32_t other, uint32_t kind) {
    int at = find_end(body_layout, layout->table, slot, other, kind);
    if (at >= 0) {
        layout->state[body_layout->rests + at] = -1.0f;
        layout->table[body_layout->neighbors + at] = (body_layout->slots - 1) * SLV_PARTICLE_FLOATS;
    }
}

// Number of a spring in the form's groups, which are padded.
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
        cut_end(body_layout, layout, slots[spring->a], slots[spring->b], spring->kind);
        cut_end(body_layout, layout, slots[spring->b], slots[spring->a], spring->kind);
        int number = number_in_groups(body_layout, layout->table, body, s);
        if (number >= 0) {
            layout->state[body_layout->lengths + number] = -1.0f;
            layout->state[body_layout->inverse_masses[0] + number] = 0.0f;
            layout->state[body_layout->inverse_masses[1] + number] = 0.0f;
        }
    }
}

void slv_tear_write(slv_layout *layout, uint32_t index, const slv_body *body, double time_step) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    if (!(body_layout->tearing > 0.0f) || body->class_count == 0) {
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
        slv_answer_springs(layout->state, layout->table, body_layout, slot / SLV_LANES,
                           slot % SLV_LANES);
    }
}

// --- Reading ----------------------------------------------------------------------------------------

static slv_result download_lengths(slv_world *world, uint32_t index) {
    const slv_body *body = world->bodies[index];
    size_t springs = 0;
    for (uint32_t g = 0; g < body->group_count; g++) {
        springs += ((size_t)body->groups[g].count + SLV_LANES - 1) / SLV_LANES * SLV_LANES;
    }
    slv_extent lengths = {(size_t)world->layout.bodies[index].lengths, springs};
    return world->backend->download(world->engine, lengths, &world->error);
}

static bool is_behind(const slv_world *world, uint32_t index) {
    return world->layout.bodies[index].tearing > 0.0f && world->bodies[index]->tears_behind;
}

slv_result slv_tear_download(slv_world *world) {
    slv_result status = SLV_OK;
    for (uint32_t i = 0; status == SLV_OK && i < world->layout.body_count; i++) {
        if (world->backend->download && is_behind(world, i)) {
            status = download_lengths(world, i);
        }
    }
    return status;
}

void slv_tear_read(slv_world *world) {
    const slv_layout *layout = &world->layout;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body *body = world->bodies[i];
        const slv_body_layout *body_layout = &layout->bodies[i];
        if (!is_behind(world, i)) {
            continue;
        }
        body->torn_count = 0;
        for (uint32_t s = 0; s < body->spring_count; s++) {
            int number = number_in_groups(body_layout, layout->table, body, s);
            body->torn[s] = number >= 0 && layout->state[body_layout->lengths + number] < 0.0f;
            body->torn_count += body->torn[s];
        }
        body->tears_behind = false;
    }
}

slv_result slv_tear_fetch(slv_world *world) {
    slv_result status = slv_tear_download(world);
    if (status == SLV_OK) {
        slv_tear_read(world);
    }
    return status;
}

// --- Cutting ----------------------------------------------------------------------------------------

static const float never = 1e6f; // lengths at rest: what is only cut does not tear

bool slv_body_make_tearable(slv_body *body, float threshold) {
    const size_t corners = 3 * (size_t)body->surface.triangle_count;
    slv_memory *memory = &body->memory;
    if (!body->torn) {
        uint8_t *torn = slv_memory_take(memory, body->spring_count, sizeof *torn);
        body->torn_keys = slv_memory_take(memory, body->spring_count, sizeof *body->torn_keys);
        body->whole_triangles = slv_memory_take(memory, corners, sizeof *body->whole_triangles);
        body->torn = body->torn_keys && body->whole_triangles ? torn : NULL;
    }
    if (body->torn) {
        body->tearing = threshold;
    }
    return body->torn != NULL;
}

void slv_body_settle_tearing(slv_body *body) {
    if (body->only_cut) {
        body->tearing = body->torn_count > 0 ? never : 0.0f;
    }
}

// Constraints that were whole are 2 until it is certain that they are cut.
static uint32_t mark_cuts(slv_body *body, const uint32_t *constraints, uint32_t count) {
    uint32_t marked = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!body->torn[constraints[i]]) {
            body->torn[constraints[i]] = 2;
            marked++;
        }
    }
    return marked;
}

static void settle_cuts(slv_body *body, bool cut) {
    for (uint32_t s = 0; s < body->spring_count; s++) {
        body->torn[s] = body->torn[s] == 2 ? cut : body->torn[s];
    }
}

slv_result slv_garment_cut(slv_world *world, slv_garment_id id, const uint32_t *constraints,
                           uint32_t count) {
    slv_result status = slv_begin(world);
    slv_body *body = status == SLV_OK ? slv_find_body(world, id) : NULL;
    if (!body || (!constraints && count > 0)) {
        return body ? slv_refuse(world, SLV_ERROR_ARGUMENT, "constraints is NULL")
                    : SLV_ERROR_ARGUMENT;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (constraints[i] >= body->spring_count) {
            return slv_refuse(world, SLV_ERROR_ARGUMENT,
                              "constraints[%u]: there is no constraint %u, the garment has %u", i,
                              constraints[i], body->spring_count);
        }
    }
    status = slv_tear_fetch(world);
    if (status != SLV_OK || count == 0) {
        return status;
    }
    const float tearing = body->tearing;
    if (!slv_body_make_tearable(body, tearing > 0.0f ? tearing : never)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    body->only_cut = body->only_cut || !(tearing > 0.0f);
    const bool stale = world->stale;
    const uint32_t marked = mark_cuts(body, constraints, count);
    world->stale = stale || marked > 0;
    status = slv_world_rebuild_layout(world, world->body_count, &world->parameters);
    settle_cuts(body, status == SLV_OK);
    if (status == SLV_OK) {
        body->torn_count += marked;
        status = slv_sleep_wake(world, id.index);
    } else {
        body->tearing = tearing;
        world->stale = stale;
    }
    return status;
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
void slv_surface_open_tears(slv_body *body) {
    slv_surface *surface = &body->surface;
    if (!body->torn || body->torn_count == body->torn_shown) {
        return;
    }
    uint32_t count = 0;
    for (uint32_t s = 0; s < body->spring_count; s++) {
        if (body->torn[s]) {
            body->torn_keys[count++] = key_of(body->springs[s].a, body->springs[s].b);
        }
    }
    qsort(body->torn_keys, count, sizeof *body->torn_keys, compare_keys);
    surface->whole = body->torn_count > 0 ? body->whole_triangles : NULL;
    surface->whole_count = 0;
    for (size_t t = 0; surface->whole && t < surface->triangle_count; t++) {
        uint32_t particles[24];
        const uint32_t *corners = surface->triangles + 3 * t;
        uint32_t followed = gather(surface, corners, particles);
        if (!is_torn(particles, followed, body->torn_keys, count)) {
            memcpy(surface->whole + 3 * (size_t)surface->whole_count++, corners,
                   3 * sizeof *corners);
        }
    }
    body->torn_shown = body->torn_count;
    surface->current = false; // normals follow
}

// --- The step ---------------------------------------------------------------------------------------

void slv_tear_launch(slv_plan_writer *writer) {
    const slv_layout *layout = writer->layout;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_body_layout *body_layout = &layout->bodies[i];
        if (!(body_layout->tearing > 0.0f) || body_layout->class_count == 0) {
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
