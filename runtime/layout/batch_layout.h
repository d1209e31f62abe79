// SPDX-License-Identifier: MIT
// Constraints with three ends or more in a graph layout: one by one, in groups that share no particle.
#ifndef SLV_RUNTIME_LAYOUT_BATCH_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_BATCH_LAYOUT_H

#include "runtime/layout/layout.h"

// Entries of all groups of a batch, each padded to rows of SLV_LANES.
size_t slv_batch_count_room(const slv_constraint_batch *batch);

// Nothing without SLV_PART_BATCHES.
void slv_batch_layout_reserve(slv_body_layout *body_layout, slv_body_extents *extents,
                              const slv_body *body, unsigned parts, slv_layout_cursor *cursor);
void slv_batch_layout_fill(const slv_body_layout *body_layout, const slv_body *body,
                           const uint32_t *slots, float *state, int *table);
// Writes inverse masses beside the ends of batched constraints.
void slv_batch_layout_set_inverse_masses(const slv_body_layout *body_layout, float *state,
                                         const int *table);

#endif
