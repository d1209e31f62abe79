// SPDX-License-Identifier: MIT
#include "tools/voxelize/grid_index.h"

#include "kernels/types.h"

#include <stdlib.h>

slv_result slv_grid_index_create(const slv_lattice *lattice, const uint64_t *bits,
                                 slv_grid_index *index, slv_error *error) {
    const size_t rows = (size_t)lattice->cells[1] * lattice->cells[2];
    *index = (slv_grid_index){
        .lattice = *lattice, .bits = bits, .row_words = ((size_t)lattice->cells[0] + 63) / 64};
    index->row_first = malloc(rows * 2 * sizeof *index->row_first);
    if (index->row_first == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for an index of %zu rows", rows);
    }
    uint64_t before[2] = {0, 0};
    size_t row = 0;
    for (uint32_t k = 0; k < lattice->cells[2]; k++) {
        for (uint32_t j = 0; j < lattice->cells[1]; j++, row++) {
            const uint64_t *words = slv_grid_index_row(index, j, k);
            const uint64_t red = slv_red_columns(j, k);
            index->row_first[2 * row] = (uint32_t)before[0];
            index->row_first[2 * row + 1] = (uint32_t)before[1];
            for (size_t w = 0; w < index->row_words; w++) {
                before[0] += slv_count_bits(words[w] & red);
                before[1] += slv_count_bits(words[w] & ~red);
            }
        }
    }
    const uint64_t total = before[0] + before[1];
    if (total > INT32_MAX) {
        slv_grid_index_free(index);
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "%llu particles are more than a pack can hold (2147483647); choose a wider "
                        "spacing",
                        (unsigned long long)total);
    }
    index->color_count[0] = (uint32_t)before[0];
    index->color_count[1] = (uint32_t)before[1];
    return SLV_OK;
}

void slv_grid_index_free(slv_grid_index *index) {
    free(index->row_first);
    *index = (slv_grid_index){0};
}

static bool is_below(int64_t number, uint32_t count) {
    return number >= 0 && number < (int64_t)count;
}

int32_t slv_grid_index_find(const slv_grid_index *index, int64_t i, int64_t j, int64_t k) {
    const uint32_t *cells = index->lattice.cells;
    if (!is_below(i, cells[0]) || !is_below(j, cells[1]) || !is_below(k, cells[2])) {
        return SLV_NO_NEIGHBOR;
    }
    const uint64_t *words = slv_grid_index_row(index, (uint32_t)j, (uint32_t)k);
    const size_t last = (size_t)i / 64;
    const uint64_t bit = (uint64_t)1 << (i % 64);
    if ((words[last] & bit) == 0) {
        return SLV_NO_NEIGHBOR;
    }
    const size_t color = (size_t)(i + j + k) & 1;
    const uint64_t red = slv_red_columns((uint32_t)j, (uint32_t)k);
    const uint64_t same = color == 0 ? red : ~red;
    const size_t row = (size_t)k * cells[1] + (size_t)j;
    uint32_t number = index->row_first[2 * row + color];
    for (size_t w = 0; w < last; w++) {
        number += slv_count_bits(words[w] & same);
    }
    number += slv_count_bits(words[last] & same & (bit - 1));
    return (int32_t)(color == 0 ? number : index->color_count[0] + number);
}
