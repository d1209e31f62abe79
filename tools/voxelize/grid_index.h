// SPDX-License-Identifier: MIT
// Particle numbers of the samples of a lattice. Particles are stored red ((i + j + k) even) before
// black, each color in own order (x fastest, then y, then z). A number is found by population
// counts (rank), so the index costs 8 bytes per row instead of 4 per sample.
#ifndef SLV_VOXELIZE_GRID_INDEX_H
#define SLV_VOXELIZE_GRID_INDEX_H

#include "formats/result.h"
#include "tools/voxelize/lattice.h"

typedef struct slv_grid_index {
    slv_lattice lattice;
    const uint64_t *bits; // one per sample, x fastest, rows padded with zeros to words; not owned
    size_t row_words;
    uint32_t *row_first; // [rows][2]: number of red and black particles before the row
    uint32_t color_count[2];
} slv_grid_index;

// SLV_ERROR_ARGUMENT where there are 2^31 particles or more.
slv_result slv_grid_index_create(const slv_lattice *lattice, const uint64_t *bits,
                                 slv_grid_index *index, slv_error *error);
void slv_grid_index_free(slv_grid_index *index);

static inline uint32_t slv_grid_index_count(const slv_grid_index *index) {
    return index->color_count[0] + index->color_count[1];
}

// Bits of row (j, k), which lies within the lattice.
static inline const uint64_t *slv_grid_index_row(const slv_grid_index *index, uint32_t j,
                                                 uint32_t k) {
    return index->bits + ((size_t)k * index->lattice.cells[1] + j) * index->row_words;
}

// Stored number of the particle at a sample; SLV_NO_NEIGHBOR where there is none or the sample is
// outside.
int32_t slv_grid_index_find(const slv_grid_index *index, int64_t i, int64_t j, int64_t k);

// Mask of the red columns of row (j, k).
static inline uint64_t slv_red_columns(uint32_t j, uint32_t k) {
    return ((j + k) & 1u) == 0 ? 0x5555555555555555u : 0xAAAAAAAAAAAAAAAAu;
}

static inline uint32_t slv_count_bits(uint64_t word) {
    return (uint32_t)__builtin_popcountll(word);
}

#endif
