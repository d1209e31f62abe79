// SPDX-License-Identifier: MIT
// A file read whole into memory. Reading, not mapping: another program may cut the file meanwhile.
#ifndef SLV_TOOLS_INPUT_FILE_H
#define SLV_TOOLS_INPUT_FILE_H

#include "formats/result.h"

#include <stddef.h>

typedef struct slv_input_file {
    char *bytes; // a zero follows the last one
    size_t size;
} slv_input_file;

// SLV_ERROR_FILE for what is missing, unreadable or no regular file (a pipe would never end),
// SLV_ERROR_CONTENT for a file without a byte in it.
slv_result slv_input_file_read(const char *path, slv_input_file *file, slv_error *error);
void slv_input_file_free(slv_input_file *file); // zeroes it

// The same checks without reading the content.
slv_result slv_input_file_check(const char *path, slv_error *error);

#endif
