// SPDX-License-Identifier: MIT
// A file that appears whole or not at all: written under a temporary name in the target's folder,
// flushed, then renamed over the target. A killed program leaves the old file or the new one.
#ifndef SLV_FORMATS_ATOMIC_FILE_H
#define SLV_FORMATS_ATOMIC_FILE_H

#include "formats/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slv_atomic_file slv_atomic_file;

// Refuses a target that is a directory or whose folder is missing, before any work is done. A target
// that is no regular file (a pipe, /dev/stdout, /dev/null) is written to directly.
slv_result slv_atomic_open(const char *path, slv_atomic_file **file, slv_error *error);
slv_result slv_atomic_write(slv_atomic_file *file, const void *bytes, size_t size,
                            slv_error *error);
// Overwrites bytes already written, e.g. a header that had to wait. Fails where the target cannot
// seek (a pipe).
slv_result slv_atomic_write_at(slv_atomic_file *file, uint64_t offset, const void *bytes,
                               size_t size, slv_error *error);
// Both free the file.
slv_result slv_atomic_commit(slv_atomic_file *file, slv_error *error);
void slv_atomic_abandon(slv_atomic_file *file); // NULL is fine

// Whether a name is one that slv_atomic_open gives to temporary files: what a killed program may
// leave behind, and no reader should take for its file.
bool slv_atomic_is_temporary(const char *path);

#endif
