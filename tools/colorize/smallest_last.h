// SPDX-License-Identifier: MIT
// The smallest-last ordering (Matula and Beck 1983): repeatedly the element with the fewest
// remaining neighbors is removed and put last. In a coloring along this order an element has at
// most `degeneracy` colored neighbors. Linear in the edges of the graph.
#ifndef SLV_COLORIZE_SMALLEST_LAST_H
#define SLV_COLORIZE_SMALLEST_LAST_H

#include "tools/colorize/conflicts.h"

typedef struct slv_ordering {
    uint32_t *sequence;  // [element_count] elements in coloring order
    uint32_t *rank;      // [element_count] position of each element in the sequence
    uint32_t degeneracy; // most neighbors in front of an element
} slv_ordering;

// False without memory.
bool slv_smallest_last(const slv_conflicts *conflicts, slv_ordering *ordering);
void slv_ordering_destroy(slv_ordering *ordering);

#endif
