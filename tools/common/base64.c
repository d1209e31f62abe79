// SPDX-License-Identifier: MIT
#include "tools/common/base64.h"

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

static slv_result fail_damaged(slv_error *error) {
    return slv_fail(error, SLV_ERROR_CONTENT, "a data URI's base64 is damaged");
}

slv_result slv_base64_decode(const char *text, uint8_t **bytes, size_t *size, slv_error *error) {
    size_t length = strlen(text);
    for (int padding = 0; padding < 2 && length > 0 && text[length - 1] == '='; padding++) {
        length--;
    }
    uint32_t bits = 0;
    *size = 0;
    *bytes = NULL;
    if (length % 4 == 1) {
        return fail_damaged(error);
    }
    uint8_t *decoded = malloc(length / 4 * 3 + 3);
    if (decoded == NULL) {
        return slv_no_memory(error);
    }
    for (size_t i = 0; i < length; i++) {
        const int value = value_of(text[i]);
        if (value < 0) {
            free(decoded);
            return fail_damaged(error);
        }
        bits = bits << 6 | (uint32_t)value;
        if (i % 4 != 0) {
            decoded[(*size)++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
        }
    }
    *bytes = decoded;
    return SLV_OK;
}
