// SPDX-License-Identifier: MIT
// Bytes that must wait for something that comes before them in the file, such as how many there are. They
// wait on disk, beside the target, in a file without a name: memory stays small however long the run,
// and nothing is left behind, not even by a program that is killed.
#ifndef SLV_RUNTIME_EXPORT_EXPORT_SPOOL_H
#define SLV_RUNTIME_EXPORT_EXPORT_SPOOL_H

#include "formats/atomic_file.h"

#include <stdint.h>
#include <stdio.h>

typedef struct slv_export_spool { // starts zeroed
    FILE *file;
    uint64_t size;
} slv_export_spool;

slv_result slv_spool_open(slv_export_spool *spool, const char *target, slv_error *error);
slv_result slv_spool_write(slv_export_spool *spool, const void *bytes, size_t size,
                           slv_error *error);
// Everything that was written, in order, to the end of a file.
slv_result slv_spool_copy(slv_export_spool *spool, slv_atomic_file *file, slv_error *error);
// The same in parts: from the first byte on, then from where the last part ended.
slv_result slv_spool_rewind(slv_export_spool *spool, slv_error *error);
slv_result slv_spool_copy_next(slv_export_spool *spool, uint64_t size, slv_atomic_file *file,
                               slv_error *error);
// Everything to the end of another spool.
slv_result slv_spool_append(slv_export_spool *spool, slv_export_spool *to, slv_error *error);
void slv_spool_close(slv_export_spool *spool); // one that was never opened is fine

#endif
