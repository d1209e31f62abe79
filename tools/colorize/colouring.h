// SPDX-License-Identifier: MIT
// Colours for the elements of a conflict graph: found greedily, made fewer by exchanging two colours
// along chains, evened out. All of it is deterministic, and takes time in proportion to the graph.
#ifndef SLV_COLORIZE_COLOURING_H
#define SLV_COLORIZE_COLOURING_H

#include "tools/colorize/smallest_last.h"

typedef struct slv_colouring {
    uint32_t element_count;
    uint32_t colour_count;
    uint32_t *colour; // [element_count], below colour_count
} slv_colouring;

// The smallest permissible colour for one element after the other. False without memory.
bool slv_colour_greedily(const slv_conflicts *conflicts, const uint32_t *sequence,
                         slv_colouring *colouring);
void slv_colouring_destroy(slv_colouring *colouring);

// Takes colours away from the last one on, until `enough` are left or the effort is spent: each
// element of the last colour gets another, for which it may exchange two colours among the elements
// that hang together with its neighbours (Kempe 1879). False without memory.
bool slv_colouring_reduce(const slv_conflicts *conflicts, uint32_t enough,
                          slv_colouring *colouring);

// Moves elements from colours that are many to permissible ones that are few. False without memory.
bool slv_colouring_balance(const slv_conflicts *conflicts, slv_colouring *colouring);

// Whether no two elements of a place have the same colour and all colours are below the count. Also
// false without memory.
bool slv_colouring_is_proper(const slv_conflicts *conflicts, const slv_colouring *colouring);

// All of the above but the last, along an ordering, with no more than `enough` colours if possible.
bool slv_colouring_create(const slv_conflicts *conflicts, const slv_ordering *ordering,
                          uint32_t enough, slv_colouring *colouring);

#endif
