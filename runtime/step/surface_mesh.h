// SPDX-License-Identifier: MIT
// The triangles of a body as contacts between surfaces read them (kernels/surfaces.h): in patches of triangles that lie
// near each other at rest, with each vertex and edge in the hands of one triangle.
#ifndef SLV_RUNTIME_STEP_SURFACE_MESH_H
#define SLV_RUNTIME_STEP_SURFACE_MESH_H

#include "runtime/model/body.h"

typedef struct slv_surface_mesh {
    uint32_t vertex_count;
    uint32_t patch_count;
    uint32_t *particles; // [vertex_count] own numbers
    int *corners;        // [patch_count][3][SLV_LANES] vertices; -1 where there is no triangle
    int *owned;          // [patch_count][SLV_LANES] as SLV_SURFACES_OWNED
} slv_surface_mesh;

// Whether a body has triangles between particles: those that it draws or, without any, those of a flat grid.
bool slv_surface_mesh_exists(const slv_body *body);
// Makes them. Triangles of which two corners are one particle are left out. False without memory.
bool slv_surface_mesh_create(slv_surface_mesh *mesh, const slv_body *body, slv_memory *memory,
                             slv_memory *scratch);

#endif
