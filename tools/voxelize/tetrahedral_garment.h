// SPDX-License-Identifier: MIT
// A garment whose particles are the points of a tetrahedral mesh: springs along its edges, volumes to be
// kept, and its skin to be drawn.
#ifndef SLV_VOXELIZE_TETRAHEDRAL_GARMENT_H
#define SLV_VOXELIZE_TETRAHEDRAL_GARMENT_H

#include "tools/voxelize/draft.h"
#include "tools/voxelize/tetrahedral_file.h"

typedef struct slv_tetrahedral_facts {
    double volume; // cubic metres
    double *
        weights; // [point_count] volume around each point, at least a thousandth of the mean; for free()
    uint32_t skin_triangles;
} slv_tetrahedral_facts;

// Fills everything of the draft but masses and materials. Tetrahedra that are inside out are turned.
slv_result slv_make_tetrahedral_garment(const slv_tetrahedral_mesh *mesh, slv_draft *draft,
                                        slv_tetrahedral_facts *facts, slv_error *error);

#endif
