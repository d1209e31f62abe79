// SPDX-License-Identifier: MIT
// How functions of formats/ and tools/ report failure: a code to branch on and a message for a person. The codes
// are the exit statuses of the programs.
#ifndef SLV_FORMATS_RESULT_H
#define SLV_FORMATS_RESULT_H

#include "formats/include/selvage/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Filled by the function that fails; untouched by one that succeeds. No newline, no full stop.
typedef struct slv_error {
    slv_result code;
    char text[512];
} slv_error;

#if defined(__GNUC__)
#define SLV_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define SLV_PRINTF(text, first)
#endif

// Writes the message (cut if too long) and returns code, so that a caller can `return slv_fail(…)`.
// error may be NULL.
slv_result slv_fail(slv_error *error, slv_result code, const char *format, ...) SLV_PRINTF(3, 4);

// Inline, so that a static analyzer sees that the result is never SLV_OK.
static inline slv_result slv_no_memory(slv_error *error) {
    (void)slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    return SLV_ERROR_MEMORY;
}

#ifdef __cplusplus
}
#endif

#endif
