// SPDX-License-Identifier: MIT
// A body that lies as a grid: neighbors by strides, no index tables.
#ifndef SLV_RUNTIME_LAYOUT_GRID_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_GRID_LAYOUT_H

#include "runtime/layout/layout.h"

// Reserves room and fills slots; then writes what never changes.
void slv_grid_layout_reserve(slv_body_layout *body_layout, slv_body_extents *extents,
                             const slv_body *body, uint32_t *slots, slv_layout_cursor *cursor);
void slv_grid_layout_fill(const slv_body_layout *body_layout, const slv_body *body,
                          const uint32_t *slots, int *table);

#endif
