// SPDX-License-Identifier: MIT
// Standard output with a large buffer. After the first failure (a full disk, a closed pipe) further
// output is dropped, and slv_output_finish returns the error.
#ifndef SLV_INSPECT_OUTPUT_H
#define SLV_INSPECT_OUTPUT_H

#include "formats/result.h"

#include <stdbool.h>
#include <stddef.h>

#define SLV_OUTPUT_BUFFER 65536u

typedef struct slv_output {
    int descriptor;
    int failure; // errno of the first failed write, 0 for none
    size_t used;
    char buffer[SLV_OUTPUT_BUFFER];
} slv_output;

void slv_output_start(slv_output *output, int descriptor);
void slv_output_bytes(slv_output *output, const void *bytes, size_t size);
void slv_output_text(slv_output *output, const char *text);
// At most 1023 characters.
void slv_output_format(slv_output *output, const char *format, ...) SLV_PRINTF(2, 3);
// True after a failed write: long work may stop early.
static inline bool slv_output_failed(const slv_output *output) {
    return output->failure != 0;
}
slv_result slv_output_finish(slv_output *output, slv_error *error);

#endif
