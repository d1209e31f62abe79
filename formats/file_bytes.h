// SPDX-License-Identifier: MIT
// The bytes of a regular file, mapped or copied, 64-byte aligned.
#ifndef SLV_FORMATS_FILE_BYTES_H
#define SLV_FORMATS_FILE_BYTES_H

#include "formats/result.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct slv_file_bytes {
    void *bytes; // not to be written to when mapped; NULL when that is empty
    size_t size;
    bool mapped;
} slv_file_bytes;

// Opens a file for reading, if it is a regular one: a pipe may never end, and opening a device may act on it. The
// descriptor is to be closed.
slv_result slv_file_open_regular(const char *path, int *descriptor, size_t *size, slv_error *error);

slv_result slv_file_bytes_map(const char *path, slv_file_bytes *file, slv_error *error);
slv_result slv_file_bytes_copy(const char *path, slv_file_bytes *file, slv_error *error);
// The first head_size bytes, zeros where the file has fewer: enough to refuse gigabytes that are no pack
// without reading them. What was seen may have changed when the file is opened again.
slv_result slv_file_bytes_head(const char *path, void *head, size_t head_size, size_t *file_size,
                               slv_error *error);
void slv_file_bytes_free(slv_file_bytes *file);

// size bytes at a 64-byte boundary, for free(); never NULL for size 0. NULL when memory is short.
void *slv_aligned_bytes(size_t size);

#endif
