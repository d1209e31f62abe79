// SPDX-License-Identifier: MIT
// Text written to a file in pieces. After a failure nothing more is written, so that a
// writer of a hundred pieces checks once, at the end.
#ifndef SLV_RUNTIME_EXPORT_EXPORT_TEXT_H
#define SLV_RUNTIME_EXPORT_EXPORT_TEXT_H

#include "formats/atomic_file.h"
#include "runtime/export/export_spool.h"

#include <stddef.h>
#include <stdint.h>

typedef struct slv_export_text {
    slv_atomic_file *file; // one of the two
    slv_export_spool *spool;
    slv_error *error;
    slv_result result;
    size_t used;
    char buffer[1 << 14];
} slv_export_text;

void slv_text_begin_file(slv_export_text *text, slv_atomic_file *file, slv_error *error);
void slv_text_begin_spool(slv_export_text *text, slv_export_spool *spool, slv_error *error);

void slv_text_put(slv_export_text *text, const char *piece);
void slv_text_put_bytes(slv_export_text *text, const void *bytes, size_t size);
void slv_text_put_count(slv_export_text *text, uint64_t number);
void slv_text_put_float(slv_export_text *text, float number); // nine digits: reads back the same
void slv_text_put_double(slv_export_text *text, double number);
// Floats with the separator between them.
void slv_text_put_floats(slv_export_text *text, const float *numbers, size_t count,
                         const char *separator);

// Three doubles.
void slv_text_put_position(slv_export_text *text, const double position[3], const char *separator);

// Sends on what is buffered; the first failure of all that was put.
slv_result slv_text_end(slv_export_text *text);

#endif
