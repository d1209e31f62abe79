// SPDX-License-Identifier: MIT
// Triangles for the shapes that garments meet, in the shape's own frame.
#ifndef SLV_PLAYER_SOLID_MESH_H
#define SLV_PLAYER_SOLID_MESH_H

#include "runtime/include/selvage/selvage.h"

typedef struct slv_solid_mesh {
    float *vertices; // [vertex_count][6]: place, normal
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
    uint32_t vertex_room, triangle_room;
    bool failed; // out of memory
} slv_solid_mesh;

// A shape as slv_world_add_collider takes it, without its pose.
slv_solid_mesh slv_solid_mesh_make(const slv_collider_def *shape);
// Vertices have numbers from 0; without memory the mesh has failed.
uint32_t slv_solid_mesh_add_vertex(slv_solid_mesh *mesh, const float place[3],
                                   const float normal[3]);
void slv_solid_mesh_add_triangle(slv_solid_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);
void slv_solid_mesh_free(slv_solid_mesh *mesh);

#endif
