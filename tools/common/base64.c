// SPDX-License-Identifier: MIT
#include "tools/common/base64.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int value_of(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

void *slv_base64_decode(const char *text, size_t *size) {
    size_t length = strlen(text);
    for (int padding = 0; padding < 2 && length > 0 && text[length - 1] == '='; padding++) {
        length--;
    }
    uint8_t *bytes = length % 4 != 1 ? malloc(length / 4 * 3 + 3) : NULL;
    uint32_t bits = 0;
    *size = 0;
    for (size_t i = 0; bytes && i < length; i++) {
        const int value = value_of(text[i]);
        if (value < 0) {
            free(bytes);
            return NULL;
        }
        bits = bits << 6 | (uint32_t)value;
        if (i % 4 != 0) {
            bytes[(*size)++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
        }
    }
    return bytes;
}
