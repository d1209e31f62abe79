// SPDX-License-Identifier: MIT
// The unprocessed content of a mesh file: the output of every reader and the input of mesh_build.
#ifndef SLV_TOOLS_RAW_MESH_H
#define SLV_TOOLS_RAW_MESH_H

#include "tools/common/mesh_texture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLV_NO_INDEX UINT32_MAX // a corner without UV or normal

typedef struct slv_raw_corner {
    uint32_t position;
    uint32_t uv;
    uint32_t normal;
} slv_raw_corner;

typedef struct slv_raw_polygon {
    uint32_t first_corner;
    uint32_t corner_count;
    uint32_t line; // line in the file, for messages; 0: none
} slv_raw_polygon;

// Each polygon is in at most one group of each kind: "o", "g" and "usemtl" of an OBJ. Nodes of other files are of the
// second kind.
enum { SLV_GROUP_OBJECT, SLV_GROUP_GROUP, SLV_GROUP_MATERIAL, SLV_GROUP_KINDS };

typedef struct
    slv_raw_group { // contains the polygons up to the first of the next group of its kind
    char *name;     // owned
    uint32_t first_polygon;
    uint32_t kind;
} slv_raw_group;

// Counts are below UINT32_MAX. Capacities are private to the functions below.
typedef struct slv_raw_mesh {
    double *positions; // [position_count][3], in the file's units and axes
    float *uvs;        // [uv_count][2]
    float *normals;    // [normal_count][3], of any length
    float *paint;      // [paint_count][4] red, green, blue, alpha of the first positions
    slv_raw_corner *corners;
    slv_raw_polygon *polygons;
    slv_raw_group *groups; // ascending; polygons before the first have no group
    slv_mesh_texture texture;
    uint32_t split_polygon_count; // polygons of the file that the reader has split into triangles
    uint32_t position_count, position_capacity;
    uint32_t uv_count, uv_capacity;
    uint32_t normal_count, normal_capacity;
    uint32_t paint_count, paint_capacity; // at most position_count; 0 = no colors
    uint32_t corner_count, corner_capacity;
    uint32_t polygon_count, polygon_capacity;
    uint32_t group_count, group_capacity;
    uint32_t last_group[SLV_GROUP_KINDS]; // number of the last one of each kind, plus 1; 0: none
} slv_raw_mesh;

void slv_raw_mesh_free(slv_raw_mesh *raw); // zeroes it

// Each function appends one element; false where memory is short.
bool slv_raw_mesh_add_position(slv_raw_mesh *raw, const double position[3]);
bool slv_raw_mesh_add_uv(slv_raw_mesh *raw, const float uv[2]);
bool slv_raw_mesh_add_normal(slv_raw_mesh *raw, const float normal[3]);
// Sets the color of the last position. Earlier positions without color become white.
bool slv_raw_mesh_add_paint(slv_raw_mesh *raw, const float paint[4]);
bool slv_raw_mesh_add_corner(slv_raw_mesh *raw, slv_raw_corner corner);
// Adds the polygon of the last corner_count corners.
bool slv_raw_mesh_add_polygon(slv_raw_mesh *raw, uint32_t corner_count, uint32_t line);
// Begins a group for the following polygons. The same name twice in a row stays one group.
bool slv_raw_mesh_add_group(slv_raw_mesh *raw, uint32_t kind, const char *name, size_t length);

#endif
