// SPDX-License-Identifier: MIT
// Tetrahedra for the inside of a solid, for volume constraints.
#ifndef SLV_VOXELIZE_TETRAHEDRA_H
#define SLV_VOXELIZE_TETRAHEDRA_H

#include "tools/voxelize/garment_builder.h"

// Splits every cube of the grid with a particle at each corner into six tetrahedra around one long
// diagonal. Adjacent cubes split their common face along the same diagonal. Not colored. The
// builder holds a grid garment with its groups. Adds nothing where no cube is complete.
slv_result slv_add_tetrahedra(slv_garment_builder *builder, slv_error *error);

#endif
