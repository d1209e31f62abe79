// SPDX-License-Identifier: MIT
// Tetrahedra in a graph layout as seen from each of their corners, in slices as springs are: the solver
// that averages reads them particle by particle. A tetrahedron is there four times, each time with another
// corner first.
#ifndef SLV_RUNTIME_LAYOUT_VERTEX_TETRAHEDRA_H
#define SLV_RUNTIME_LAYOUT_VERTEX_TETRAHEDRA_H

#include "runtime/layout/graph_draft.h"

// Counts, slice by slice, into the draft; nothing without SLV_PART_VERTEX_TETRAHEDRA. False without memory.
bool slv_vertex_tetrahedra_measure(const slv_body *body, const uint32_t *slots, slv_memory *scratch,
                                   slv_graph_draft *draft);
void slv_vertex_tetrahedra_reserve(slv_body_layout *body_layout, slv_body_extents *extents,
                                   const slv_graph_draft *draft, slv_layout_cursor *cursor);
// Writes what never changes, and adds to degrees, to which springs have yet to add. False without memory.
bool slv_vertex_tetrahedra_fill(const slv_body_layout *body_layout, const slv_body *body,
                                const uint32_t *slots, const slv_graph_draft *draft,
                                slv_memory *scratch, float *state, int *table);
// Hands on the inverse masses of particles.
void slv_vertex_tetrahedra_set_inverse_masses(const slv_body_layout *body_layout, float *state,
                                              const int *table);

#endif
