// SPDX-License-Identifier: MIT
#include "tools/voxelize/crossings.h"

#include "tools/voxelize/raster_triangle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void slv_crossings_free(slv_crossings *crossings) {
    free(crossings->items);
    free(crossings->sorted);
    free(crossings->row_ends);
    *crossings = (slv_crossings){0};
}

void slv_crossings_add(slv_crossings *crossings, const slv_slab *slab, size_t row, int64_t first,
                       int32_t change) {
    if (first >= slab->cells[0]) {
        return;
    }
    if (crossings->count == crossings->capacity) {
        const size_t capacity = crossings->capacity > 0 ? 2 * crossings->capacity : 4096;
        slv_crossing *items = realloc(crossings->items, capacity * sizeof *items);
        if (items == NULL) {
            crossings->failed = true;
            return;
        }
        crossings->items = items;
        crossings->capacity = capacity;
    }
    crossings->items[crossings->count++] =
        (slv_crossing){(uint32_t)row, first < 0 ? 0 : (uint32_t)first, change};
}

typedef struct crossing_context {
    slv_crossings *crossings;
    const slv_slab *slab;
    int32_t change;
} crossing_context;

static void add_crossing(void *context, const slv_raster_triangle *face, int64_t j, int64_t k,
                         slv_plane_height height) {
    (void)face;
    const crossing_context *c = context;
    slv_crossings_add(c->crossings, c->slab, slv_slab_row(c->slab, (uint32_t)j, (uint32_t)k),
                      height.floor + 1, c->change);
}

static void query_slab(slv_bvh_query *query, const slv_slab *slab, const slv_bvh *bvh,
                       float first_x) {
    const float lo[3] = {first_x, 0.0f, (float)slab->first_layer};
    const float hi[3] = {(float)slab->cells[0], (float)slab->cells[1],
                         (float)slab->first_layer + (float)slab->layers};
    slv_bvh_query_begin(query, bvh, lo, hi);
}

void slv_crossings_add_surface(slv_crossings *crossings, const slv_slab *slab,
                               const slv_snapped *snapped, const slv_bvh *bvh,
                               const int8_t *weights) {
    slv_bvh_query query;
    uint32_t triangle;
    query_slab(&query, slab, bvh, -INFINITY);
    while (slv_bvh_query_next(&query, &triangle)) {
        if (weights[triangle] == 0) {
            continue;
        }
        const slv_raster_triangle face = slv_raster_triangle_make(snapped, triangle);
        if (face.normal[0] != 0) {
            // The ray enters where the normal points against it.
            const int32_t change = face.normal[0] < 0 ? weights[triangle] : -weights[triangle];
            crossing_context context = {crossings, slab, change};
            slv_raster_triangle_columns(&face, 0, slab, false, add_crossing, &context);
        }
    }
}

typedef struct surface_context {
    const slv_slab *slab;
    int axis;
    uint64_t *bits;
} surface_context;

static void add_sample(void *context, const slv_raster_triangle *face, int64_t u, int64_t v,
                       slv_plane_height height) {
    (void)face;
    const surface_context *c = context;
    const int64_t first = c->axis == 2 ? c->slab->first_layer : 0;
    const int64_t count = c->axis == 2 ? c->slab->layers : c->slab->cells[c->axis];
    if (!height.exact || height.floor < first || height.floor >= first + count) {
        return;
    }
    uint32_t sample[3];
    sample[c->axis] = (uint32_t)height.floor;
    sample[(c->axis + 1) % 3] = (uint32_t)u;
    sample[(c->axis + 2) % 3] = (uint32_t)v;
    slv_slab_set(c->slab, c->bits, sample[0], sample[1], sample[2]);
}

