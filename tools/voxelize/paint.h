// SPDX-License-Identifier: MIT
// Vertex colors of a mesh, carried to the particles (PACK.md, "PPNT").
#ifndef SLV_VOXELIZE_PAINT_H
#define SLV_VOXELIZE_PAINT_H

#include "tools/common/mesh.h"
#include "tools/voxelize/draft.h"
#include "tools/voxelize/lattice.h"

// Particles are the mesh's points: each has the mean of the vertices there. Nothing happens where the mesh
// has no colors, here and below.
slv_result slv_paint_points(const slv_mesh *mesh, slv_draft *draft, slv_error *error);

// Particles lie on the lattice: each has the color of the nearest point of the mesh. Of several equally
// near, the one of the first triangle counts.
slv_result slv_paint_grid(const slv_mesh *mesh, const slv_lattice *lattice, unsigned threads,
                          slv_draft *draft, slv_error *error);

#endif
