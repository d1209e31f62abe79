// SPDX-License-Identifier: MIT
// The conflict graph as a hypergraph: elements are the vertices to be colored. Two elements conflict
// where they share a hyperedge. Constraints share particles; particles share constraints. One
// structure is the constraint graph and its transpose the particle graph. Edges are implicit: k
// constraints around a particle need k numbers instead of k²/2.
#ifndef SLV_COLORIZE_CONFLICTS_H
#define SLV_COLORIZE_CONFLICTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct slv_conflicts {
    uint32_t element_count, hyperedge_count;
    uint32_t *first_hyperedge; // [element_count + 1] into hyperedges
    uint32_t *hyperedges;      // hyperedges of each element, in the given order
    uint32_t *first_element;   // [hyperedge_count + 1] into elements
    uint32_t *elements;        // elements of each hyperedge, ascending
} slv_conflicts;

// The constraint graph of count constraints. Their ends are the arrays ends[0 … arity - 1][count],
// below particle_count, distinct within a constraint. False where memory is short or there are 2^32
// ends or more.
bool slv_conflicts_create(const uint32_t *const *ends, uint32_t arity, uint32_t count,
                          uint32_t particle_count, slv_conflicts *conflicts);
void slv_conflicts_destroy(slv_conflicts *conflicts);

// Exchanges elements and hyperedges: gives the particle graph of a constraint graph. Shares its memory.
slv_conflicts slv_conflicts_transpose(const slv_conflicts *conflicts);

// Size of the largest hyperedge: its elements all conflict, so this is a lower bound of the number of
// colors.
uint32_t slv_conflicts_largest_hyperedge(const slv_conflicts *conflicts);

// Loops over the neighbors of an element. A neighbor that shares several hyperedges occurs several
// times, and the element itself occurs too. hyperedge_at, at and other are declared by the macro.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define SLV_EACH_NEIGHBOR(conflicts, element, hyperedge_at, at, other)                             \
    for (uint32_t hyperedge_at = (conflicts)->first_hyperedge[element];                            \
         hyperedge_at < (conflicts)->first_hyperedge[(element) + 1]; hyperedge_at++)               \
        for (uint32_t at = (conflicts)->first_element[(conflicts)->hyperedges[hyperedge_at]],      \
                      other = 0;                                                                   \
             at < (conflicts)->first_element[(conflicts)->hyperedges[hyperedge_at] + 1] &&         \
             ((other = (conflicts)->elements[at]), true);                                          \
             at++)
// NOLINTEND(bugprone-macro-parentheses)

#endif
