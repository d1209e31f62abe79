// SPDX-License-Identifier: MIT
// The smallest-last ordering (Matula and Beck 1983): the element with the fewest neighbors among
// those left is put last and removed, and so on. Colored in this order, an element has at most `degeneracy`
// neighbors that are colored already. Linear in the edges of the graph.
#ifndef SLV_COLORIZE_SMALLEST_LAST_H
#define SLV_COLORIZE_SMALLEST_LAST_H

#include "tools/colorize/conflicts.h"

typedef struct slv_ordering {
    uint32_t *sequence;  // [element_count] elements, the one to be colored first at the front
    uint32_t *rank;      // [element_count] place of each element in the sequence
    uint32_t degeneracy; // most neighbors in front of an element
} slv_ordering;

// False without memory.
bool slv_smallest_last(const slv_conflicts *conflicts, slv_ordering *ordering);
void slv_ordering_destroy(slv_ordering *ordering);

#endif
