// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/export/export_spool.h"

#include "formats/unnamed_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static slv_result fail(slv_error *error, const char *what) {
    return slv_fail(error, SLV_ERROR_FILE, "cannot %s its temporary file: %s", what,
                    strerror(errno));
}

slv_result slv_spool_open(slv_export_spool *spool, const char *target, slv_error *error) {
    const int descriptor = slv_unnamed_file(target);
    spool->file = descriptor >= 0 ? fdopen(descriptor, "w+b") : NULL;
    if (!spool->file) {
        const slv_result result = errno == ENOMEM ? slv_no_memory(error) : fail(error, "create");
        if (descriptor >= 0) {
            (void)close(descriptor);
        }
        return result;
    }
    return SLV_OK;
}

slv_result slv_spool_write(slv_export_spool *spool, const void *bytes, size_t size,
                           slv_error *error) {
    if (fwrite(bytes, 1, size, spool->file) != size) {
        return fail(error, "write");
    }
    spool->size += size;
    return SLV_OK;
}

typedef slv_result write_function(void *to, const void *bytes, size_t size, slv_error *error);

slv_result slv_spool_rewind(slv_export_spool *spool, slv_error *error) {
    return fflush(spool->file) == 0 && fseeko(spool->file, 0, SEEK_SET) == 0 ? SLV_OK
                                                                             : fail(error, "write");
}

static slv_result copy_next(slv_export_spool *spool, uint64_t left, write_function *write_to,
                            void *to, slv_error *error) {
    slv_result result = SLV_OK;
    char bytes[1 << 14];
    while (left > 0 && result == SLV_OK) {
        const size_t size = left < sizeof bytes ? (size_t)left : sizeof bytes;
        if (fread(bytes, 1, size, spool->file) != size) {
            return fail(error, "read");
        }
        result = write_to(to, bytes, size, error);
        left -= size;
    }
    return result;
}

static slv_result copy(slv_export_spool *spool, write_function *write_to, void *to,
                       slv_error *error) {
    slv_result result = slv_spool_rewind(spool, error);
    if (result == SLV_OK) {
        result = copy_next(spool, spool->size, write_to, to, error);
    }
    if (result == SLV_OK && fseeko(spool->file, 0, SEEK_END) != 0) {
        return fail(error, "read");
    }
    return result;
}

static slv_result write_file(void *to, const void *bytes, size_t size, slv_error *error) {
    return slv_atomic_write(to, bytes, size, error);
}

static slv_result write_spool(void *to, const void *bytes, size_t size, slv_error *error) {
    return slv_spool_write(to, bytes, size, error);
}

slv_result slv_spool_copy(slv_export_spool *spool, slv_atomic_file *file, slv_error *error) {
    return copy(spool, write_file, file, error);
}

slv_result slv_spool_copy_next(slv_export_spool *spool, uint64_t size, slv_atomic_file *file,
                               slv_error *error) {
    return copy_next(spool, size, write_file, file, error);
}

slv_result slv_spool_append(slv_export_spool *spool, slv_export_spool *to, slv_error *error) {
    return copy(spool, write_spool, to, error);
}

void slv_spool_close(slv_export_spool *spool) {
    if (spool->file) {
        (void)fclose(spool->file);
    }
    *spool = (slv_export_spool){.file = NULL};
}
