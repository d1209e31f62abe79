// SPDX-License-Identifier: MIT
// Content of a picture: particles as spheres, a mesh, one half of each, or vertex colors.
// Coordinates are scaled to a cube of side 2 around the origin, so that arithmetic is in the same
// range for garments of any size.
#ifndef SLV_INSPECT_SCENE_H
#define SLV_INSPECT_SCENE_H

#include "formats/garment.h"
#include "tools/inspect/vec3.h"

#include <stdbool.h>

typedef enum slv_scene_parts {
    SLV_SCENE_PARTICLES = 0,
    SLV_SCENE_MESH = 1,
    SLV_SCENE_BOTH = 2,
    SLV_SCENE_PAINT = 3, // particles with the vertex colors of the mesh
} slv_scene_parts;

typedef struct slv_scene {
    uint32_t sphere_count;
    slv_vec3 *spheres;      // centers
    slv_vec3 *sphere_color; // linear RGB
    float radius;
    uint32_t vertex_count;
    slv_vec3 *vertices;
    slv_vec3 *normals;
    uint32_t triangle_count;
    uint32_t *triangles; // [triangle_count][3]
    slv_vec3 mesh_color;
    float floor; // the lowest y of the scene
} slv_scene;

// Both: the mesh on one side of the plane through the center with normal `cut`, particles on the
// other. SLV_ERROR_CONTENT where a requested mesh or color is missing.
slv_result slv_scene_make(const slv_garment *garment, slv_scene_parts parts, slv_vec3 cut,
                          slv_scene *scene, slv_error *error);
void slv_scene_free(slv_scene *scene);

#endif
