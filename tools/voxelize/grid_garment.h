// SPDX-License-Identifier: MIT
// Particles on a lattice: one at each marked sample, joined to its axis neighbors. The coloring
// follows from the grid: particles red and black like a chessboard, constraints by axis and by the parity of
// their lower end, so that no two of a group meet.
#ifndef SLV_VOXELIZE_GRID_GARMENT_H
#define SLV_VOXELIZE_GRID_GARMENT_H

#include "tools/voxelize/draft.h"
#include "tools/voxelize/grid_index.h"

// Fills particles (but for their masses), cells, orders, neighbors, colors, distance constraints,
// groups, grid description, bounds and spacing of the draft. The first end of every constraint is
// red, the second black; within a group both ends walk forward through memory. index has at least one
// particle. threads >= 1.
slv_result slv_make_grid_garment(const slv_grid_index *index, unsigned threads, slv_draft *draft,
                                 slv_error *error);

// Bytes the arrays above take for so many particles and constraints.
uint64_t slv_grid_garment_bytes(uint64_t particles, uint64_t constraints);

#endif
