// SPDX-License-Identifier: MIT
// Coarse grids of a flat grid, for multigrid (kernels/coarse.h): levels, their matrices, the inverse of the coarsest.
#ifndef SLV_RUNTIME_LAYOUT_COARSE_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_COARSE_LAYOUT_H

#include "runtime/layout/layout.h"

// Reserves what belongs to bodies that lie as flat grids; others get none.
void slv_coarse_layout_reserve(slv_body_layout *body_layout, slv_body_extents *extents,
                               slv_layout_cursor *cursor);

// Writes the levels, which never change.
void slv_coarse_layout_fill(const slv_body_layout *body_layout, int *table);

// Writes what follows from weights and from which particles are fixed. `sums` has slv_coarse_layout_room values; it
// may hold anything.
size_t slv_coarse_layout_room(const slv_body_layout *body_layout);
void slv_coarse_layout_set_response(const slv_body_layout *body_layout, const int *table,
                                    double *sums, float *state);

#endif
