// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/inspect/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void slv_output_start(slv_output *output, int descriptor) {
    output->descriptor = descriptor;
    output->failure = 0;
    output->used = 0;
}

static void write_all(slv_output *output, const char *bytes, size_t size) {
    while (size > 0 && !output->failure) {
        ssize_t done = write(output->descriptor, bytes, size);
        if (done >= 0) {
            bytes += done;
            size -= (size_t)done;
        } else if (errno != EINTR) {
            output->failure = errno;
        }
    }
}

static void flush(slv_output *output) {
    write_all(output, output->buffer, output->used);
    output->used = 0;
}

void slv_output_bytes(slv_output *output, const void *bytes, size_t size) {
    if (size > SLV_OUTPUT_BUFFER - output->used) {
        flush(output);
        if (size > SLV_OUTPUT_BUFFER) {
            write_all(output, bytes, size);
            return;
        }
    }
    memcpy(output->buffer + output->used, bytes, size);
    output->used += size;
}

void slv_output_text(slv_output *output, const char *text) {
    slv_output_bytes(output, text, strlen(text));
}

void slv_output_format(slv_output *output, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    slv_output_text(output, text);
}

slv_result slv_output_finish(slv_output *output, slv_error *error) {
    flush(output);
    if (output->failure) {
        return slv_fail(error, SLV_ERROR_FILE, "cannot write to standard output: %s",
                        strerror(output->failure));
    }
    return SLV_OK;
}
