// SPDX-License-Identifier: MIT
// The input of a fuzzer of text files.
#ifndef SLV_TESTS_FUZZ_TEXT_H
#define SLV_TESTS_FUZZ_TEXT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A copy that a zero ends, for free(); NULL without memory.
static inline char *fuzz_text(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (text) {
        memcpy(text, data, size);
        text[size] = '\0';
    }
    return text;
}

#endif
