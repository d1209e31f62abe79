// SPDX-License-Identifier: MIT
// Binds the render mesh to the particles: every vertex is a weighted
// sum of particles plus, where no sum of those nearby can reach it, an offset that turns with them.
#ifndef SLV_VOXELIZE_EMBEDDING_H
#define SLV_VOXELIZE_EMBEDDING_H

#include "tools/common/mesh.h"
#include "tools/voxelize/draft.h"
#include "tools/voxelize/grid_index.h"

// Copies the mesh into the draft as its render mesh: float positions, normals, UVs, triangles, the
// file's vertex numbers. Embedding is left to one of the functions below.
slv_result slv_add_render_mesh(const slv_mesh *mesh, slv_draft *draft, slv_error *error);

// Surface garments: vertex v follows particle vertex_point[v] alone.
slv_result slv_embed_in_points(const slv_mesh *mesh, slv_draft *draft, slv_error *error);

// Grid garments: eight particles a vertex. *largest_error is how far, in metres, any vertex at rest
// ends up from where the mesh has it.
slv_result slv_embed_in_grid(const slv_grid_index *index, unsigned threads, slv_draft *draft,
                             double *largest_error, slv_error *error);

#endif
