// SPDX-License-Identifier: MIT
// What flexures (kernels/flexure.h) have beside the ends, inverse masses and rest values of their batch.
#ifndef SLV_RUNTIME_LAYOUT_FLEXURE_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_FLEXURE_LAYOUT_H

#include "runtime/layout/layout.h"

// After the batches. Nothing without SLV_PART_BATCHES.
void slv_flexure_layout_reserve(slv_body_layout *body_layout, const slv_body *body, unsigned parts,
                                slv_layout_cursor *cursor);
void slv_flexure_layout_fill(const slv_body_layout *body_layout, const slv_body *body, float *state,
                             const int *table);

#endif
