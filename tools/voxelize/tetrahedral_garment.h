// SPDX-License-Identifier: MIT
// A garment whose particles are the points of a tetrahedral mesh: distance constraints along its
// edges, volume constraints, and its boundary surface as render mesh.
#ifndef SLV_VOXELIZE_TETRAHEDRAL_GARMENT_H
#define SLV_VOXELIZE_TETRAHEDRAL_GARMENT_H

#include "tools/voxelize/garment_builder.h"
#include "tools/voxelize/tetrahedral_file.h"

typedef struct slv_tetrahedral_facts {
    double volume; // cubic metres
    // [point_count] volume around each point, at least a thousandth of the mean; to be freed.
    double *weights;
    uint32_t surface_triangles;
} slv_tetrahedral_facts;

// Fills all of the builder except masses and materials. Tetrahedra of negative volume are
// reoriented.
slv_result slv_make_tetrahedral_garment(const slv_tetrahedral_mesh *mesh,
                                        slv_garment_builder *builder, slv_tetrahedral_facts *facts,
                                        slv_error *error);

#endif
