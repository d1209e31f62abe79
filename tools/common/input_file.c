// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static slv_result check_regular(const struct stat *status, slv_error *error) {
    return S_ISREG(status->st_mode)
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_FILE, "is %s; a mesh file is needed",
                          S_ISDIR(status->st_mode) ? "a directory" : "not a regular file");
}

// Checked twice: the first time because opening a device may act on it, the second time because the
// path may lead elsewhere by then. Non-blocking, so that opening a FIFO without a writer does not
// block.
static slv_result open_checked(const char *path, int *descriptor, size_t *size, slv_error *error) {
    struct stat status;
    if (stat(path, &status) == 0 && check_regular(&status, error) != SLV_OK) {
        return SLV_ERROR_FILE;
    }
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return slv_fail(error, SLV_ERROR_FILE, "cannot be opened: %s", strerror(errno));
    }
    slv_result result = SLV_OK;
    if (fstat(fd, &status) != 0) {
        result = slv_fail(error, SLV_ERROR_FILE, "cannot be opened: %s", strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        result = check_regular(&status, error);
    } else if (status.st_size == 0) {
        result = slv_fail(error, SLV_ERROR_CONTENT, "the file is empty");
    } else if ((uintmax_t)status.st_size > SLV_INPUT_FILE_MAX ||
               (uintmax_t)status.st_size > SIZE_MAX / 2) {
        result = slv_fail(error, SLV_ERROR_CONTENT,
                          "%lld bytes are too many, the most is %llu (%llu GiB)",
                          (long long)status.st_size, (unsigned long long)SLV_INPUT_FILE_MAX,
                          (unsigned long long)(SLV_INPUT_FILE_MAX >> 30));
    }
    if (result != SLV_OK) {
        (void)close(fd);
        return result;
    }
    *descriptor = fd;
    *size = (size_t)status.st_size;
    return SLV_OK;
}

slv_result slv_input_file_check(const char *path, slv_error *error) {
    int fd = -1;
    size_t size = 0;
    slv_result result = open_checked(path, &fd, &size, error);
    if (result == SLV_OK) {
        (void)close(fd);
    }
    return result;
}

// Reads up to size bytes; fewer where the file has become shorter.
static slv_result read_all(int fd, char *bytes, size_t size, size_t *length, slv_error *error) {
    *length = 0;
    while (*length < size) {
        ssize_t got = read(fd, bytes + *length, size - *length);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            return slv_fail(error, SLV_ERROR_FILE, "cannot be read: %s", strerror(errno));
        }
        *length += got > 0 ? (size_t)got : 0;
    }
    return SLV_OK;
}

slv_result slv_input_file_peek(const char *path, char head[SLV_INPUT_FILE_HEAD], size_t *length,
                               slv_error *error) {
    int fd = -1;
    size_t size = 0;
    slv_result result = open_checked(path, &fd, &size, error);
    if (result == SLV_OK) {
        result = read_all(fd, head, size < SLV_INPUT_FILE_HEAD ? size : SLV_INPUT_FILE_HEAD, length,
                          error);
        (void)close(fd);
    }
    return result;
}

slv_result slv_input_file_read(const char *path, slv_input_file *file, slv_error *error) {
    *file = (slv_input_file){.bytes = NULL};
    int fd = -1;
    size_t size = 0;
    slv_result result = open_checked(path, &fd, &size, error);
    if (result != SLV_OK) {
        return result;
    }
    file->bytes = malloc(size + 1);
    if (file->bytes == NULL) {
        result = slv_fail(error, SLV_ERROR_MEMORY, "out of memory: the file has %zu bytes", size);
    } else {
        result = read_all(fd, file->bytes, size, &file->size, error);
        file->bytes[file->size] = '\0';
    }
    (void)close(fd);
    if (result != SLV_OK) {
        slv_input_file_free(file);
    }
    return result;
}

slv_result slv_input_file_map(const char *path, slv_input_file *file, slv_error *error) {
    *file = (slv_input_file){.mapped = true};
    int fd = -1;
    slv_result result = open_checked(path, &fd, &file->size, error);
    if (result != SLV_OK) {
        return result;
    }
    void *bytes = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) {
        result = slv_fail(error, SLV_ERROR_MEMORY, "cannot map its %zu bytes: %s", file->size,
                          strerror(errno));
    } else {
        file->bytes = bytes;
    }
    (void)close(fd);
    return result;
}

void slv_input_file_free(slv_input_file *file) {
    if (!file->mapped) {
        free(file->bytes);
    } else if (file->bytes) {
        (void)munmap(file->bytes, file->size);
    }
    *file = (slv_input_file){.bytes = NULL};
}
