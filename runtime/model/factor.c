// SPDX-License-Identifier: MIT
#include "runtime/model/factor.h"

#include "kernels/factor.h"

#include <math.h>
#include <string.h>

// Relative difference up to which masses and diagonals are the same; both are rounded to floats.
static const double same = 1e-5;

slv_factor_block slv_factor_get_next(const slv_factor *factor, uint32_t number,
                                     const slv_factor_block *before) {
    const uint32_t row = number > 0 ? factor->row_end[number - 1] : 0;
    slv_factor_block next = {.first = number > 0 ? factor->column_end[number - 1] : 0};
    next.columns = factor->column_end[number] - next.first;
    next.row = factor->row + row;
    next.rows = factor->row_end[number] - row;
    next.own = number > 0 ? before->below + (size_t)before->rows * before->columns : factor->value;
    next.below = next.own + (size_t)next.columns * (next.columns - 1) / 2;
    return next;
}

size_t slv_factor_pad(size_t count) {
    return (count + SLV_FACTOR_STRIDE - 1) / SLV_FACTOR_STRIDE * SLV_FACTOR_STRIDE;
}

// The level of each column: above those of all blocks that have it among their rows.
static void find_levels(const slv_factor *factor, slv_factor_shape *shape) {
    uint32_t *level = shape->level;
    slv_factor_block now = {.first = 0};
    for (uint32_t b = 0; b < factor->block_count; b++) {
        now = slv_factor_get_next(factor, b, &now);
        uint32_t own = 0;
        for (uint32_t c = now.first; c < now.first + now.columns; c++) {
            own = level[c] > own ? level[c] : own;
        }
        for (uint32_t c = now.first; c < now.first + now.columns; c++) {
            level[c] = own;
        }
        for (uint32_t r = 0; r < now.rows; r++) {
            level[now.row[r]] = level[now.row[r]] > own ? level[now.row[r]] : own + 1;
        }
        shape->level_count = own + 1 > shape->level_count ? own + 1 : shape->level_count;
        shape->widest = now.columns > shape->widest ? now.columns : shape->widest;
    }
}

static void count_numbers(const slv_factor *factor, size_t n, slv_factor_shape *shape) {
    uint32_t *counts = shape->counts;
    slv_factor_block now = {.first = 0};
    for (uint32_t b = 0; b < factor->block_count; b++) {
        now = slv_factor_get_next(factor, b, &now);
        for (uint32_t i = 0; i < now.columns; i++) {
            const size_t column = now.first + i;
            counts[SLV_FACTOR_SOLVE_UP * n + column] = i + 1;
            counts[SLV_FACTOR_GATHER_DOWN * n + column] = now.rows;
            counts[SLV_FACTOR_SOLVE_DOWN * n + column] = now.columns - i;
        }
        for (uint32_t r = 0; r < now.rows; r++) {
            counts[now.row[r]] += now.columns;
        }
    }
    for (size_t i = 0; i < SLV_FACTOR_PASSES * n; i++) {
        shape->number_count += slv_factor_pad(counts[i]);
    }
}

static const void *copy(slv_body *body, const void *from, size_t count, bool *done) {
    void *to = slv_memory_take(&body->memory, count, sizeof(float));
    *done = *done && to;
    return to ? memcpy(to, from, count * sizeof(float)) : NULL;
}

slv_result slv_body_add_factor(slv_body *body, const slv_garment *garment, slv_error *error) {
    const slv_factor *given = &garment->factor;
    const size_t n = body->count;
    bool done = true;
    if (given->block_count == 0) {
        return SLV_OK;
    }
    body->factor = *given;
    body->factor.particle = copy(body, given->particle, n, &done);
    body->factor.position = copy(body, given->position, n, &done);
    body->factor.mass = copy(body, given->mass, n, &done);
    body->factor.diagonal = copy(body, given->diagonal, n, &done);
    body->factor.pivot = copy(body, given->pivot, n, &done);
    body->factor.column_end = copy(body, given->column_end, given->block_count, &done);
    body->factor.row_end = copy(body, given->row_end, given->block_count, &done);
    body->factor.row = copy(body, given->row, given->row_count, &done);
    body->factor.value = copy(body, given->value, (size_t)given->value_count, &done);
    slv_factor_shape *shape = &body->factor_shape;
    shape->level = slv_memory_take(&body->memory, n, sizeof *shape->level);
    shape->counts = slv_memory_take(&body->memory, SLV_FACTOR_PASSES * n, sizeof *shape->counts);
    if (!done || !shape->level || !shape->counts) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the factor");
    }
    find_levels(&body->factor, shape);
    count_numbers(&body->factor, n, shape);
    return SLV_OK;
}

static bool is_same(double one, double other) {
    return fabs(one - other) <= same * fabs(other);
}

bool slv_factor_fits(const slv_body *body, double time_step) {
    const slv_factor *factor = &body->factor;
    bool fits = factor->block_count > 0;
    for (uint32_t i = 0; fits && i < body->count; i++) {
        const uint32_t p = factor->particle[i];
        const double mass = body->fixed[p] ? 0.0 : (double)slv_body_get_mass(body, p);
        const double stiffness = body->stiffness_sum[p] * body->stiffening;
        const double diagonal = mass + stiffness * time_step * (time_step + body->spring_damping);
        fits = is_same(mass, (double)factor->mass[i]) &&
               (mass == 0.0 || is_same(diagonal, (double)factor->diagonal[i]));
    }
    return fits;
}
