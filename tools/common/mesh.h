// SPDX-License-Identifier: MIT
// A triangle mesh of the tools: points (welded positions) for simulation, vertices for rendering.
#ifndef SLV_TOOLS_MESH_H
#define SLV_TOOLS_MESH_H

#include "formats/result.h"
#include "tools/common/import_space.h"

#include <stddef.h>
#include <stdint.h>

typedef struct slv_mesh_group { // "g"/"o" of an OBJ, a mesh or node of other files
    char *name;
    uint32_t first_triangle;
    uint32_t triangle_count;
} slv_mesh_group;

typedef struct slv_mesh {
    // Metres, right-handed, y up. Source coordinates (after scale and up-axis) = frame + point.
    // frame is zero unless the mesh lies so far from the origin that float32 would lose it.
    double frame[3];

    // Points: equal positions welded into one, in the file's vertex order of first appearance.
    // Only points that a triangle uses.
    uint32_t point_count;
    double *points; // [point_count][3]

    // Vertices for rendering, split where normals or UVs differ.
    uint32_t vertex_count;
    uint32_t *vertex_point;  // [vertex_count]
    uint32_t *vertex_source; // [vertex_count] the file's own vertex number, from 0
    float *normals;          // [vertex_count][3]; from the file, else computed, angle-weighted
    float *uvs;              // [vertex_count][2], or NULL
    uint8_t *paint;          // [vertex_count][4] red, green, blue, alpha; or NULL
    float paint_peak;        // largest color component in the file; values above 1 were clamped

    uint8_t *texture; // [texture_size] a PNG file, the base color; NULL = none, as without UVs
    uint32_t texture_size;
    // Reason why a texture of the file is missing; empty where there is none.
    char texture_note[256];

    // Triangles, polygons already split. None degenerate: three different points, area above zero.
    uint32_t triangle_count;
    uint32_t *triangles; // [triangle_count][3] of vertices

    uint32_t group_count;
    slv_mesh_group *groups;

    // Statistics for reports.
    uint32_t file_vertex_count;
    uint32_t polygon_count;          // faces of more than three corners
    uint32_t dropped_triangle_count; // degenerate
    uint64_t input_hash;             // XXH3-64 over the bytes of all files read
    slv_part_counts parts;           // of the file, kept and left out
    char *list;                      // of all parts, where it was asked for; the mesh is empty then
    slv_import_space space;          // how coordinates of the file became metres, y up
} slv_mesh;

void slv_mesh_free(slv_mesh *mesh); // zeroes it

// Bounds of the points. point_count > 0.
void slv_mesh_bounds(const slv_mesh *mesh, double min[3], double max[3]);

// Number of vertices of the file that share their position with an earlier one.
slv_result slv_mesh_count_welded(const slv_mesh *mesh, uint32_t *welded, slv_error *error);

// The three points of a triangle.
static inline void slv_mesh_corner_points(const slv_mesh *mesh, uint32_t triangle,
                                          uint32_t points[3]) {
    for (int c = 0; c < 3; c++) {
        points[c] = mesh->vertex_point[mesh->triangles[3 * (size_t)triangle + (size_t)c]];
    }
}

#endif
