// SPDX-License-Identifier: MIT
// Small meshes for tests, made of static arrays: one vertex per point.
#ifndef SLV_TESTS_MESHES_H
#define SLV_TESTS_MESHES_H

#include "tools/common/mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static inline void *mesh_array(uint32_t count, size_t size) {
    void *array = calloc(count, size);
    if (array == NULL) {
        abort();
    }
    return array;
}

static inline slv_mesh mesh_make(uint32_t points, const double (*positions)[3], uint32_t triangles,
                                 const uint32_t (*corners)[3]) {
    slv_mesh mesh = {.point_count = points,
                     .vertex_count = points,
                     .file_vertex_count = points,
                     .triangle_count = triangles,
                     .points = mesh_array(points, 3 * sizeof(double)),
                     .vertex_point = mesh_array(points, sizeof(uint32_t)),
                     .vertex_source = mesh_array(points, sizeof(uint32_t)),
                     .normals = mesh_array(points, 3 * sizeof(float)),
                     .triangles = mesh_array(triangles, 3 * sizeof(uint32_t))};
    memcpy(mesh.points, positions, points * 3 * sizeof(double));
    memcpy(mesh.triangles, corners, triangles * 3 * sizeof(uint32_t));
    for (uint32_t v = 0; v < points; v++) {
        mesh.vertex_point[v] = v;
        mesh.vertex_source[v] = v;
    }
    return mesh;
}

static inline slv_mesh mesh_tetrahedron(void) {
    static const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    return mesh_make(4, points, 4, corners);
}

// Two triangles over a unit square in the x-y plane; the diagonal joins points 0 and 2.
static inline slv_mesh mesh_square(void) {
    static const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const uint32_t corners[2][3] = {{0, 1, 2}, {0, 2, 3}};
    return mesh_make(4, points, 2, corners);
}

#endif
