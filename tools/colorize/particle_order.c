// SPDX-License-Identifier: MIT
#include "tools/colorize/particle_order.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 10, CELLS = 1 << BITS };

// Inserts two zero bits after each of the low ten bits.
static uint32_t spread(uint32_t bits) {
    bits = (bits | bits << 16) & 0x030000FFu;
    bits = (bits | bits << 8) & 0x0300F00Fu;
    bits = (bits | bits << 4) & 0x030C30C3u;
    return (bits | bits << 2) & 0x09249249u;
}

static uint32_t cell_of(float value, float low, float high) {
    const double extent = (double)high - (double)low;
    const double share = extent > 0 ? ((double)value - (double)low) / extent : 0;
    const uint32_t cell = (uint32_t)(share * CELLS);
    return cell < CELLS ? cell : CELLS - 1;
}

static uint32_t morton_code(const slv_garment *garment, uint32_t stored) {
    const slv_garment_info *info = &garment->info;
    return spread(cell_of(garment->x[stored], info->bounds_min[0], info->bounds_max[0])) |
           spread(cell_of(garment->y[stored], info->bounds_min[1], info->bounds_max[1])) << 1 |
           spread(cell_of(garment->z[stored], info->bounds_min[2], info->bounds_max[2])) << 2;
}

// Stable radix sort of 0 … count - 1 by their keys, ten bits at a time.
static bool sort_by_key(const uint32_t *keys, uint32_t count, uint32_t *order) {
    uint32_t *scratch = calloc((size_t)count + 1, sizeof *scratch);
    uint32_t *next = calloc(CELLS + 1, sizeof *next);
    const bool done = scratch && next;
    for (uint32_t shift = 0; done && shift < 3 * BITS; shift += BITS) {
        memset(next, 0, (CELLS + 1) * sizeof *next);
        for (uint32_t i = 0; i < count; i++) {
            next[(keys[i] >> shift) % CELLS + 1]++;
        }
        for (uint32_t c = 0; c < CELLS; c++) {
            next[c + 1] += next[c];
        }
        for (uint32_t i = 0; i < count; i++) {
            scratch[next[(keys[order[i]] >> shift) % CELLS]++] = order[i];
        }
        memcpy(order, scratch, count * sizeof *order);
    }
    free(scratch);
    free(next);
    return done;
}

// Own numbers in spatial order, regardless of colors.
static bool sort_in_space(const slv_garment *garment, uint32_t *sorted) {
    const uint32_t n = garment->info.particle_count;
    for (uint32_t own = 0; own < n; own++) {
        sorted[own] = own;
    }
    if (garment->grid) {
        return true;
    }
    uint32_t *keys = calloc((size_t)n + 1, sizeof *keys);
    for (uint32_t own = 0; keys && own < n; own++) {
        keys[own] = morton_code(garment, garment->stored_of_own[own]);
    }
    const bool done = keys && sort_by_key(keys, n, sorted);
    free(keys);
    return done;
}

static uint32_t color_of(const slv_garment *garment, const slv_coloring *coloring, uint32_t own) {
    if (coloring) {
        return coloring->color[own];
    }
    const uint32_t color = slv_garment_get_particle_color(garment, garment->stored_of_own[own]);
    return color == SLV_UNCOLORED ? 0 : color;
}

// Assigns stored numbers color by color, each in the order of `sorted`.
static void number_by_color(const slv_garment *garment, const slv_coloring *coloring,
                            const uint32_t *sorted, slv_particle_order *order) {
    const uint32_t n = garment->info.particle_count;
    for (uint32_t own = 0; own < n; own++) {
        order->colors[color_of(garment, coloring, own)].count++;
    }
    for (uint32_t c = 0; c < order->color_count; c++) {
        order->colors[c].color = c;
        order->colors[c].first =
            c == 0 ? 0 : order->colors[c - 1].first + order->colors[c - 1].count;
    }
    for (uint32_t c = 0; c < order->color_count; c++) {
        order->colors[c].count = 0; // recounted during placement
    }
    for (uint32_t i = 0; i < n; i++) {
        slv_color_range *range = &order->colors[color_of(garment, coloring, sorted[i])];
        const uint32_t stored = range->first + range->count++;
        order->own_of_stored[stored] = sorted[i];
        order->stored_of_own[sorted[i]] = stored;
    }
    if (!coloring && garment->color_count == 1) {
        order->colors[0].color = garment->colors[0].color; // may be SLV_UNCOLORED
    }
}

bool slv_particle_order_create(const slv_garment *garment, const slv_coloring *coloring,
                               slv_particle_order *order) {
    const size_t n = garment->info.particle_count;
    *order = (slv_particle_order){.color_count =
                                      coloring ? coloring->color_count : garment->color_count};
    order->own_of_stored = calloc(n + 1, sizeof *order->own_of_stored);
    order->stored_of_own = calloc(n + 1, sizeof *order->stored_of_own);
    order->colors = calloc((size_t)order->color_count + 1, sizeof *order->colors);
    uint32_t *sorted = calloc(n + 1, sizeof *sorted);
    const bool done = order->own_of_stored && order->stored_of_own && order->colors && sorted &&
                      sort_in_space(garment, sorted);
    if (done) {
        number_by_color(garment, coloring, sorted, order);
    } else {
        slv_particle_order_destroy(order);
    }
    free(sorted);
    return done;
}

void slv_particle_order_destroy(slv_particle_order *order) {
    free(order->own_of_stored);
    free(order->stored_of_own);
    free(order->colors);
    *order = (slv_particle_order){0};
}
