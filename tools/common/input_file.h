// SPDX-License-Identifier: MIT
// An input file: checked, read in part, read whole or mapped.
#ifndef SLV_TOOLS_INPUT_FILE_H
#define SLV_TOOLS_INPUT_FILE_H

#include "formats/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLV_INPUT_FILE_MAX (UINT64_C(4) << 30) // bytes; a mesh beyond that is a mistake
#define SLV_INPUT_FILE_HEAD 4096               // bytes that tell what a file is

typedef struct slv_input_file {
    char *bytes; // read-only where mapped; otherwise followed by a zero byte
    size_t size;
    bool mapped;
} slv_input_file;

// All functions: SLV_ERROR_FILE for missing, unreadable or not regular files (a pipe may never
// end), SLV_ERROR_CONTENT for empty files and files of more than SLV_INPUT_FILE_MAX bytes.

slv_result slv_input_file_check(const char *path, slv_error *error); // only checks

// Reads the first bytes, up to SLV_INPUT_FILE_HEAD; *length is their number.
slv_result slv_input_file_peek(const char *path, char head[SLV_INPUT_FILE_HEAD], size_t *length,
                               slv_error *error);

// Reads the file into memory; safe if another program truncates it meanwhile.
slv_result slv_input_file_read(const char *path, slv_input_file *file, slv_error *error);

// Maps the file; only pages that are read need memory. If the file is truncated meanwhile, reading
// raises SIGBUS, so use this in child processes only.
slv_result slv_input_file_map(const char *path, slv_input_file *file, slv_error *error);

void slv_input_file_free(slv_input_file *file); // zeroes it

#endif
