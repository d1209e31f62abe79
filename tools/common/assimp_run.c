// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/assimp_run.h"

#include "tools/common/input_file.h"

#include <assimp/cimport.h>
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
#define MAX_PLY_HEADER                                                                             \
    ((size_t)1 << 20) // bytes, including comments; usual headers have a few hundred

slv_child_limits slv_assimp_limits(const char *path) {
    struct stat status;
    slv_child_limits limits = {.processor_seconds = MAX_SECONDS, .memory = MAX_MEMORY};
    if (stat(path, &status) == 0 &&
        status.st_size / BYTES_PER_SECOND < MAX_SECONDS - BASE_SECONDS) {
        limits.processor_seconds = BASE_SECONDS + (unsigned)(status.st_size / BYTES_PER_SECOND);
    }
    return limits;
}

// The error text of Assimp on one line, without debugging details.
slv_result slv_assimp_explain(slv_error *error) {
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

// By the extension only: Assimp would otherwise read the whole file to try every importer. NULL
// where there is none.
static const char *extension_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(path, '.');
    return dot != NULL && (slash == NULL || dot > slash) && dot[1] != '\0' ? dot : NULL;
}

// True where the text has exactly this line; text after the last newline may be truncated and is
// ignored.
static bool has_line(const char *text, size_t size, const char *line) {
    const size_t length = strlen(line);
    const char *end = text + size;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (newline == NULL) {
            return false;
        }
        size_t here = (size_t)(newline - text);
        here -= here > 0 && text[here - 1] == '\r' ? 1 : 0;
        if (here == length && memcmp(text, line, length) == 0) {
            return true;
        }
        text = newline + 1;
    }
    return false;
}

// Without the end of a PLY header Assimp searches until its time limit.
static slv_result check_ply_header(const char *path, slv_error *error) {
    slv_input_file file;
    slv_result result = slv_input_file_map(path, &file, error);
    if (result != SLV_OK) {
        return result;
    }
    const size_t most = file.size < MAX_PLY_HEADER ? file.size : MAX_PLY_HEADER;
    if (file.size >= 3 && memcmp(file.bytes, "ply", 3) == 0 &&
        !has_line(file.bytes, most, "end_header")) {
        result = slv_fail(error, SLV_ERROR_CONTENT,
                          file.size > most
                              ? "its PLY header has no end_header line in the first %zu bytes"
                              : "its PLY header has no end_header line: truncated after %zu bytes",
                          most);
    }
    slv_input_file_free(&file);
    return result;
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
    return strcasecmp(extension, ".ply") == 0 ? check_ply_header(path, error) : SLV_OK;
}
