// SPDX-License-Identifier: MIT
// Constant tables of a garment for the shaders that compute vertices and normals from particles.
#ifndef SLV_PLAYER_CLOTH_MESH_H
#define SLV_PLAYER_CLOTH_MESH_H

#include "runtime/include/selvage/selvage.h"

#include <stdbool.h>

typedef struct slv_cloth_mesh {
    bool direct;          // vertex i is particle i: no skinning
    uint32_t *influences; // [vertex_count][influence_count][2]: particle, bits of the weight
    uint32_t *ring_spans; // [vertex_count][2]: first and end index in rings
    uint32_t *rings; // [3 * triangle_count][2]: the other two corners of each triangle at a vertex
    float *uvs;      // [vertex_count][2]
    float uv_metres; // metres per unit of uv, mean
} slv_cloth_mesh;

// Vertices at the same position share one ring, so that texture seams are not visible. `positions` are the
// particle positions, near rest. Returns false without memory.
bool slv_cloth_mesh_make(slv_cloth_mesh *mesh, const slv_garment_structure *structure,
                         const float *positions);
void slv_cloth_mesh_free(slv_cloth_mesh *mesh);

// The distance constraints at the first particle of each vertex: spans [vertex_count + 1], segments [*count][3]
// with both particles and the bits of the rest length. The caller frees both; false without memory.
bool slv_cloth_mesh_segments(const slv_garment_structure *structure, uint32_t **spans,
                             uint32_t **segments, size_t *count);

#endif
