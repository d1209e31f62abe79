// SPDX-License-Identifier: MIT
#include "tools/colorize/dissection.h"

#include <stdlib.h>
#include <string.h>

// Pieces of so many particles are not cut: their blocks have hardly more entries whole.
enum { PIECE_MAX = 8 };

typedef struct item {
    double key;
    uint32_t particle;
} item;

typedef struct range {
    uint32_t first, end;
} range;

typedef struct cutter {
    const slv_garment *garment;
    const slv_factor_matrix *matrix;
    slv_dissection *out;
    item *items;   // [count] to sort
    uint8_t *side; // [count] by own number: 0 outside of the piece, 1 left, 2 right, 3 on the cut
    range *pieces; // [2 count] to be cut
    uint32_t piece_count;
    uint8_t *ends; // [count + 1] 1: a block ends here
} cutter;

static double coordinate(const slv_garment *garment, uint32_t own, int axis) {
    const uint32_t stored = garment->stored_of_own[own];
    const float *const axes[3] = {garment->x, garment->y, garment->z};
    return (double)axes[axis][stored];
}

static int find_longest_axis(const cutter *c, range piece) {
    double longest = -1.0;
    int found = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = coordinate(c->garment, c->out->particle[piece.first], axis);
        double high = low;
        for (uint32_t i = piece.first; i < piece.end; i++) {
            const double x = coordinate(c->garment, c->out->particle[i], axis);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high - low > longest * (1.0 + 1e-6)) {
            longest = high - low;
            found = axis;
        }
    }
    return found;
}

static int compare_items(const void *left, const void *right) {
    const item *a = left;
    const item *b = right;
    return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
                            : (a->particle > b->particle) - (a->particle < b->particle);
}

static bool has_neighbor(const cutter *c, uint32_t own, uint8_t side) {
    bool has = false;
    const slv_factor_matrix *matrix = c->matrix;
    for (uint64_t e = own > 0 ? matrix->entry_end[own - 1] : 0; e < matrix->entry_end[own]; e++) {
        has = has || c->side[matrix->column[e]] == side;
    }
    return has;
}

// Those of one side with a neighbor on the other.
static uint32_t count_border(const cutter *c, range piece, uint8_t side, uint8_t other) {
    uint32_t count = 0;
    for (uint32_t i = piece.first; i < piece.end; i++) {
        const uint32_t own = c->items[i].particle;
        count += c->side[own] == side && has_neighbor(c, own, other);
    }
    return count;
}

// Sides of a piece whose items are sorted: the smaller border becomes the cut.
static void choose_sides(cutter *c, range piece) {
    const uint32_t middle = piece.first + (piece.end - piece.first) / 2;
    for (uint32_t i = piece.first; i < piece.end; i++) {
        c->side[c->items[i].particle] = i < middle ? 1 : 2;
    }
    const uint8_t cut =
        count_border(c, piece, 1, 2) < count_border(c, piece, 2, 1) ? (uint8_t)1 : (uint8_t)2;
    const uint8_t other = (uint8_t)(3 - cut);
    for (uint32_t i = piece.first; i < piece.end; i++) {
        const uint32_t own = c->items[i].particle;
        if (c->side[own] == cut && has_neighbor(c, own, other)) {
            c->items[i].key = 3.0; // marks it; sides stay as they are until all are found
        } else {
            c->items[i].key = (double)c->side[own];
        }
    }
}

static void cut(cutter *c, range piece) {
    const int axis = find_longest_axis(c, piece);
    for (uint32_t i = piece.first; i < piece.end; i++) {
        const uint32_t own = c->out->particle[i];
        c->items[i] = (item){coordinate(c->garment, own, axis), own};
    }
    qsort(c->items + piece.first, piece.end - piece.first, sizeof *c->items, compare_items);
    choose_sides(c, piece);
    uint32_t at = piece.first;
    range parts[3];
    for (int side = 1; side <= 3; side++) {
        parts[side - 1].first = at;
        for (uint32_t i = piece.first; i < piece.end; i++) {
            if (c->items[i].key == (double)side) {
                c->out->particle[at++] = c->items[i].particle;
            }
        }
        parts[side - 1].end = at;
    }
    for (uint32_t i = piece.first; i < piece.end; i++) {
        c->side[c->out->particle[i]] = 0;
    }
    c->ends[piece.end] = 1;
    for (int side = 0; side < 2; side++) {
        if (parts[side].end > parts[side].first) {
            c->ends[parts[side].end] = 1;
            c->pieces[c->piece_count++] = parts[side];
        }
    }
}

static void cut_all(cutter *c, uint32_t count) {
    c->pieces[c->piece_count++] = (range){0, count};
    while (c->piece_count > 0) {
        const range piece = c->pieces[--c->piece_count];
        c->ends[piece.end] = 1;
        if (piece.end - piece.first > PIECE_MAX) {
            cut(c, piece);
        }
    }
    for (uint32_t i = 1; i <= count; i++) {
        if (c->ends[i]) {
            c->out->column_end[c->out->block_count++] = i;
        }
    }
}

bool slv_dissection_create(const slv_garment *garment, const slv_factor_matrix *matrix,
                           slv_dissection *dissection) {
    const size_t n = matrix->count;
    *dissection = (slv_dissection){.particle = calloc(n + 1, sizeof *dissection->particle),
                                   .position = calloc(n + 1, sizeof *dissection->position),
                                   .column_end = calloc(n + 1, sizeof *dissection->column_end)};
    cutter c = {.garment = garment,
                .matrix = matrix,
                .out = dissection,
                .items = calloc(n + 1, sizeof *c.items),
                .side = calloc(n + 1, sizeof *c.side),
                .pieces = calloc(2 * n + 2, sizeof *c.pieces),
                .ends = calloc(n + 2, sizeof *c.ends)};
    const bool done = dissection->particle && dissection->position && dissection->column_end &&
                      c.items && c.side && c.pieces && c.ends;
    for (uint32_t i = 0; done && i < matrix->count; i++) {
        dissection->particle[i] = i;
    }
    if (done && n > 0) {
        cut_all(&c, matrix->count);
    }
    for (uint32_t i = 0; done && i < matrix->count; i++) {
        dissection->position[dissection->particle[i]] = i;
    }
    free(c.items);
    free(c.side);
    free(c.pieces);
    free(c.ends);
    if (!done) {
        slv_dissection_destroy(dissection);
    }
    return done;
}

void slv_dissection_destroy(slv_dissection *dissection) {
    free(dissection->particle);
    free(dissection->position);
    free(dissection->column_end);
    *dissection = (slv_dissection){.particle = NULL};
}
