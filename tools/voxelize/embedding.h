// SPDX-License-Identifier: MIT
// Binds the render mesh to the particles. Every vertex is a weighted sum of particles plus, where
// no weights reproduce it, an offset in a frame that rotates with them.
#ifndef SLV_VOXELIZE_EMBEDDING_H
#define SLV_VOXELIZE_EMBEDDING_H

#include "tools/common/mesh.h"
#include "tools/voxelize/garment_builder.h"
#include "tools/voxelize/grid_index.h"

// Copies the mesh into the builder as its render mesh: float positions, normals, UVs, triangles,
// vertex numbers of the file. One of the functions below binds it.
slv_result slv_add_render_mesh(const slv_mesh *mesh, slv_garment_builder *builder,
                               slv_error *error);

// Surface garments: vertex v follows particle vertex_point[v] only.
slv_result slv_embed_in_points(const slv_mesh *mesh, slv_garment_builder *builder,
                               slv_error *error);

// Grid garments: eight particles per vertex. *largest_error is the largest distance, in metres,
// between a vertex at rest and its position in the mesh.
slv_result slv_embed_in_grid(const slv_grid_index *index, unsigned threads,
                             slv_garment_builder *builder, double *largest_error, slv_error *error);

#endif
