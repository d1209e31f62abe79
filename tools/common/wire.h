// SPDX-License-Identifier: MIT
// Serialization of numbers, texts and arrays between a child and its parent, in native byte order
// because both are one program. The sender has processed an untrusted file, so the receiver checks
// everything: each read is false where the stream ends early or a count is out of range.
#ifndef SLV_TOOLS_WIRE_H
#define SLV_TOOLS_WIRE_H

#include "formats/result.h"
#include "tools/common/file_list.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Write errors are reported when the stream is closed.
void slv_wire_write_number(FILE *out, uint32_t number);
void slv_wire_write_text(FILE *out, const char *text);
void slv_wire_write_array(FILE *out, const void *array, uint32_t count, size_t size);
void slv_wire_write_files(FILE *out, const slv_file_list *files);

bool slv_wire_read_number(FILE *in, uint32_t *number);
bool slv_wire_read_text(FILE *in, char **text); // to be freed
// *array must be NULL; it grows as data arrives and is freed by the caller, also on failure.
bool slv_wire_read_array(FILE *in, void **array, uint32_t *count, size_t size);
bool slv_wire_read_files(FILE *in, slv_file_list *files);
// Reads the text of an error with that code.
bool slv_wire_read_error(FILE *in, slv_error *error, uint32_t code);

#endif
