// SPDX-License-Identifier: MIT
// Two-coloring by parity of the breadth-first distance. Possible where the graph is bipartite: no
// odd cycle.
#ifndef SLV_COLORIZE_RED_BLACK_H
#define SLV_COLORIZE_RED_BLACK_H

#include "tools/colorize/coloring.h"

typedef struct slv_odd_cycle {
    uint32_t count;     // 0 where there is none
    uint32_t *elements; // [count] consecutive elements are adjacent, the last to the first
} slv_odd_cycle;

// Colors the elements, or finds an odd cycle and leaves the coloring empty. False without memory.
bool slv_color_red_black(const slv_conflicts *conflicts, slv_coloring *coloring,
                         slv_odd_cycle *cycle);
void slv_odd_cycle_destroy(slv_odd_cycle *cycle);

#endif
