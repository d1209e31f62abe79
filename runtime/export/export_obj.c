// SPDX-License-Identifier: MIT
// Wavefront OBJ: FILE_0000.obj, FILE_0001.obj, …, a file a frame. They wait in a spool and appear together
// after the last frame.
#include "formats/signal_hold.h"
#include "runtime/export/export.h"
#include "runtime/export/export_spool.h"
#include "runtime/export/export_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

typedef struct obj_sequence {
    slv_export_spool spool; // the files, one after another
    uint64_t *sizes;        // [room] bytes of each
    uint64_t room;
} obj_sequence;

static char *name_frame(const slv_export *run, uint64_t frame) {
    char ending[32];
    (void)snprintf(ending, sizeof ending, "_%04" PRIu64 ".obj", frame);
    return slv_export_beside(run, ending);
}

// Where the first file could not be created, there is no use in simulating.
static slv_result check_writable(const slv_export *run, slv_error *error) {
    slv_atomic_file *file = NULL;
    char *path = name_frame(run, 0);
    slv_result result = path ? slv_atomic_open(path, &file, error) : slv_no_memory(error);
    slv_atomic_abandon(file);
    free(path);
    return result;
}

static slv_result open_obj(slv_export *run, slv_error *error) {
    obj_sequence *sequence = calloc(1, sizeof *sequence);
    run->work = sequence;
    slv_result result = sequence ? check_writable(run, error) : slv_no_memory(error);
    return result == SLV_OK ? slv_spool_open(&sequence->spool, run->path, error) : result;
}

static slv_result reserve(obj_sequence *sequence, uint64_t count, slv_error *error) {
    if (count <= sequence->room) {
        return SLV_OK;
    }
    const uint64_t room = 2 * count + 64;
    uint64_t *sizes = realloc(sequence->sizes, (size_t)room * sizeof *sizes);
    if (!sizes) {
        return slv_no_memory(error);
    }
    sequence->sizes = sizes;
    sequence->room = room;
    return SLV_OK;
}

static slv_result write_obj(slv_export *run, slv_error *error) {
    obj_sequence *sequence = run->work;
    const uint64_t before = sequence->spool.size;
    slv_result result = reserve(sequence, run->frame_count + 1, error);
    if (result == SLV_OK) {
        slv_export_text text;
        slv_text_begin_spool(&text, &sequence->spool, error);
        result = put_meshes(run, &text);
        sequence->sizes[run->frame_count] = sequence->spool.size - before;
    }
    return result;
}

// The next file of the spool under its temporary name.
static slv_result write_file(slv_export *run, uint64_t frame, slv_atomic_file **file,
                             slv_error *error) {
    obj_sequence *sequence = run->work;
    char *path = name_frame(run, frame);
    slv_result result = path ? slv_atomic_open(path, file, error) : slv_no_memory(error);
    free(path);
    if (result == SLV_OK) {
        result = slv_spool_copy_next(&sequence->spool, sequence->sizes[frame], *file, error);
    }
    return result == SLV_OK ? slv_atomic_flush(*file, error) : result;
}

static slv_result publish(slv_export *run, slv_atomic_file **files, slv_error *error) {
    slv_result result = slv_spool_rewind(&((obj_sequence *)run->work)->spool, error);
    uint64_t frame = 0;
    for (; frame < run->frame_count && result == SLV_OK; frame++) {
        result = slv_signal_is_deferred() ? slv_fail(error, SLV_ERROR_FILE, "interrupted")
                                          : write_file(run, frame, &files[frame], error);
    }
    if (result == SLV_OK) {
        return slv_atomic_publish_all(files, (size_t)run->frame_count, NULL, error);
    }
    while (frame-- > 0) {
        slv_atomic_abandon(files[frame]);
    }
    return result;
}

static slv_result finish_obj(slv_export *run, slv_error *error) {
    slv_atomic_file **files = calloc((size_t)run->frame_count, sizeof(slv_atomic_file *));
    if (!files) {
        return slv_no_memory(error);
    }
    slv_signal_hold(); // more files than a signal handler can list
    const slv_result result = publish(run, files, error);
    slv_signal_release();
    free(files);
    return result;
}

static void close_obj(slv_export *run) {
    obj_sequence *sequence = run->work;
    slv_spool_close(&sequence->spool);
    free(sequence->sizes);
    free(sequence);
    run->work = NULL;
}

const slv_export_format slv_export_obj = {
    .extension = ".obj",
    .may_change = true,
    .open = open_obj,
    .write = write_obj,
    .finish = finish_obj,
    .close = close_obj,
};
