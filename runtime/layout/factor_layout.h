// SPDX-License-Identifier: MIT
// The factor of a body as rows of numbers, pass by pass and level by level (kernels/factor.h).
#ifndef SLV_RUNTIME_LAYOUT_FACTOR_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_FACTOR_LAYOUT_H

#include "runtime/layout/layout.h"

// Reserves room for a body with a factor; others get none.
void slv_factor_layout_reserve(slv_body_layout *body_layout, const slv_body *body,
                               slv_layout_cursor *cursor);

// Fills it. False without memory.
bool slv_factor_layout_fill(slv_layout *layout, uint32_t index, const slv_body *body,
                            slv_memory *scratch);

#endif
