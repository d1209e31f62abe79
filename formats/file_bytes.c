// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // MAP_POPULATE
#include "formats/file_bytes.h"

#include "formats/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static slv_result check_regular(const struct stat *status, slv_error *error) {
    return S_ISREG(status->st_mode)   ? SLV_OK
           : S_ISDIR(status->st_mode) ? slv_fail(error, SLV_ERROR_FILE, "is a directory")
                                      : slv_fail(error, SLV_ERROR_FILE, "is not a regular file");
}

// Checked twice: the first time because opening a device may act on it, the second time because the path may
// lead elsewhere by then. O_NONBLOCK: opening a pipe must not block; regular files ignore it.
slv_result slv_file_open_regular(const char *path, int *descriptor, size_t *size,
                                 slv_error *error) {
    struct stat status;
    if (stat(path, &status) == 0 && check_regular(&status, error) != SLV_OK) {
        return SLV_ERROR_FILE;
    }
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (*descriptor < 0) {
        return slv_fail(error, SLV_ERROR_FILE, "cannot open: %s", strerror(errno));
    }
    slv_result result = SLV_OK;
    if (fstat(*descriptor, &status) != 0) {
        result = slv_fail(error, SLV_ERROR_FILE, "cannot read: %s", strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        result = check_regular(&status, error);
    } else if ((uintmax_t)status.st_size > SIZE_MAX / 2) {
        result = slv_fail(error, SLV_ERROR_FILE, "is larger than this machine can address");
    } else {
        *size = (size_t)status.st_size;
    }
    if (result != SLV_OK) {
        (void)close(*descriptor);
    }
    return result;
}

void *slv_aligned_bytes(size_t size) {
    const size_t alignment = SLV_SECTION_ALIGNMENT;
    if (size > SIZE_MAX - alignment) {
        return NULL;
    }
    return aligned_alloc(alignment, (size / alignment + 1) * alignment);
}

// Every byte will be read at once to verify it, so the pages are mapped in one go rather than fault
// by fault.
slv_result slv_file_bytes_map(const char *path, slv_file_bytes *file, slv_error *error) {
    *file = (slv_file_bytes){.mapped = true};
    int descriptor = -1;
    slv_result result = slv_file_open_regular(path, &descriptor, &file->size, error);
    if (result != SLV_OK) {
        return result;
    }
    if (file->size > 0) {
        void *bytes = mmap(NULL, file->size, PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor, 0);
        if (bytes == MAP_FAILED) {
            result = slv_fail(error, SLV_ERROR_FILE, "cannot map: %s", strerror(errno));
        } else {
            file->bytes = bytes;
        }
    }
    (void)close(descriptor);
    return result;
}

static slv_result read_all(int descriptor, unsigned char *bytes, size_t size, slv_error *error) {
    size_t have = 0;
    while (have < size) {
        ssize_t got = read(descriptor, bytes + have, size - have);
        if (got == 0) {
            return slv_fail(error, SLV_ERROR_FILE, "became shorter while it was read");
        }
        if (got < 0 && errno != EINTR) {
            return slv_fail(error, SLV_ERROR_FILE, "cannot read: %s", strerror(errno));
        }
        have += got > 0 ? (size_t)got : 0;
    }
    return SLV_OK;
}

slv_result slv_file_bytes_copy(const char *path, slv_file_bytes *file, slv_error *error) {
    *file = (slv_file_bytes){.mapped = false};
    int descriptor = -1;
    slv_result result = slv_file_open_regular(path, &descriptor, &file->size, error);
    if (result != SLV_OK) {
        return result;
    }
    unsigned char *bytes = slv_aligned_bytes(file->size);
    if (bytes) {
        file->bytes = bytes;
        result = read_all(descriptor, bytes, file->size, error);
    } else {
        result =
            slv_fail(error, SLV_ERROR_MEMORY, "out of memory: the file has %zu bytes", file->size);
    }
    (void)close(descriptor);
    if (result != SLV_OK) {
        slv_file_bytes_free(file);
    }
    return result;
}

slv_result slv_file_bytes_head(const char *path, void *head, size_t head_size, size_t *file_size,
                               slv_error *error) {
    memset(head, 0, head_size);
    int descriptor = -1;
    slv_result result = slv_file_open_regular(path, &descriptor, file_size, error);
    if (result == SLV_OK) {
        size_t there = *file_size < head_size ? *file_size : head_size;
        result = read_all(descriptor, head, there, error);
        (void)close(descriptor);
    }
    return result;
}

void slv_file_bytes_free(slv_file_bytes *file) {
    if (!file->mapped) {
        free(file->bytes);
    } else if (file->bytes) {
        (void)munmap(file->bytes, file->size);
    }
    *file = (slv_file_bytes){0};
}
