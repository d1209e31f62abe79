// SPDX-License-Identifier: MIT
// The mesh to draw, carried along by the particles (formats/PACK.md, "REMB"), with smooth normals. Found
// on request, not in the step.
#ifndef SLV_RUNTIME_MODEL_SURFACE_H
#define SLV_RUNTIME_MODEL_SURFACE_H

#include "formats/garment.h"
#include "runtime/base/memory.h"

typedef struct slv_surface {
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t influences;
    uint32_t *triangles; // [triangle_count][3]
    uint32_t *particles; // [vertex_count][influences], own numbers
    float *weights;      // [vertex_count][influences]
    float *offsets;      // [vertex_count][3] metres, or NULL
    float *uvs;          // [vertex_count][2], or NULL
    uint8_t *texture;    // [texture_size] a PNG file, or NULL
    size_t texture_size;
    float *positions; // [vertex_count][3]
    float *normals;   // [vertex_count][3]
    bool current;     // positions and normals are those of the present state
    float fraction;   // of the last step that they show
    uint32_t *whole;  // [triangle_count][3]: those without a tear; NULL until something tears
    uint32_t whole_count;
} slv_surface;

// Copies what it needs of the pack; scale is that of rest lengths. False without memory.
bool slv_surface_create(slv_surface *surface, const slv_garment *garment, double scale,
                        slv_memory *memory);

// Carries the mesh along to between two states of the particles: before + fraction * (now - before).
void slv_surface_update(slv_surface *surface, const slv_particle_view *now,
                        const slv_particle_view *before, float fraction);
slv_surface_view slv_surface_get_view(const slv_surface *surface);

#endif
