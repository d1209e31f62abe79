// SPDX-License-Identifier: MIT
// The maximal cliques of a conflict graph with too many elements, largest first.
#ifndef SLV_COLORIZE_CLIQUE_LIST_H
#define SLV_COLORIZE_CLIQUE_LIST_H

#include "tools/colorize/conflicts.h"

typedef struct slv_clique_list {
    uint32_t count;
    uint32_t *order; // [count] start of a clique in members: its size, then its elements
    uint32_t *members;
    bool bounded; // the search was aborted; only the cliques of single hyperedges are listed
} slv_clique_list;

// Lists maximal cliques of more than `size` elements: all, or as many as fit into memory
// proportional to the graph. The elements of one hyperedge are always listed. False where memory is
// short.
bool slv_clique_list_create(const slv_conflicts *conflicts, uint32_t size, slv_clique_list *list);
void slv_clique_list_destroy(slv_clique_list *list);

// Returns the size of a clique.
uint32_t slv_clique_list_get(const slv_clique_list *list, uint32_t index,
                             const uint32_t **elements);

#endif
