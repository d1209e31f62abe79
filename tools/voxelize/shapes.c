// SPDX-License-Identifier: MIT
#include "tools/voxelize/shapes.h"

#include <stdlib.h>
#include <string.h>

// --- Reading the name ---------------------------------------------------------------------------

// Reads an integer of 1 … 2^31 - 1 and advances *text; 0 where there is none.
static uint32_t read_number(const char **text) {
    uint64_t number = 0;
    const char *end = *text;
    for (; *end >= '0' && *end <= '9' && number <= INT32_MAX; end++) {
        number = 10 * number + (uint64_t)(*end - '0');
    }
    *text = end;
    return number <= INT32_MAX ? (uint32_t)number : 0;
}

// Reads `count` numbers, each except the last followed by its separator. False where the text is
// anything else.
static bool read_numbers(const char *text, const char *separators, size_t count,
                         uint32_t *numbers) {
    for (size_t n = 0; n < count; n++) {
        numbers[n] = read_number(&text);
        const char expected = n + 1 < count ? separators[n] : '\0';
        if (numbers[n] == 0 || *text != expected) {
            return false;
        }
        text += expected != '\0';
    }
    return true;
}

static const char *after_prefix(const char *text, const char *prefix) {
    const size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static bool read_shape(const char *text, slv_shape *shape) {
    uint32_t n[3];
    const char *rest = NULL;
    *shape = (slv_shape){0};
    if ((rest = after_prefix(text, "grid:")) != NULL && read_numbers(rest, "x", 2, n)) {
        *shape = (slv_shape){.kind = SLV_SHAPE_GRID, .cells = {n[0], 1, n[1]}};
    } else if ((rest = after_prefix(text, "rope:")) != NULL && read_numbers(rest, "", 1, n)) {
        *shape = (slv_shape){.kind = SLV_SHAPE_ROPE, .cells = {n[0], 1, 1}};
    } else if ((rest = after_prefix(text, "box:")) != NULL && read_numbers(rest, "xx", 3, n)) {
        *shape = (slv_shape){.kind = SLV_SHAPE_BOX, .cells = {n[0], n[1], n[2]}};
    } else if ((rest = after_prefix(text, "poncho:")) != NULL && read_numbers(rest, "x:", 3, n)) {
        *shape = (slv_shape){.kind = SLV_SHAPE_PONCHO, .cells = {n[0], 1, n[1]}, .hole = n[2]};
    } else {
        return false;
    }
    return true;
}

slv_result slv_shape_parse(const char *text, slv_shape *shape, slv_error *error) {
    if (!read_shape(text, shape)) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "'%s' is none of grid:NXxNY, rope:N, box:NXxNYxNZ, poncho:NXxNY:HOLE with "
                        "whole numbers of 1 or more, as in grid:100x100",
                        text);
    }
    const double particles =
        (double)shape->cells[0] * (double)shape->cells[1] * (double)shape->cells[2];
    if (!(particles <= INT32_MAX)) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "'%s' has %.0f particles, more than a pack can hold (2147483647)", text,
                        particles);
    }
    if (shape->kind == SLV_SHAPE_PONCHO) {
        const uint32_t side = shape->cells[0] < shape->cells[2] ? shape->cells[0] : shape->cells[2];
        if (side < 3 || shape->hole > side - 2) {
            return slv_fail(error, SLV_ERROR_ARGUMENT,
                            "the hole of '%s' leaves no rim: HOLE may be at most the shorter side "
                            "less two",
                            text);
        }
        shape->hole_min[0] = (shape->cells[0] - shape->hole) / 2;
        shape->hole_min[2] = (shape->cells[2] - shape->hole) / 2;
    }
    return SLV_OK;
}

// --- Samples ------------------------------------------------------------------------------------

static void set_run(uint64_t *row, uint32_t first, uint32_t count, bool value) {
    for (uint32_t i = first; i < first + count; i++) {
        const uint64_t bit = (uint64_t)1 << (i % 64);
        row[i / 64] = value ? row[i / 64] | bit : row[i / 64] & ~bit;
    }
}

