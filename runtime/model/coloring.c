// SPDX-License-Identifier: MIT
#include "runtime/model/coloring.h"

#include <string.h>

// --- Springs ----------------------------------------------------------------------------------------

// Gives each spring left (color UINT32_MAX) the first of 64 colors that neither end has yet; those
// that find none wait for the next 64. used: 64 bits a particle.
static uint32_t color_round(const slv_spring *springs, uint32_t count, uint32_t base,
                            uint64_t *used, uint32_t *color) {
    uint32_t left = 0;
    for (uint32_t s = 0; s < count; s++) {
        if (color[s] != UINT32_MAX) {
            continue;
        }
        uint64_t taken = used[springs[s].a] | used[springs[s].b];
        if (~taken == 0) {
            left++;
            continue;
        }
        uint32_t bit = (uint32_t)__builtin_ctzll(~taken);
        used[springs[s].a] |= UINT64_C(1) << bit;
        used[springs[s].b] |= UINT64_C(1) << bit;
        color[s] = base + bit;
    }
    return left;
}

static void sort_by_color(slv_spring *springs, uint32_t count, const uint32_t *color,
                          slv_spring *sorted, const uint32_t *counts, uint32_t color_count,
                          uint32_t *next) {
    uint32_t first = 0;
    for (uint32_t c = 0; c < color_count; c++) {
        next[c] = first;
        first += counts[c];
    }
    for (uint32_t s = 0; s < count; s++) {
        sorted[next[color[s]]++] = springs[s];
    }
    memcpy(springs, sorted, count * sizeof *springs);
}

bool slv_color_springs(slv_spring *springs, uint32_t count, uint32_t particle_count,
                       slv_memory *scratch, uint32_t *counts, uint32_t *color_count) {
    uint64_t *used = slv_memory_take(scratch, particle_count, sizeof *used);
    uint32_t *color = slv_memory_take(scratch, count, sizeof *color);
    uint32_t *next = slv_memory_take(scratch, count, sizeof *next);
    slv_spring *sorted = slv_memory_take(scratch, count, sizeof *sorted);
    if (!used || !color || !next || !sorted) {
        return false;
    }
    memset(color, 0xFF, count * sizeof *color);
    for (uint32_t base = 0, left = count; left > 0; base += 64) {
        memset(used, 0, particle_count * sizeof *used);
        left = color_round(springs, count, base, used, color);
    }
    *color_count = 0;
    memset(counts, 0, count * sizeof *counts);
    for (uint32_t s = 0; s < count; s++) {
        counts[color[s]]++;
        *color_count = color[s] >= *color_count ? color[s] + 1 : *color_count;
    }
    sort_by_color(springs, count, color, sorted, counts, *color_count, next);
    return true;
}

// --- Particles --------------------------------------------------------------------------------------

// Red and black where springs join axis neighbors only; otherwise the smallest formula that keeps
// diagonal neighbors and every second particle apart as well.
static void color_grid(slv_body *body) {
    bool flat = body->cells[0] == 1 || body->cells[1] == 1 || body->cells[2] == 1;
    for (uint32_t p = 0; p < body->count; p++) {
        uint32_t at[3];
        slv_body_get_grid_coordinates(body, p, at);
        if (body->neighborly && body->class_count <= 1) {
            body->color[p] = (at[0] + at[1] + at[2]) % 2;
        } else if (flat) {
            uint32_t first = body->cells[0] == 1 ? at[1] : at[0];
            uint32_t second = body->cells[2] == 1 ? at[1] : at[2];
            body->color[p] = (first + 2 * second) % 5;
        } else {
            body->color[p] = (at[0] + 2 * at[1] + 5 * at[2]) % 8;
        }
    }
}

static bool is_proper(const slv_body *body) {
    for (uint32_t s = 0; s < body->spring_count; s++) {
        if (body->color[body->springs[s].a] == body->color[body->springs[s].b]) {
            return false;
        }
    }
    return true;
}

// first[p] … first[p + 1] - 1 of others are the neighbors of particle p.
static bool list_neighbors(const slv_body *body, slv_memory *scratch, size_t **first,
                           uint32_t **others) {
    *first = slv_memory_take(scratch, (size_t)body->count + 2, sizeof **first);
    *others = slv_memory_take(scratch, 2 * (size_t)body->spring_count, sizeof **others);
    if (!*first || !*others) {
        return false;
    }
    size_t *next = *first + 1; // next[p] becomes first[p + 1] while lists fill
    for (uint32_t s = 0; s < body->spring_count; s++) {
        (*first)[body->springs[s].a + 2]++;
        (*first)[body->springs[s].b + 2]++;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        (*first)[p + 2] += (*first)[p + 1];
    }
    for (uint32_t s = 0; s < body->spring_count; s++) {
        const slv_spring *spring = &body->springs[s];
        (*others)[next[spring->a]++] = spring->b;
        (*others)[next[spring->b]++] = spring->a;
    }
    return true;
}

static bool first_fit(slv_body *body, slv_memory *scratch) {
    size_t *first = NULL;
    uint32_t *others = NULL;
    uint32_t *seen = slv_memory_take(scratch, (size_t)body->count + 1, sizeof *seen);
    if (!seen || !list_neighbors(body, scratch, &first, &others)) {
        return false;
    }
    memset(body->color, 0xFF, body->count * sizeof *body->color);
    for (uint32_t w = 0; w < body->count; w++) {
        uint32_t p = body->storage_order[w];
        for (size_t n = first[p]; n < first[p + 1]; n++) {
            uint32_t taken = body->color[others[n]];
            if (taken != UINT32_MAX) {
                seen[taken] = w + 1;
            }
        }
        uint32_t color = 0;
        while (seen[color] == w + 1) {
            color++;
        }
        body->color[p] = color;
    }
    return true;
}

bool slv_color_particles(slv_body *body, const slv_garment *garment, slv_memory *scratch) {
    body->color = slv_memory_take(&body->memory, body->count, sizeof *body->color);
    if (!body->color) {
        return false;
    }
    if (body->cell) {
        color_grid(body);
    } else {
        for (uint32_t w = 0; w < body->count; w++) {
            body->color[body->storage_order[w]] = slv_garment_get_particle_color(garment, w);
        }
    }
    if (!is_proper(body) && !first_fit(body, scratch)) {
        return false;
    }
    body->color_count = 0;
    for (uint32_t p = 0; p < body->count; p++) {
        if (body->color[p] == SLV_UNCOLORED) { // no springs at all, or they would not be proper
            body->color[p] = 0;
        }
        body->color_count =
            body->color[p] >= body->color_count ? body->color[p] + 1 : body->color_count;
    }
    return true;
}
