// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/assimp_import.h"

#include "tools/common/assimp_files.h"
#include "tools/common/assimp_run.h"
#include "tools/common/assimp_scene.h"
#include "tools/common/assimp_texture.h"
#include "tools/common/child_process.h"
#include "tools/common/mesh_stream.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>

// Not all readers of Assimp check their input. It runs in a child process with limits; the parent
// receives a flat mesh and checks it, or receives a message.

// --- in the child --------------------------------------------------------------------------------

static slv_result import(const char *path, slv_assimp_files *files, slv_import_result *result) {
    if (slv_assimp_check_file(path, &result->error) != SLV_OK) {
        return result->error.code;
    }
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (properties == NULL) {
        return slv_no_memory(&result->error);
    }
    // Without this flag Assimp adds triangles for a skeleton without a mesh.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene =
        aiImportFileExWithProperties(path, 0, slv_assimp_files_io(files), properties);
    if (scene == NULL) {
        return slv_assimp_explain(files, &result->error);
    }
    slv_result code = slv_assimp_flatten(scene, &result->raw, &result->error);
    if (code == SLV_OK && result->raw.uv_count > 0) {
        code = slv_assimp_find_texture(scene, path, files, &result->raw, &result->error);
    }
    if (code == SLV_OK) {
        code = slv_assimp_files_report(files, &result->files, &result->hash, &result->error);
    }
    return code;
}

typedef struct import_job {
    const char *path;
    bool allow_paths;
} import_job;

// Memory is not freed: the process ends when this returns.
static void work(FILE *out, void *context) {
    const import_job *job = context;
    slv_import_result result = {.hash = 0};
    slv_assimp_watch_memory();
    slv_assimp_files *files = slv_assimp_files_create(job->path, job->allow_paths);
    if (files == NULL) {
        (void)slv_no_memory(&result.error);
    } else {
        (void)import(job->path, files, &result);
    }
    slv_import_result_write(&result, out);
}

// --- in the parent -------------------------------------------------------------------------------

slv_result slv_assimp_import(const char *path, bool allow_paths, slv_raw_mesh *raw,
                             slv_file_list *files, uint64_t *hash, slv_error *error) {
    import_job job = {path, allow_paths};
    slv_child_limits limits = slv_assimp_limits(path);
    slv_child child;
    slv_result code = slv_child_start(&limits, work, &job, &child, error);
    if (code != SLV_OK) {
        return code;
    }
    slv_import_result result;
    bool complete = slv_import_result_read(child.output, &result);
    code = slv_child_finish(&child, complete, error);
    if (code == SLV_OK && result.error.code != SLV_OK) {
        code = slv_fail(error, result.error.code, "%s", result.error.text);
    }
    if (code == SLV_OK) {
        *raw = result.raw;
        *hash = result.hash;
        result.raw = (slv_raw_mesh){.positions = NULL};
        if (files) {
            *files = result.files;
            result.files = (slv_file_list){.paths = NULL};
        }
    }
    slv_import_result_free(&result);
    return code;
}
