// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath
#include "formats/named_path.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static slv_result refuse(const char *name, slv_error *error) {
    return slv_fail(
        error, SLV_ERROR_CONTENT,
        "'%.120s' is absolute or leads out of the folder of the file that names it; --allow-paths permits that",
        name);
}

static size_t folder_length(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? (size_t)(slash - file) + 1 : 0;
}

static bool has_parent(const char *name) {
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/' ? 1 : 0;
        if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == '\0')) {
            return true;
        }
    }
    return false;
}

// The folder of a file, links followed; to be freed. NULL with errno set.
static char *real_folder(const char *file) {
    const size_t length = folder_length(file);
    char *folder = length > 0 ? strndup(file, length) : strdup(".");
    char *real = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return real;
}

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    length -= length > 0 && folder[length - 1] == '/' ? 1 : 0; // the root
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

// Where neither exists, opening the file will say so.
slv_result slv_named_path_check_links(const char *file, const char *path, slv_error *error) {
    char *folder = real_folder(file);
    const bool no_folder_memory = !folder && errno == ENOMEM;
    char *real = folder ? realpath(path, NULL) : NULL;
    const bool no_memory = no_folder_memory || (folder && !real && errno == ENOMEM);
    const bool outside = real && !is_below(real, folder);
    free(folder);
    free(real);
    return no_memory ? slv_no_memory(error) : outside ? refuse(path, error) : SLV_OK;
}

slv_result slv_named_path_check(const char *file, const char *name, slv_error *error) {
    if (name[0] == '/' || has_parent(name)) {
        return refuse(name, error);
    }
    const size_t folder = folder_length(file);
    const size_t length = strlen(name);
    char *path = malloc(folder + length + 1);
    if (!path) {
        return slv_no_memory(error);
    }
    memcpy(path, file, folder);
    memcpy(path + folder, name, length + 1);
    const slv_result result = slv_named_path_check_links(file, path, error);
    free(path);
    return result;
}
