// SPDX-License-Identifier: MIT
#include "runtime/layout/factor_layout.h"

#include "kernels/factor.h"
#include "runtime/model/factor.h"

#include <limits.h>

void slv_factor_layout_reserve(slv_body_layout *body_layout, const slv_body *body,
                               slv_layout_cursor *cursor) {
    const size_t n = body->count;
    const slv_factor_shape *shape = &body->factor_shape;
    if (body->factor.block_count == 0) {
        return;
    }
    cursor->too_large = cursor->too_large || shape->number_count > INT_MAX;
    body_layout->factor_level_count = (int)shape->level_count;
    body_layout->factor_rows = slv_reserve_table(cursor, n);
    body_layout->factor_levels = slv_reserve_table(cursor, (size_t)shape->level_count + 1);
    for (int pass = 0; pass < SLV_FACTOR_PASSES; pass++) {
        body_layout->factor_ends[pass] = slv_reserve_table(cursor, n + 1);
    }
    body_layout->factor_columns = slv_reserve_table(cursor, shape->number_count);
    body_layout->factor_numbers = slv_reserve_state(cursor, shape->number_count);
}

// --- Filling ----------------------------------------------------------------------------------------

typedef struct filler {
    const slv_body_layout *body_layout;
    const slv_factor *factor;
    uint32_t n;
    const uint32_t *slots; // by own number
    float *state;
    int *table;
    uint32_t *next;  // [SLV_FACTOR_PASSES][n]: where the next number of a column's row goes
    double *inverse; // [columns][columns] of the unit triangle of a block
} filler;

static int offset_of(const filler *f, uint32_t column) {
    return (int)f->slots[f->factor->particle[column]] * SLV_PARTICLE_FLOATS;
}

static void put(filler *f, int pass, uint32_t row, uint32_t column, double number) {
    const uint32_t at = f->next[(size_t)pass * f->n + row]++;
    f->table[(uint32_t)f->body_layout->factor_columns + at] = offset_of(f, column);
    f->state[(uint32_t)f->body_layout->factor_numbers + at] = (float)number;
}

// Of L's unit lower triangle of a block, row by row.
static void invert(const slv_factor_block *now, double *inverse) {
    const size_t c = now->columns;
    for (size_t i = 0; i < c; i++) {
        const float *row = now->own + i * (i - (i > 0)) / 2;
        for (size_t j = 0; j <= i; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (size_t k = j; k < i; k++) {
                sum -= (double)row[k] * inverse[k * c + j];
            }
            inverse[i * c + j] = sum;
        }
    }
}

static void fill_block(filler *f, const slv_factor_block *now) {
    const uint32_t c = now->columns;
    invert(now, f->inverse);
    for (uint32_t i = 0; i < c; i++) {
        const double pivot = (double)f->factor->pivot[now->first + i];
        for (uint32_t j = 0; j <= i; j++) {
            const double number = f->inverse[(size_t)i * c + j];
            put(f, SLV_FACTOR_SOLVE_UP, now->first + i, now->first + j, number / pivot);
            put(f, SLV_FACTOR_SOLVE_DOWN, now->first + j, now->first + i, number);
        }
    }
    for (uint32_t r = 0; r < now->rows; r++) {
        for (uint32_t i = 0; i < c; i++) {
            const double number = (double)now->below[(size_t)r * c + i];
            const double pivot = (double)f->factor->pivot[now->first + i];
            put(f, SLV_FACTOR_GATHER_UP, now->row[r], now->first + i, -number * pivot);
            put(f, SLV_FACTOR_GATHER_DOWN, now->first + i, now->row[r], -number);
        }
    }
}

// Rows of a level side by side, by column. Returns in `order` the column of each row.
static void sort_rows(filler *f, const uint32_t *level, uint32_t *order) {
    int *levels = f->table + f->body_layout->factor_levels;
    int count = 0;
    for (int l = 0; l < f->body_layout->factor_level_count; l++) {
        levels[l] = count;
        for (uint32_t c = 0; c < f->n; c++) {
            if (level[c] == (uint32_t)l) {
                f->table[f->body_layout->factor_rows + count] = offset_of(f, c);
                order[count++] = c;
            }
        }
    }
    levels[f->body_layout->factor_level_count] = count;
}

// Where the rows of each pass lie; the rest of a row is zeros of its own particle.
static void place_rows(filler *f, const uint32_t *order, const uint32_t *counts) {
    uint32_t end = 0;
    for (int pass = 0; pass < SLV_FACTOR_PASSES; pass++) {
        int *ends = f->table + f->body_layout->factor_ends[pass];
        for (uint32_t row = 0; row < f->n; row++) {
            const size_t at = (size_t)pass * f->n + order[row];
            ends[row] = (int)end;
            f->next[at] = end;
            for (size_t i = 0; i < slv_factor_pad(counts[at]); i++) {
                f->table[(uint32_t)f->body_layout->factor_columns + end++] =
                    offset_of(f, order[row]);
            }
        }
        ends[f->n] = (int)end;
    }
}

bool slv_factor_layout_fill(slv_layout *layout, uint32_t index, const slv_body *body,
                            slv_memory *scratch) {
    const size_t n = body->count;
    const size_t widest = body->factor_shape.widest;
    filler f = {&layout->bodies[index], &body->factor, body->count, layout->slots[index],
                layout->state,          layout->table, NULL,        NULL};
    if (body->factor.block_count == 0) {
        return true;
    }
    uint32_t *order = slv_memory_take(scratch, n, sizeof *order);
    f.next = slv_memory_take(scratch, SLV_FACTOR_PASSES * n, sizeof *f.next);
    f.inverse = slv_memory_take(scratch, widest * widest, sizeof *f.inverse);
    if (!order || !f.next || !f.inverse) {
        return false;
    }
    sort_rows(&f, body->factor_shape.level, order);
    place_rows(&f, order, body->factor_shape.counts);
    slv_factor_block now = {.first = 0};
    for (uint32_t b = 0; b < body->factor.block_count; b++) {
        now = slv_factor_get_next(&body->factor, b, &now);
        fill_block(&f, &now);
    }
    return true;
}
