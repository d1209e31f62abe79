// SPDX-License-Identifier: MIT
// Positions as text, "frame,particle,x,y,z", a line a point. Garments follow one another; nine digits, so
// that every float can be read back as it was.
#include "runtime/export/export.h"
#include "runtime/export/export_text.h"

static slv_result open_csv(slv_export *run, slv_error *error) {
    slv_atomic_file *file = NULL;
    slv_result result = slv_atomic_open(run->path, &file, error);
    run->work = file;
    if (result == SLV_OK) {
        const char *header = run->particles ? "frame,particle,x,y,z\n" : "frame,vertex,x,y,z\n";
        slv_export_text text;
        slv_text_begin_file(&text, file, error);
        slv_text_put(&text, header);
        result = slv_text_end(&text);
    }
    return result;
}

static slv_result write_csv(slv_export *run, slv_error *error) {
    slv_export_text text;
    slv_text_begin_file(&text, run->work, error);
    uint64_t number = 0;
    for (uint32_t m = 0; m < run->mesh_count; m++) {
        const slv_export_mesh *mesh = &run->meshes[m];
        for (size_t p = 0; p < mesh->point_count; p++) {
            slv_text_put_count(&text, run->frame_count);
            slv_text_put(&text, ",");
            slv_text_put_count(&text, number++);
            slv_text_put(&text, ",");
            slv_export_put_point(&text, run, mesh->points + 3 * p);
            slv_text_put(&text, "\n");
        }
    }
    return slv_text_end(&text);
}

static slv_result finish_csv(slv_export *run, slv_error *error) {
    slv_atomic_file *file = run->work;
    run->work = NULL;
    return slv_atomic_commit(file, error);
}

static void close_csv(slv_export *run) {
    slv_atomic_abandon(run->work);
    run->work = NULL;
}

const slv_export_format slv_export_csv = {
    .extension = ".csv",
    .usually_particles = true,
    .may_change = true,
    .open = open_csv,
    .write = write_csv,
    .finish = finish_csv,
    .close = close_csv,
};
