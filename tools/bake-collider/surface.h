// SPDX-License-Identifier: MIT
// Measurements of the surface over all frames: vertices that always coincide are one point;
// shortest and longest length of each edge; how far triangles stretch; bounds.
#ifndef SLV_BAKE_SURFACE_H
#define SLV_BAKE_SURFACE_H

#include "tools/bake-collider/frames.h"
#include "tools/bake-collider/stretch.h"
#include "tools/common/console.h"

typedef struct slv_surface_edge {
    uint32_t vertex[2];       // ascending
    double shortest, longest; // squared, over all frames
} slv_surface_edge;

typedef struct slv_surface {
    uint32_t *point; // [vertex_count] the lowest vertex that coincides with it in every frame
    uint32_t triangle_count; // without degenerate ones (two corners in one point)
    uint32_t dropped_count;
    uint32_t *triangles;      // [triangle_count][3] of points
    uint32_t *triangle_edges; // [triangle_count][3]: edge opposite to each corner
    uint32_t edge_count;
    slv_surface_edge *edges;
    float (*stretch)[SLV_STRETCH_DIRECTIONS]; // [triangle_count] stretch.h
    double min[3], max[3];                    // over all frames
    double first_min[3], first_max[3];        // of the first frame
    double extent;                            // diagonal of the bounds of the first frame, metres
    double area;                              // of the first frame, m²
} slv_surface;

// Reads every frame once. frames->origin must still be zero.
slv_result slv_surface_survey(const slv_frames *frames, unsigned threads, slv_console *console,
                              slv_surface *surface, slv_error *error);
void slv_surface_free(slv_surface *surface);

#endif
