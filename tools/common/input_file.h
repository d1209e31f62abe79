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
    char *bytes; // read-only where mapped; a zero follows the last one where not
    size_t size;
    bool mapped;
} slv_input_file;

// All of these: SLV_ERROR_FILE for what is missing, unreadable or no regular file (a pipe would never
// end), SLV_ERROR_CONTENT for a file without a byte in it or with more than SLV_INPUT_FILE_MAX.

slv_result slv_input_file_check(const char *path, slv_error *error); // and no more

// Its first bytes, up to SLV_INPUT_FILE_HEAD; *length says how many.
slv_result slv_input_file_peek(const char *path, char head[SLV_INPUT_FILE_HEAD], size_t *length,
                               slv_error *error);

// Safe even where another program cuts the file meanwhile.
slv_result slv_input_file_read(const char *path, slv_input_file *file, slv_error *error);

// Takes memory only for the pages that are read. If the file is truncated meanwhile, reading ends the process
// with SIGBUS, so this is for child processes.
slv_result slv_input_file_map(const char *path, slv_input_file *file, slv_error *error);

void slv_input_file_free(slv_input_file *file); // zeroes it

#endif
