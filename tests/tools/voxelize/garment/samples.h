// SPDX-License-Identifier: MIT
// Marked samples for tests: a lattice and bits to be set by the test.
#ifndef SLV_TESTS_SAMPLES_H
#define SLV_TESTS_SAMPLES_H

#include "tools/voxelize/grid_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct samples {
    slv_lattice lattice;
    uint64_t *bits;
    slv_grid_index index; // after samples_number
} samples;

static inline samples samples_make(uint32_t nx, uint32_t ny, uint32_t nz, double spacing) {
    samples made = {.lattice = {.cells = {nx, ny, nz}, .spacing = spacing}};
    made.bits = calloc((size_t)ny * nz * ((nx + 63) / 64), sizeof *made.bits);
    assert_non_null(made.bits);
    return made;
}

static inline uint64_t *samples_word(const samples *s, uint32_t i, uint32_t j, uint32_t k) {
    const size_t row_words = ((size_t)s->lattice.cells[0] + 63) / 64;
    return &s->bits[((size_t)k * s->lattice.cells[1] + j) * row_words + i / 64];
}

static inline void samples_mark(samples *s, uint32_t i, uint32_t j, uint32_t k) {
    *samples_word(s, i, j, k) |= (uint64_t)1 << (i % 64);
}

static inline bool samples_marked(const samples *s, int64_t i, int64_t j, int64_t k) {
    const uint32_t *cells = s->lattice.cells;
    if (i < 0 || j < 0 || k < 0 || i >= cells[0] || j >= cells[1] || k >= cells[2]) {
        return false;
    }
    return (*samples_word(s, (uint32_t)i, (uint32_t)j, (uint32_t)k) >> (i % 64) & 1) != 0;
}

// Reproducible pseudo-random numbers.
static inline uint32_t samples_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

// Marks each sample with the given probability, in percent.
static inline void samples_scatter(samples *s, uint32_t percent, uint64_t seed) {
    for (uint32_t k = 0; k < s->lattice.cells[2]; k++) {
        for (uint32_t j = 0; j < s->lattice.cells[1]; j++) {
            for (uint32_t i = 0; i < s->lattice.cells[0]; i++) {
                if (samples_random(&seed) % 100 < percent) {
                    samples_mark(s, i, j, k);
                }
            }
        }
    }
}

static inline void samples_number(samples *s) {
    slv_error error = {0};
    assert_int_equal(slv_grid_index_create(&s->lattice, s->bits, &s->index, &error), SLV_OK);
}

// All samples marked and numbered.
static inline samples samples_make_full(uint32_t nx, uint32_t ny, uint32_t nz, double spacing) {
    samples s = samples_make(nx, ny, nz, spacing);
    samples_scatter(&s, 100, 1);
    samples_number(&s);
    return s;
}

static inline void samples_free(samples *s) {
    slv_grid_index_free(&s->index);
    free(s->bits);
}

#endif
