// SPDX-License-Identifier: MIT
// What a picture shows: particles as spheres, a mesh, or one half of each, or paint. Coordinates are moved and scaled so
// that everything fits a cube of side 2 around the origin: a garment may be a millimetre or a
// kilometre wide, and the picture's arithmetic stays in the same range.
#ifndef SLV_INSPECT_SCENE_H
#define SLV_INSPECT_SCENE_H

#include "formats/garment.h"
#include "tools/inspect/vec3.h"

#include <stdbool.h>

typedef enum slv_scene_parts {
    SLV_SCENE_PARTICLES = 0,
    SLV_SCENE_MESH = 1,
    SLV_SCENE_BOTH = 2,
    SLV_SCENE_PAINT = 3, // particles as the mesh was painted
} slv_scene_parts;

typedef struct slv_scene {
    uint32_t sphere_count;
    slv_vec3 *spheres;      // centres
    slv_vec3 *sphere_color; // linear RGB
    float radius;
    uint32_t vertex_count;
    slv_vec3 *vertices;
    slv_vec3 *normals;
    uint32_t triangle_count;
    uint32_t *triangles; // [triangle_count][3]
    slv_vec3 mesh_color;
    float floor; // the lowest y of all
} slv_scene;

// Both: the mesh up to the plane through the middle that faces `cut`, particles beyond it.
// A mesh or paint was asked for and there is none: SLV_ERROR_CONTENT.
slv_result slv_scene_make(const slv_garment *garment, slv_scene_parts parts, slv_vec3 cut,
                          slv_scene *scene, slv_error *error);
void slv_scene_free(slv_scene *scene);

#endif
