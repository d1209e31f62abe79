// SPDX-License-Identifier: MIT
// Groups of springs and batches in a graph layout whose corrections are averaged (kernels/averaged.h): the
// last groups of either.
#ifndef SLV_RUNTIME_LAYOUT_AVERAGED_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_AVERAGED_LAYOUT_H

#include "runtime/layout/layout.h"

// Whether any constraints of a body are averaged.
bool slv_layout_averages(const slv_body_layout *body_layout);

// Nothing without SLV_PART_AVERAGES, nor without such groups.
void slv_averaged_layout_reserve(slv_body_layout *body_layout, const slv_body *body, unsigned parts,
                                 slv_layout_cursor *cursor);
// Groups of springs and batches must be filled already. False without memory.
bool slv_averaged_layout_fill(const slv_body_layout *body_layout, const slv_body *body,
                              slv_memory *scratch, float *state, int *table);

#endif
