// SPDX-License-Identifier: MIT
// Graph coloring of a conflict graph: greedy, then reduced by Kempe chains, then balanced.
// Deterministic, in time linear in the graph.
#ifndef SLV_COLORIZE_COLORING_H
#define SLV_COLORIZE_COLORING_H

#include "tools/colorize/smallest_last.h"

typedef struct slv_coloring {
    uint32_t element_count;
    uint32_t color_count;
    uint32_t *color; // [element_count], below color_count
} slv_coloring;

// Greedy coloring in the order of sequence: each element gets the smallest free color. False where
// memory is short.
bool slv_color_greedily(const slv_conflicts *conflicts, const uint32_t *sequence,
                        slv_coloring *coloring);
void slv_coloring_destroy(slv_coloring *coloring);

// Removes colors, the last first, until `enough` are left or the budget is spent. Each element of
// the last color gets another one, if needed by exchanging two colors along a Kempe chain (Kempe
// 1879). False where memory is short.
bool slv_coloring_reduce(const slv_conflicts *conflicts, uint32_t enough, slv_coloring *coloring);

// Moves elements from large color classes to permitted smaller ones. False where memory is short.
bool slv_coloring_balance(const slv_conflicts *conflicts, slv_coloring *coloring);

// *proper: no two elements of a hyperedge have the same color and all colors are below the count.
// False where memory is short.
bool slv_coloring_check(const slv_conflicts *conflicts, const slv_coloring *coloring, bool *proper);

// Greedy coloring along an ordering, reduction to `enough` colors if possible, and balancing.
bool slv_coloring_create(const slv_conflicts *conflicts, const slv_ordering *ordering,
                         uint32_t enough, slv_coloring *coloring);

#endif
