// SPDX-License-Identifier: MIT
// Wavefront OBJ: FILE_0000.obj, FILE_0001.obj, …, a file a frame. They are written into a hidden folder
// beside their destination and moved there together when the last one is done.
#define _POSIX_C_SOURCE 200809L
#include "runtime/export/export.h"
#include "runtime/export/export_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
static slv_result put_meshes(const slv_export *run, slv_atomic_file *file, slv_error *error) {
    slv_export_text text;
    slv_text_begin_file(&text, file, error);
    slv_text_put(&text, "# Selvage; metres, y up\n");
    uint64_t first_point = 1;
    uint64_t first_uv = 1;
    for (uint32_t m = 0; m < run->mesh_count; m++) {
        const slv_export_mesh *mesh = &run->meshes[m];
        slv_text_put(&text, "g garment_");
        slv_text_put_count(&text, run->garments[m]);
        slv_text_put(&text, "\n");
        put_points(&text, mesh);
        put_faces(&text, mesh, first_point, first_uv);
        first_point += mesh->point_count;
        first_uv += mesh->uvs ? mesh->point_count : 0;
    }
    return slv_text_end(&text);
}

slv_result slv_export_write_obj(const slv_export *run, const char *path, slv_atomic_file **file,
                                slv_error *error) {
    slv_atomic_file *opened = NULL;
    slv_result result = slv_atomic_open(path, &opened, error);
    if (result == SLV_OK) {
        result = put_meshes(run, opened, error);
    }
    if (result == SLV_OK && file) {
        *file = opened;
        return SLV_OK;
    }
    if (result == SLV_OK) {
        return slv_atomic_commit(opened, error);
    }
    slv_atomic_abandon(opened);
    return result;
}

// --- The sequence --------------------------------------------------------------------------------------

typedef struct obj_sequence {
    char *stem;    // the path without its extension
    char *folder;  // hidden, beside the target
    char *waiting; // room for a path in the folder
    char *target;  // room for a path at the end
    size_t room;
} obj_sequence;

static void free_sequence(obj_sequence *sequence) {
    if (sequence) {
        free(sequence->stem);
        free(sequence->folder);
        free(sequence->waiting);
        free(sequence->target);
        free(sequence);
    }
}

static void name_frame(obj_sequence *sequence, uint64_t frame) {
    (void)snprintf(sequence->waiting, sequence->room, "%s/%04" PRIu64 ".obj", sequence->folder,
                   frame);
    (void)snprintf(sequence->target, sequence->room, "%s_%04" PRIu64 ".obj", sequence->stem, frame);
}

static slv_result open_obj(slv_export *run, slv_error *error) {
    obj_sequence *sequence = calloc(1, sizeof *sequence);
    run->work = sequence;
    if (sequence) {
        sequence->stem = slv_export_beside(run, "");
        sequence->folder = slv_export_beside(run, ".selvage-XXXXXX");
        sequence->room = strlen(run->path) + 64;
        sequence->waiting = malloc(sequence->room);
        sequence->target = malloc(sequence->room);
    }
    if (!sequence || !sequence->stem || !sequence->folder || !sequence->waiting ||
        !sequence->target) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    if (!mkdtemp(sequence->folder)) {
        free(sequence->folder);
        sequence->folder = NULL;
        return slv_fail(error, SLV_ERROR_FILE, "cannot create a folder beside it: %s",
                        strerror(errno));
    }
    return SLV_OK;
}

static slv_result write_obj(slv_export *run, slv_error *error) {
    name_frame(run->work, run->frame_count);
    return slv_export_write_obj(run, ((obj_sequence *)run->work)->waiting, NULL, error);
}

static slv_result finish_obj(slv_export *run, slv_error *error) {
    obj_sequence *sequence = run->work;
    for (uint64_t frame = 0; frame < run->frame_count; frame++) {
        name_frame(sequence, frame);
        if (rename(sequence->waiting, sequence->target) != 0) {
            return slv_fail(error, SLV_ERROR_FILE, "%.300s cannot be written: %s", sequence->target,
                            strerror(errno));
        }
    }
    return SLV_OK;
}

static void close_obj(slv_export *run) {
    obj_sequence *sequence = run->work;
    for (uint64_t frame = 0; sequence && sequence->folder && frame <= run->frame_count; frame++) {
        name_frame(sequence, frame);
        (void)unlink(sequence->waiting); // those that did not move
    }
    if (sequence && sequence->folder) {
        (void)rmdir(sequence->folder);
    }
    free_sequence(sequence);
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
