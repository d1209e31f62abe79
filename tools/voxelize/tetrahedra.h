// SPDX-License-Identifier: MIT
// The inside of a solid as tetrahedra, so that solvers can keep its volume.
#ifndef SLV_VOXELIZE_TETRAHEDRA_H
#define SLV_VOXELIZE_TETRAHEDRA_H

#include "tools/voxelize/draft.h"

// Splits every cube of the grid that has a particle at each of its corners into six tetrahedra around
// one of its long diagonals; cubes side by side agree about the faces between them. Uncolored. The draft
// is a grid garment with its groups. None where no cube is full.
slv_result slv_add_tetrahedra(slv_draft *draft, slv_error *error);

#endif
