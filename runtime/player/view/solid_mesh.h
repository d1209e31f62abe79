// SPDX-License-Identifier: MIT
// A growing list of vertices with normals, and of triangles.
#ifndef SLV_PLAYER_SOLID_MESH_H
#define SLV_PLAYER_SOLID_MESH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct slv_solid_mesh { // starts zeroed
    float *vertices;            // [vertex_count][6]: position, normal
    uint32_t *triangles;        // [triangle_count][3]
    uint32_t vertex_count, triangle_count;
    uint32_t vertex_capacity, triangle_capacity;
    bool failed; // out of memory: something is missing
} slv_solid_mesh;

// Returns the index of the new vertex.
uint32_t slv_solid_mesh_add_vertex(slv_solid_mesh *mesh, const float position[3],
                                   const float normal[3]);
void slv_solid_mesh_add_triangle(slv_solid_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);
void slv_solid_mesh_free(slv_solid_mesh *mesh);

#endif
