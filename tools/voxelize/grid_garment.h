// SPDX-License-Identifier: MIT
// Particles on a lattice: one at each marked sample, connected to its axis neighbors. The grid
// gives the coloring: particles red and black like a chessboard, constraints by axis and parity of
// their lower end. No two constraints of a group share a particle.
#ifndef SLV_VOXELIZE_GRID_GARMENT_H
#define SLV_VOXELIZE_GRID_GARMENT_H

#include "tools/voxelize/garment_builder.h"
#include "tools/voxelize/grid_index.h"

// Fills particles (without masses), cells, orders, neighbors, colors, distance constraints, groups,
// grid description, bounds and spacing of the builder. The first end of every constraint is red,
// the second black; within a group the indices of both ends ascend. index has at least one
// particle. threads >= 1.
slv_result slv_make_grid_garment(const slv_grid_index *index, unsigned threads,
                                 slv_garment_builder *builder, slv_error *error);

// Bytes of these arrays for a number of particles and constraints.
uint64_t slv_grid_garment_bytes(uint64_t particles, uint64_t constraints);

#endif
