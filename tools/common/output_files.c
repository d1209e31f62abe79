// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/output_files.h"

#include <assert.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Before the work ----------------------------------------------------------------------------

static bool is_special(const char *path) { // a device or pipe: opening it may have side effects
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static slv_result check_writable(const char *path, slv_error *error) {
    slv_atomic_file *file = NULL;
    if (is_special(path)) {
        return SLV_OK;
    }
    const slv_result result = slv_atomic_open(path, &file, error);
    slv_atomic_abandon(file);
    return result;
}

static bool is_among(const char *path, const char *const *others, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (others[i] != NULL && slv_atomic_same_target(path, others[i])) {
            return true;
        }
    }
    return false;
}

slv_result slv_output_files_check(const char *const *outputs, size_t output_count,
                                  const char *const *inputs, size_t input_count,
                                  const char **error_source, slv_error *error) {
    slv_result result = SLV_OK;
    for (size_t n = 0; n < output_count && result == SLV_OK; n++) {
        const char *path = outputs[n];
        if (path == NULL) {
            continue;
        }
        *error_source = path[0] != '\0' ? path : NULL;
        if (path[0] == '\0') {
            result = slv_fail(error, SLV_ERROR_ARGUMENT, "the name of an output file is empty");
        } else if (is_among(path, outputs, n)) {
            result = slv_fail(error, SLV_ERROR_ARGUMENT, "two outputs would go to this one file");
        } else if (is_among(path, inputs, input_count)) {
            result = slv_fail(error, SLV_ERROR_ARGUMENT, "would overwrite a file that is read");
        } else {
            result = check_writable(path, error);
        }
    }
    return result;
}

bool slv_is_standard_output(const char *path) {
    struct stat status;
    struct stat standard;
    return path != NULL && stat(path, &status) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
           status.st_dev == standard.st_dev && status.st_ino == standard.st_ino;
}

// --- Writing ------------------------------------------------------------------------------------

slv_result slv_output_files_open(slv_output_files *list, const char *path, slv_atomic_file **file,
                                 slv_error *error) {
    const slv_result result = slv_atomic_open(path, file, error);
    if (result == SLV_OK) {
        slv_output_files_take(list, path, *file);
    }
    return result;
}

void slv_output_files_take(slv_output_files *list, const char *path, slv_atomic_file *file) {
    assert(list->count < SLV_OUTPUT_FILES_MAX);
    list->paths[list->count] = path;
    list->files[list->count++] = file;
}

slv_result slv_output_files_flush(slv_output_files *list, const char **error_source,
                                  slv_error *error) {
    slv_result result = SLV_OK;
    for (size_t i = 0; i < list->count && result == SLV_OK; i++) {
        *error_source = list->paths[i];
        result = slv_atomic_flush(list->files[i], error);
    }
    return result;
}

slv_result slv_output_files_publish(slv_output_files *list, const char **error_source,
                                    slv_error *error) {
    size_t failed = 0;
    const slv_result result = slv_atomic_publish_all(list->files, list->count, &failed, error);
    if (result != SLV_OK) {
        *error_source = list->paths[failed];
    }
    *list = (slv_output_files){.count = 0};
    return result;
}

uint64_t slv_output_files_size(const slv_output_files *list, const char *path) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->paths[i] == path) {
            return slv_atomic_size(list->files[i]);
        }
    }
    return 0;
}

void slv_output_files_abandon(slv_output_files *list) {
    for (size_t i = 0; i < list->count; i++) {
        slv_atomic_abandon(list->files[i]);
    }
    *list = (slv_output_files){.count = 0};
}
