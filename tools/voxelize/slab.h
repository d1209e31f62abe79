// SPDX-License-Identifier: MIT
// A range of z layers of a lattice, the unit of parallel work, and bits for its samples.
#ifndef SLV_VOXELIZE_SLAB_H
#define SLV_VOXELIZE_SLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slv_slab {
    uint32_t cells[3]; // of the whole lattice
    uint32_t first_layer, layers;
} slv_slab;

// A row is the samples of one (y, z), numbered from the first of the slab. Its bits fill whole
// words.
static inline size_t slv_slab_rows(const slv_slab *slab) {
    return (size_t)slab->layers * slab->cells[1];
}

static inline size_t slv_slab_row_words(const slv_slab *slab) {
    return ((size_t)slab->cells[0] + 63) / 64;
}

static inline size_t slv_slab_words(const slv_slab *slab) {
    return slv_slab_rows(slab) * slv_slab_row_words(slab);
}

// Row of sample (·, j, k), k counted from the lattice's first layer.
static inline size_t slv_slab_row(const slv_slab *slab, uint32_t j, uint32_t k) {
    return (size_t)(k - slab->first_layer) * slab->cells[1] + j;
}

static inline void slv_slab_set(const slv_slab *slab, uint64_t *bits, uint32_t i, uint32_t j,
                                uint32_t k) {
    const size_t row = slv_slab_row(slab, j, k);
    bits[row * slv_slab_row_words(slab) + i / 64] |= UINT64_C(1) << (i % 64);
}

static inline bool slv_slab_get(const slv_slab *slab, const uint64_t *bits, uint32_t i, uint32_t j,
                                uint32_t k) {
    const size_t row = slv_slab_row(slab, j, k);
    return (bits[row * slv_slab_row_words(slab) + i / 64] >> (i % 64) & 1) != 0;
}

#endif
