// SPDX-License-Identifier: MIT
// Wavefront OBJ: FILE_0000.obj, FILE_0001.obj, …, a file a frame.
#include "runtime/export/export.h"
#include "runtime/export/export_sequence.h"

#include <inttypes.h>
#include <stdio.h>

// --- One file ------------------------------------------------------------------------------------------

static void put_points(slv_export_text *text, const slv_export_mesh *mesh) {
    for (size_t p = 0; p < mesh->point_count; p++) {
        slv_text_put(text, "v ");
        slv_text_put_floats(text, mesh->points + 3 * p, 3, " ");
        slv_text_put(text, "\n");
    }
    for (size_t p = 0; mesh->uvs && p < mesh->point_count; p++) {
        slv_text_put(text, "vt ");
        slv_text_put_floats(text, mesh->uvs + 2 * p, 2, " ");
        slv_text_put(text, "\n");
    }
}

// OBJ counts points and UVs of the whole file from 1.
static void put_faces(slv_export_text *text, const slv_export_mesh *mesh, uint64_t first_point,
                      uint64_t first_uv) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        slv_text_put(text, "f");
        for (size_t corner = 0; corner < 3; corner++) {
            const uint64_t point = mesh->triangles[3 * t + corner];
            slv_text_put(text, " ");
            slv_text_put_count(text, first_point + point);
            if (mesh->uvs) {
                slv_text_put(text, "/");
                slv_text_put_count(text, first_uv + point);
            }
        }
        slv_text_put(text, "\n");
    }
}

// Groups, not objects: importers split objects, and a point cache needs one mesh.
static slv_result put_meshes(const slv_export *run, slv_export_text *text) {
    slv_text_put(text, "# Selvage; metres, y up\n");
    if (!run->is_at_zero) {
        slv_text_put(text, "# relative to ");
        slv_text_put_position(text, run->origin, " ");
        slv_text_put(text, "\n");
    }
    uint64_t first_point = 1;
    uint64_t first_uv = 1;
    for (uint32_t m = 0; m < run->mesh_count; m++) {
        const slv_export_mesh *mesh = &run->meshes[m];
        slv_text_put(text, "g garment_");
        slv_text_put_count(text, run->garments[m]);
        slv_text_put(text, "\n");
        put_points(text, mesh);
        put_faces(text, mesh, first_point, first_uv);
        first_point += mesh->point_count;
        first_uv += mesh->uvs ? mesh->point_count : 0;
    }
    return slv_text_end(text);
}

slv_result slv_export_write_obj(const slv_export *run, const char *path, slv_atomic_file **file,
                                slv_error *error) {
    slv_result result = slv_atomic_open(path, file, error);
    if (result == SLV_OK) {
        slv_export_text text;
        slv_text_begin_file(&text, *file, error);
        result = put_meshes(run, &text);
    }
    return result;
}

// --- The sequence --------------------------------------------------------------------------------------

static char *name_frame(const slv_export *run, uint64_t frame) {
    char ending[32];
    (void)snprintf(ending, sizeof ending, "_%04" PRIu64 ".obj", frame);
    return slv_export_beside(run, ending);
}

static slv_result open_obj(slv_export *run, slv_error *error) {
    return slv_sequence_open(run, name_frame, error);
}

static slv_result write_obj(slv_export *run, slv_error *error) {
    slv_export_text text;
    slv_result result = slv_sequence_begin(run, &text, error);
    if (result == SLV_OK) {
        result = put_meshes(run, &text);
        slv_sequence_end(run);
    }
    return result;
}

const slv_export_format slv_export_obj = {
    .extension = ".obj",
    .may_change = true,
    .open = open_obj,
    .write = write_obj,
    .finish = slv_sequence_finish,
    .close = slv_sequence_close,
};
