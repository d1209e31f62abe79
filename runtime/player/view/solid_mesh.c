// SPDX-License-Identifier: MIT
#include "runtime/player/view/solid_mesh.h"

#include <stdlib.h>
#include <string.h>

uint32_t slv_solid_mesh_add_vertex(slv_solid_mesh *m, const float position[3],
                                   const float normal[3]) {
    if (m->vertex_count == m->vertex_capacity) {
        const uint32_t capacity = m->vertex_capacity ? 2 * m->vertex_capacity : 256;
        float *vertices = realloc(m->vertices, capacity * 6 * sizeof *vertices);
        if (vertices == NULL) {
            m->failed = true;
            return 0;
        }
        m->vertices = vertices;
        m->vertex_capacity = capacity;
    }
    float *v = m->vertices + 6 * (size_t)m->vertex_count;
    memcpy(v, position, 3 * sizeof *v);
    memcpy(v + 3, normal, 3 * sizeof *v);
    return m->vertex_count++;
}

void slv_solid_mesh_add_triangle(slv_solid_mesh *m, uint32_t a, uint32_t b, uint32_t c) {
    if (m->triangle_count == m->triangle_capacity) {
        const uint32_t capacity = m->triangle_capacity ? 2 * m->triangle_capacity : 512;
        uint32_t *triangles = realloc(m->triangles, capacity * 3 * sizeof *triangles);
        if (triangles == NULL) {
            m->failed = true;
            return;
        }
        m->triangles = triangles;
        m->triangle_capacity = capacity;
    }
    uint32_t *t = m->triangles + 3 * (size_t)m->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

void slv_solid_mesh_free(slv_solid_mesh *mesh) {
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (slv_solid_mesh){.failed = false};
}
