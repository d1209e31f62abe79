// SPDX-License-Identifier: MIT
// The triangles of a garment whose corners are particles: those of a flat grid's squares, or those that are drawn where
// each vertex of the drawn mesh is a particle.
#ifndef SLV_RUNTIME_MODEL_TRIANGLES_H
#define SLV_RUNTIME_MODEL_TRIANGLES_H

#include "runtime/model/body.h"

typedef struct slv_triangles {
    uint32_t *corners; // [count][3] own numbers of particles
    uint32_t count;
} slv_triangles;

// Whether a body is a flat grid; whether it draws triangles between particles.
bool slv_triangles_have_grid(const slv_body *body);
bool slv_triangles_are_drawn(const slv_body *body);

// Two triangles for each square of a flat grid that has all its corners. False without memory.
bool slv_triangles_find_grid(slv_triangles *triangles, const slv_body *body, slv_memory *memory,
                             slv_memory *scratch);
// The drawn triangles. False without memory.
bool slv_triangles_find_drawn(slv_triangles *triangles, const slv_body *body, slv_memory *memory);

#endif
