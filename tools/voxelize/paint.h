// SPDX-License-Identifier: MIT
// Transfers vertex colors of a mesh to the particles (PACK.md, "PPNT").
#ifndef SLV_VOXELIZE_PAINT_H
#define SLV_VOXELIZE_PAINT_H

#include "tools/common/mesh.h"
#include "tools/voxelize/garment_builder.h"
#include "tools/voxelize/lattice.h"

// Particles are the points of the mesh: each gets the mean color of the vertices there. No effect
// where the mesh has no colors, here and below.
slv_result slv_paint_points(const slv_mesh *mesh, slv_garment_builder *builder, slv_error *error);

// Particles lie on the lattice: each gets the color of the nearest point of the mesh. Ties go to
// the triangle with the lowest number.
slv_result slv_paint_grid(const slv_mesh *mesh, const slv_lattice *lattice, unsigned threads,
                          slv_garment_builder *builder, slv_error *error);

#endif