slv_result slv_shape_sample(const slv_shape *shape, double spacing, slv_lattice *lattice,
                            uint64_t **bits, slv_error *error) {
    *lattice = (slv_lattice){.spacing = spacing};
    memcpy(lattice->cells, shape->cells, sizeof lattice->cells);
    const size_t row_words = ((size_t)shape->cells[0] + 63) / 64;
    const size_t rows = (size_t)shape->cells[1] * shape->cells[2];
    *bits = calloc(rows * row_words, sizeof **bits);
    if (*bits == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %zu rows of samples", rows);
    }
    for (size_t row = 0; row < rows; row++) {
        set_run(*bits + row * row_words, 0, shape->cells[0], true);
    }
    for (uint32_t n = 0; n < shape->hole; n++) { // the shape is flat: one row per z
        set_run(*bits + (shape->hole_min[2] + n) * row_words, shape->hole_min[0], shape->hole,
                false);
    }
    return SLV_OK;
}

// --- Sets ---------------------------------------------------------------------------------------

static slv_result add_region_set(slv_set_list *list, const slv_grid_index *index, const char *name,
                                 const uint32_t min[3], const uint32_t max[3], slv_error *error) {
    slv_result result = slv_set_begin(list, name, error);
    if (result == SLV_OK) {
        result = slv_set_add_region(list, index, min, max, error);
    }
    if (result == SLV_OK) {
        slv_set_end(list);
    }
    return result;
}

// One set of single samples.
static slv_result add_sample_set(slv_set_list *list, const slv_grid_index *index, const char *name,
                                 const uint32_t (*samples)[3], size_t count, slv_error *error) {
    slv_result result = slv_set_begin(list, name, error);
    for (size_t n = 0; result == SLV_OK && n < count; n++) {
        result = slv_set_add_region(list, index, samples[n], samples[n], error);
    }
    if (result == SLV_OK) {
        slv_set_end(list);
    }
    return result;
}

static slv_result add_flat_sets(slv_set_list *list, const slv_shape *shape,
                                const slv_grid_index *index, slv_error *error) {
    const uint32_t x = shape->cells[0] - 1;
    const uint32_t z = shape->cells[2] - 1;
    const uint32_t corners[4][3] = {{0, 0, 0}, {x, 0, 0}, {0, 0, z}, {x, 0, z}};
    slv_result result = add_sample_set(list, index, "corners", corners, 4, error);
    const struct {
        const char *name;
        size_t from, to; // corners
    } edges[4] = {
        {"edge-x-min", 0, 2}, {"edge-x-max", 1, 3}, {"edge-z-min", 0, 1}, {"edge-z-max", 2, 3}};
    for (size_t e = 0; result == SLV_OK && e < 4; e++) {
        result = add_region_set(list, index, edges[e].name, corners[edges[e].from],
                                corners[edges[e].to], error);
    }
    if (result == SLV_OK && shape->kind == SLV_SHAPE_PONCHO) {
        // The hole has no particles, so this box around it contains only its rim.
        const uint32_t min[3] = {shape->hole_min[0] - 1, 0, shape->hole_min[2] - 1};
        const uint32_t max[3] = {shape->hole_min[0] + shape->hole, 0,
                                 shape->hole_min[2] + shape->hole};
        result = add_region_set(list, index, "hole", min, max, error);
    }
    return result;
}

static slv_result add_rope_sets(slv_set_list *list, const slv_shape *shape,
                                const slv_grid_index *index, slv_error *error) {
    const uint32_t ends[2][3] = {{0, 0, 0}, {shape->cells[0] - 1, 0, 0}};
    slv_result result = add_sample_set(list, index, "start", &ends[0], 1, error);
    if (result == SLV_OK) {
        result = add_sample_set(list, index, "end", &ends[1], 1, error);
    }
    if (result == SLV_OK) {
        result = add_sample_set(list, index, "ends", ends, 2, error);
    }
    return result;
}

slv_result slv_add_shape_sets(slv_set_list *list, const slv_shape *shape,
                              const slv_grid_index *index, slv_error *error) {
    switch (shape->kind) {
    case SLV_SHAPE_GRID:
    case SLV_SHAPE_PONCHO:
        return add_flat_sets(list, shape, index, error);
    case SLV_SHAPE_ROPE:
        return add_rope_sets(list, shape, index, error);
    case SLV_SHAPE_BOX:
        break;
    }
    return slv_add_side_sets(list, index, error);
}
