// SPDX-License-Identifier: MIT
// Colors for the elements of a conflict graph: found greedily, made fewer by exchanging two colors
// along chains, evened out. All of it is deterministic, and takes time in proportion to the graph.
#ifndef SLV_COLORIZE_COLORING_H
#define SLV_COLORIZE_COLORING_H

#include "tools/colorize/smallest_last.h"

typedef struct slv_coloring {
    uint32_t element_count;
    uint32_t color_count;
    uint32_t *color; // [element_count], below color_count
} slv_coloring;

// The smallest permissible color for one element after the other. False without memory.
bool slv_color_greedily(const slv_conflicts *conflicts, const uint32_t *sequence,
                        slv_coloring *coloring);
void slv_coloring_destroy(slv_coloring *coloring);

// Takes colors away from the last one on, until `enough` are left or the effort is spent: each
// element of the last color gets another, for which it may exchange two colors among the elements
// connected with its neighbors (Kempe 1879). False without memory.
bool slv_coloring_reduce(const slv_conflicts *conflicts, uint32_t enough, slv_coloring *coloring);

// Moves elements from colors that are many to permissible ones that are few. False without memory.
bool slv_coloring_balance(const slv_conflicts *conflicts, slv_coloring *coloring);

// Whether no two elements of a place have the same color and all colors are below the count. Also
// false without memory.
bool slv_coloring_is_proper(const slv_conflicts *conflicts, const slv_coloring *coloring);

// All of the above but the last, along an ordering, with no more than `enough` colors if possible.
bool slv_coloring_create(const slv_conflicts *conflicts, const slv_ordering *ordering,
                         uint32_t enough, slv_coloring *coloring);

#endif
