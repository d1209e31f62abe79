// SPDX-License-Identifier: MIT
// A body that lies as a graph: index tables for springs, and whatever constraints its parts name.
#ifndef SLV_RUNTIME_LAYOUT_GRAPH_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_GRAPH_LAYOUT_H

#include "runtime/layout/graph_draft.h"

// Reserves room and fills slots; then writes what never changes. Both are false without memory.
bool slv_graph_layout_reserve(slv_body_layout *body_layout, slv_body_extents *extents,
                              const slv_body *body, uint32_t *slots, slv_layout_cursor *cursor,
                              slv_memory *scratch, slv_graph_draft *draft);
bool slv_graph_layout_fill(const slv_body_layout *body_layout, const slv_body *body,
                           const uint32_t *slots, const slv_graph_draft *draft, slv_memory *scratch,
                           float *state, int *table);
// Hands the inverse masses of particles on to their constraints.
void slv_graph_layout_set_inverse_masses(const slv_body_layout *body_layout, float *state,
                                         const int *table);

#endif
