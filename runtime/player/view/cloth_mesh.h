// SPDX-License-Identifier: MIT
// Tables about a garment that never change, made once for the shaders that follow its particles.
#ifndef SLV_PLAYER_CLOTH_MESH_H
#define SLV_PLAYER_CLOTH_MESH_H

#include "runtime/include/selvage/selvage.h"

#include <stdbool.h>

typedef struct slv_cloth_mesh {
    bool direct;          // vertex i is particle i: nothing to follow
    uint32_t *influences; // [vertex_count][influence_count][2]: particle, bits of the weight
    uint32_t *ring_spans; // [vertex_count][2]: where in rings, and the end
    uint32_t *rings; // [3 * triangle_count][2]: the other two corners of each triangle round it
    float *uvs;      // [vertex_count][2]
    float uv_metres; // metres to a unit of uv, about
} slv_cloth_mesh;

// Vertices at one place share one ring, so that the seams of a texture stay invisible. `positions` is
// of the particles, at rest or thereabouts. False without memory.
bool slv_cloth_mesh_make(slv_cloth_mesh *mesh, const slv_garment_structure *structure,
                         const float *positions);
void slv_cloth_mesh_free(slv_cloth_mesh *mesh);

// The constraints at each vertex's first particle: spans [vertex_count + 1], segments [*count][3] of both
// particles and the bits of the rest length. For free(); false without memory.
bool slv_cloth_mesh_segments(const slv_garment_structure *structure, uint32_t **spans,
                             uint32_t **segments, size_t *count);

#endif
