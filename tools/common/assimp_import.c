// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/assimp_import.h"

#include "tools/common/assimp_files.h"
#include "tools/common/assimp_scene.h"
#include "tools/common/child_process.h"
#include "tools/common/mesh_stream.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <string.h>
#include <sys/stat.h>

// Assimp reads dozens of formats, not all of them as carefully as a stranger's file needs. It works
// in a child with limits; the parent takes back a flat mesh, checked, or a message.

// Damaged files send some importers round in circles, so that time is given by the size of the file:
// far more than any whole one needs, without letting ten bytes spin for minutes.
#define BASE_SECONDS 10u
#define MAX_SECONDS 120u
#define BYTES_PER_SECOND 200000 // slower than the slowest text format
#define MAX_MEMORY (UINT64_C(4) << 30)

static slv_child_limits choose_limits(const char *path) {
    struct stat status;
    slv_child_limits limits = {.processor_seconds = MAX_SECONDS, .memory = MAX_MEMORY};
    if (stat(path, &status) == 0 &&
        status.st_size / BYTES_PER_SECOND < MAX_SECONDS - BASE_SECONDS) {
        limits.processor_seconds = BASE_SECONDS + (unsigned)(status.st_size / BYTES_PER_SECOND);
    }
    return limits;
}

// --- in the child --------------------------------------------------------------------------------

// Assimp's words on one line, without what only a debugger wants.
static slv_result explain(slv_error *error) {
    const char *reason = aiGetErrorString();
    if (reason == NULL || reason[0] == '\0') {
        return slv_fail(error, SLV_ERROR_CONTENT, "Assimp cannot read it");
    }
    if (strstr(reason, "bad_alloc")) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "Assimp cannot read it within %llu GiB of memory: it is damaged or too "
                        "large",
                        (unsigned long long)(MAX_MEMORY >> 30));
    }
    char line[256];
    size_t length = 0;
    for (; reason[length] && length < sizeof line - 1; length++) {
        line[length] = (unsigned char)reason[length] < ' ' ? ' ' : reason[length];
    }
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '.')) {
        length--;
    }
    return slv_fail(error, SLV_ERROR_CONTENT, "Assimp cannot read it: %.*s", (int)length, line);
}

// By the name alone: to try every importer's luck, Assimp would read the whole file. NULL where there
// is none.
static const char *extension_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(path, '.');
    return dot != NULL && (slash == NULL || dot > slash) && dot[1] != '\0' ? dot : NULL;
}

static slv_result check_extension(const char *path, slv_error *error) {
    const char *extension = extension_of(path);
    if (extension == NULL) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "no extension in the name that tells the format, like .obj, .ply or .gltf");
    }
    if (!aiIsExtensionSupported(extension)) {
        return slv_fail(error, SLV_ERROR_CONTENT, "no importer for '%s' files", extension);
    }
    return SLV_OK;
}

static slv_result import(const char *path, slv_assimp_files *files, slv_import_result *result) {
    if (check_extension(path, &result->error) != SLV_OK) {
        return result->error.code;
    }
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (properties == NULL) {
        return slv_fail(&result->error, SLV_ERROR_INTERNAL, "out of memory");
    }
    // A file with bones alone would otherwise get triangles that nobody modelled.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene =
        aiImportFileExWithProperties(path, 0, slv_assimp_files_io(files), properties);
    if (scene == NULL) {
        return slv_assimp_files_error(files, &result->error) == SLV_OK ? explain(&result->error)
                                                                       : result->error.code;
    }
    slv_result code = slv_assimp_flatten(scene, &result->raw, &result->error);
    if (code == SLV_OK) {
        code = slv_assimp_files_report(files, &result->files, &result->hash, &result->error);
    }
    return code;
}

typedef struct import_job {
    const char *path;
} import_job;

// Nothing is freed: the process ends when this returns.
static void work(FILE *out, void *context) {
    const import_job *job = context;
    slv_import_result result = {.hash = 0};
    slv_assimp_files *files = slv_assimp_files_create();
    if (files == NULL) {
        (void)slv_fail(&result.error, SLV_ERROR_INTERNAL, "out of memory");
    } else {
        (void)import(job->path, files, &result);
    }
    slv_import_result_write(&result, out);
}

// --- in the parent -------------------------------------------------------------------------------

slv_result slv_assimp_import(const char *path, slv_raw_mesh *raw, slv_file_list *files,
                             uint64_t *hash, slv_error *error) {
    import_job job = {path};
    slv_child_limits limits = choose_limits(path);
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
