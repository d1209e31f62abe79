// SPDX-License-Identifier: MIT
#include "runtime/export/export_text.h"

#include "formats/number_text.h"

#include <string.h>

void slv_text_begin_file(slv_export_text *text, slv_atomic_file *file, slv_error *error) {
    text->file = file;
    text->spool = NULL;
    text->error = error;
    text->result = SLV_OK;
    text->used = 0;
}

void slv_text_begin_spool(slv_export_text *text, slv_export_spool *spool, slv_error *error) {
    slv_text_begin_file(text, NULL, error);
    text->spool = spool;
}

static void send(slv_export_text *text, const void *bytes, size_t size) {
    if (text->result == SLV_OK) {
        text->result = text->file ? slv_atomic_write(text->file, bytes, size, text->error)
                                  : slv_spool_write(text->spool, bytes, size, text->error);
    }
}

void slv_text_put_bytes(slv_export_text *text, const void *bytes, size_t size) {
    if (size > sizeof text->buffer - text->used) {
        send(text, text->buffer, text->used);
        text->used = 0;
        if (size > sizeof text->buffer) {
            send(text, bytes, size);
            return;
        }
    }
    memcpy(text->buffer + text->used, bytes, size);
    text->used += size;
}

void slv_text_put(slv_export_text *text, const char *piece) {
    slv_text_put_bytes(text, piece, strlen(piece));
}

void slv_text_put_count(slv_export_text *text, uint64_t number) {
    char digits[SLV_NUMBER_TEXT];
    slv_text_put_bytes(text, digits, slv_text_of_uint(number, digits));
}

void slv_text_put_float(slv_export_text *text, float number) {
    char digits[SLV_NUMBER_TEXT];
    slv_text_put_bytes(text, digits, slv_text_of_float(number, digits));
}

void slv_text_put_double(slv_export_text *text, double number) {
    char digits[SLV_NUMBER_TEXT];
    slv_text_put_bytes(text, digits, slv_text_of_double(number, digits));
}

void slv_text_put_floats(slv_export_text *text, const float *numbers, size_t count,
                         const char *separator) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            slv_text_put(text, separator);
        }
        slv_text_put_float(text, numbers[i]);
    }
}

void slv_text_put_position(slv_export_text *text, const double position[3], const char *separator) {
    for (int d = 0; d < 3; d++) {
        slv_text_put(text, d > 0 ? separator : "");
        slv_text_put_double(text, position[d]);
    }
}

slv_result slv_text_end(slv_export_text *text) {
    send(text, text->buffer, text->used);
    text->used = 0;
    return text->result;
}
