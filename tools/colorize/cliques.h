// SPDX-License-Identifier: MIT
// All maximal cliques of a conflict graph: sets of elements of which any two conflict, to which none can
// be added. Found by Bron and Kerbosch's search with pivots, started from each element among those in
// front of it in a smallest-last ordering (Eppstein, Löffler and Strash 2010). On the sparse graphs of
// meshes that is linear; on graphs made to be hard it is not, so the effort is limited.
#ifndef SLV_COLORIZE_CLIQUES_H
#define SLV_COLORIZE_CLIQUES_H

#include "tools/colorize/smallest_last.h"

typedef struct slv_clique_search {
    uint32_t larger_than; // only cliques of more elements; `found` may raise it on the way
    int64_t effort;       // words of bits looked at before the search gives up
    // Called for each clique; false ends the search.
    bool (*found)(struct slv_clique_search *search, const uint32_t *elements, uint32_t count);
    void *context;
    bool complete; // out: neither given up nor ended
} slv_clique_search;

// False without memory.
bool slv_search_cliques(const slv_conflicts *conflicts, const slv_ordering *ordering,
                        slv_clique_search *search);

// Effort that fits a graph: plenty for a mesh.
int64_t slv_clique_effort(const slv_conflicts *conflicts);

// Elements of the largest clique. `colors` is the size of any proper coloring, which bounds it from
// above and mostly spares the search. *exact says whether the effort sufficed; otherwise the number is
// a lower bound. False without memory.
bool slv_clique_number(const slv_conflicts *conflicts, const slv_ordering *ordering,
                       uint32_t colors, int64_t effort, uint32_t *number, bool *exact);

#endif
