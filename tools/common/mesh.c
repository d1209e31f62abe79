// SPDX-License-Identifier: MIT
#include "tools/common/mesh.h"

#include <stdlib.h>

void slv_mesh_free(slv_mesh *mesh) {
    for (uint32_t g = 0; g < mesh->group_count; g++) {
        free(mesh->groups[g].name);
    }
    free(mesh->points);
    free(mesh->vertex_point);
    free(mesh->vertex_source);
    free(mesh->normals);
    free(mesh->uvs);
    free(mesh->paint);
    free(mesh->triangles);
    free(mesh->texture);
    free(mesh->groups);
    *mesh = (slv_mesh){.points = NULL};
}

void slv_mesh_bounds(const slv_mesh *mesh, double min[3], double max[3]) {
    for (size_t k = 0; k < 3; k++) {
        min[k] = max[k] = mesh->points[k];
    }
    for (size_t p = 1; p < mesh->point_count; p++) {
        for (size_t k = 0; k < 3; k++) {
            double at = mesh->points[3 * p + k];
            min[k] = at < min[k] ? at : min[k];
            max[k] = at > max[k] ? at : max[k];
        }
    }
}
