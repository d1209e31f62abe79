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
    free(mesh->list);
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

slv_result slv_mesh_count_welded(const slv_mesh *mesh, uint32_t *welded, slv_error *error) {
    uint32_t used = 0;
    uint8_t *seen = calloc((size_t)mesh->file_vertex_count + 1, 1);
    if (seen == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u vertices",
                        mesh->file_vertex_count);
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const uint32_t source = mesh->vertex_source[v];
        if (source < mesh->file_vertex_count && seen[source] == 0) {
            seen[source] = 1;
            used++;
        }
    }
    free(seen);
    *welded = used > mesh->point_count ? used - mesh->point_count : 0;
    return SLV_OK;
}