void slv_surface_bits(const slv_slab *slab, const slv_snapped *snapped, const slv_bvh *bvh,
                      uint64_t *bits) {
    slv_bvh_query query;
    uint32_t triangle;
    query_slab(&query, slab, bvh, 0.0f);
    while (slv_bvh_query_next(&query, &triangle)) {
        const slv_raster_triangle face = slv_raster_triangle_make(snapped, triangle);
        surface_context context = {.slab = slab, .axis = slv_raster_triangle_dominant_axis(&face)};
        context.bits = bits;
        if (face.normal[context.axis] != 0) {
            slv_raster_triangle_columns(&face, context.axis, slab, true, add_sample, &context);
        }
    }
}

static bool reserve(slv_crossings *c, size_t rows) {
    if (c->row_capacity < rows + 1) {
        free(c->row_ends);
        c->row_ends = malloc((rows + 1) * sizeof *c->row_ends);
        c->row_capacity = c->row_ends != NULL ? rows + 1 : 0;
    }
    if (c->sorted_capacity < c->capacity) {
        free(c->sorted);
        c->sorted = malloc(c->capacity * sizeof *c->sorted);
        c->sorted_capacity = c->sorted != NULL ? c->capacity : 0;
    }
    return c->row_ends != NULL && (c->sorted != NULL || c->count == 0);
}

// Counting sort by row; row_ends[r] is the end of row r.
static void sort_by_row(slv_crossings *c, size_t rows) {
    memset(c->row_ends, 0, (rows + 1) * sizeof *c->row_ends);
    for (size_t i = 0; i < c->count; i++) {
        c->row_ends[c->items[i].row + 1]++;
    }
    for (size_t row = 0; row < rows; row++) {
        c->row_ends[row + 1] += c->row_ends[row];
    }
    for (size_t i = 0; i < c->count; i++) {
        c->sorted[c->row_ends[c->items[i].row]++] = c->items[i];
    }
}

static int by_first(const void *a, const void *b) {
    const uint32_t x = ((const slv_crossing *)a)->first;
    const uint32_t y = ((const slv_crossing *)b)->first;
    return (x > y) - (x < y);
}

// Items of equal `first` may be in any order: only their sum is used.
static void sort_row(slv_crossing *items, size_t count) {
    if (count > 64) {
        qsort(items, count, sizeof *items, by_first);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const slv_crossing moved = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].first > moved.first; at--) {
            items[at] = items[at - 1];
        }
        items[at] = moved;
    }
}

static void set_run(uint64_t *row, uint32_t first, uint32_t end) {
    for (uint32_t word = first / 64; word * 64 < end; word++) {
        uint64_t mask = UINT64_MAX;
        if (word == first / 64) {
            mask <<= first % 64;
        }
        if (end - word * 64 < 64) {
            mask &= (UINT64_C(1) << (end - word * 64)) - 1;
        }
        row[word] |= mask;
    }
}

static void fill_row(const slv_crossing *items, size_t count, uint32_t end, slv_fill_rule rule,
                     uint64_t *row) {
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += items[i].change;
        const bool inside = rule == SLV_FILL_ODD ? (sum & 1) != 0 : sum != 0;
        if (inside) {
            set_run(row, items[i].first, i + 1 < count ? items[i + 1].first : end);
        }
    }
}

slv_result slv_crossings_fill(slv_crossings *c, const slv_slab *slab, slv_fill_rule rule,
                              uint64_t *bits, slv_error *error) {
    const size_t rows = slv_slab_rows(slab);
    const size_t words = slv_slab_row_words(slab);
    if (c->failed || !reserve(c, rows)) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %zu crossings", c->count);
    }
    memset(bits, 0, rows * words * sizeof *bits);
    sort_by_row(c, rows);
    size_t start = 0;
    for (size_t row = 0; row < rows; row++) {
        const size_t count = c->row_ends[row] - start;
        if (count > 0) { // without crossings the array may be NULL
            sort_row(c->sorted + start, count);
            fill_row(c->sorted + start, count, slab->cells[0], rule, bits + row * words);
            start += count;
        }
    }
    c->count = 0;
    return SLV_OK;
}
