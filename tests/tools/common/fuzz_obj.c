// SPDX-License-Identifier: MIT
// Fuzz target: arbitrary bytes as an OBJ file are read and built or rejected, without faults.
#include "tests/tools/common/fuzz_text.h"
#include "tools/common/mesh_build.h"
#include "tools/common/obj_reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// An accepted mesh must have the guarantees of mesh.h.
static void check(const slv_mesh *mesh) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (mesh->vertex_point[v] >= mesh->point_count ||
            mesh->vertex_source[v] >= mesh->file_vertex_count) {
            abort();
        }
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t p[3];
        slv_mesh_corner_points(mesh, t, p);
        if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) {
            abort();
        }
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        if (!(mesh->normals[i] >= -1.001f && mesh->normals[i] <= 1.001f)) {
            abort();
        }
    }
    if (mesh->triangle_count == 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    if (text == NULL) {
        return 0;
    }
    slv_raw_mesh raw;
    slv_error error;
    if (slv_obj_read(text, size, &raw, &error) == SLV_OK) {
        const slv_import_options options = {.up = size % 2 == 0 ? SLV_UP_Z : SLV_UP_Y};
        const slv_import_space stated = slv_import_space_default();
        const slv_import_space space = slv_import_space_resolve(&stated, &options);
        slv_mesh mesh;
        if (slv_mesh_build(&raw, &space, false, &mesh, &error) == SLV_OK) {
            check(&mesh);
            slv_mesh_free(&mesh);
        }
        slv_raw_mesh_free(&raw);
    }
    free(text);
    return 0;
}
