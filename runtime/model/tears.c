// SPDX-License-Identifier: MIT
#include "runtime/model/tears.h"

#include <stdlib.h>
#include <string.h>

const float slv_tearing_never = 1e6f;

// What was taken before memory ran out serves the next call.
bool slv_body_make_tearable(slv_body *body, float threshold) {
    const size_t corners = 3 * (size_t)body->surface.triangle_count;
    slv_memory *memory = &body->memory;
    if (!body->torn_keys) {
        body->torn_keys = slv_memory_take(memory, body->spring_count, sizeof *body->torn_keys);
    }
    if (!body->whole_triangles) {
        body->whole_triangles = slv_memory_take(memory, corners, sizeof *body->whole_triangles);
    }
    if (!body->torn && body->torn_keys && body->whole_triangles) {
        body->torn = slv_memory_take(memory, body->spring_count, sizeof *body->torn);
    }
    if (body->torn) {
        body->tearing = threshold;
    }
    return body->torn != NULL;
}

void slv_body_settle_tearing(slv_body *body) {
    if (body->only_cut) {
        body->tearing = body->torn_count > 0 ? slv_tearing_never : 0.0f;
    }
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
