// SPDX-License-Identifier: MIT
// Maximal cliques of a conflict graph by the Bron-Kerbosch algorithm with pivoting, started from
// each element with its predecessors in a smallest-last ordering (Eppstein, Löffler and Strash
// 2010). This is linear on the sparse graphs of meshes. Hard graphs take exponential time, so the
// effort is limited.
#ifndef SLV_COLORIZE_CLIQUES_H
#define SLV_COLORIZE_CLIQUES_H

#include "tools/colorize/smallest_last.h"

typedef struct slv_clique_search {
    uint32_t larger_than; // reports only cliques of more elements; `found` may raise it
    int64_t effort;       // budget in processed 64-bit words; the search aborts when it is spent
    // Called for each clique; false ends the search.
    bool (*found)(struct slv_clique_search *search, const uint32_t *elements, uint32_t count);
    void *context;
    bool complete; // result: the search was neither aborted nor ended by `found`
} slv_clique_search;

// False without memory.
bool slv_search_cliques(const slv_conflicts *conflicts, const slv_ordering *ordering,
                        slv_clique_search *search);

// Budget proportional to the graph, ample for a mesh.
int64_t slv_clique_effort(const slv_conflicts *conflicts);

// Size of the largest clique. `colors` is the size of any proper coloring, an upper bound that
// usually makes the search unnecessary. *exact: the budget was sufficient; otherwise the number is
// a lower bound. False where memory is short.
bool slv_clique_number(const slv_conflicts *conflicts, const slv_ordering *ordering,
                       uint32_t colors, int64_t effort, uint32_t *number, bool *exact);

#endif
