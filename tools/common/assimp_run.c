// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // RTLD_DEFAULT
#include "tools/common/assimp_run.h"

#include "tools/common/ply_header.h"

#include <assimp/cimport.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// Some importers loop on damaged files. The time limit grows with the size of the file: far more
// than valid files need, and short for small ones.
#define BASE_SECONDS 10u
#define MAX_SECONDS 120u
#define BYTES_PER_SECOND 200000 // slower than the slowest text format
#define MAX_MEMORY (UINT64_C(4) << 30)

slv_child_limits slv_assimp_limits(const char *path, bool allow_paths) {
    struct stat status;
    slv_child_limits limits = {.processor_seconds = MAX_SECONDS,
                               .memory = MAX_MEMORY,
                               .input = path,
                               .any_file = allow_paths};
    if (stat(path, &status) == 0 &&
        status.st_size / BYTES_PER_SECOND < MAX_SECONDS - BASE_SECONDS) {
        limits.processor_seconds = BASE_SECONDS + (unsigned)(status.st_size / BYTES_PER_SECOND);
    }
    return limits;
}

// std::set_new_handler: Assimp brings the C++ library along, these tools are not linked to it.
void slv_assimp_watch_memory(void) {
    typedef void (*handler)(void);
    handler (*set_handler)(handler) = NULL;
    *(void **)&set_handler = dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE");
    if (set_handler != NULL) {
        (void)set_handler(slv_child_out_of_memory);
    }
}

// The error text of Assimp on one line, without debugging details.
static slv_result explain_text(slv_error *error) {
    const char *reason = aiGetErrorString();
    if (reason == NULL || reason[0] == '\0') {
        return slv_fail(error, SLV_ERROR_CONTENT, "Assimp cannot read it");
    }
    if (strstr(reason, "bad_alloc")) {
        return slv_fail(error, SLV_ERROR_MEMORY,
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

slv_result slv_assimp_explain(const slv_assimp_files *files, slv_error *error) {
    slv_result result = slv_assimp_files_error(files, error);
    result = result == SLV_OK ? slv_assimp_files_refusal(files, error) : result;
    return result == SLV_OK ? explain_text(error) : result;
}

// By the extension only: Assimp would otherwise read the whole file to try every importer. NULL
// where there is none.
static const char *extension_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(path, '.');
    return dot != NULL && (slash == NULL || dot > slash) && dot[1] != '\0' ? dot : NULL;
}

slv_result slv_assimp_check_file(const char *path, slv_error *error) {
    const char *extension = extension_of(path);
    if (extension == NULL) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "no extension in the name, like .obj, .ply or .gltf");
    }
    if (!aiIsExtensionSupported(extension)) {
        return slv_fail(error, SLV_ERROR_CONTENT, "no importer for '%s' files", extension);
    }
    return strcasecmp(extension, ".ply") == 0 ? slv_ply_header_check(path, error) : SLV_OK;
}
