// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // strnlen
#include "tools/common/utf8.h"

#include "formats/value_check.h"

#include <stdlib.h>
#include <string.h>

static const char REPLACEMENT[] = "\xEF\xBF\xBD"; // U+FFFD

// Length in bytes of the character at the start of text; 0 where it is invalid.
static size_t character_length(const char *text) {
    const size_t left = strnlen(text, 4);
    for (size_t length = 1; length <= left; length++) {
        if (slv_is_utf8(text, length)) {
            return length;
        }
    }
    return 0;
}

char *slv_utf8_copy(const char *bytes) {
    char *copy = malloc((sizeof REPLACEMENT - 1) * strlen(bytes) + 1);
    char *at = copy;
    while (copy != NULL && *bytes != '\0') {
        const size_t length = character_length(bytes);
        const char *from = length > 0 ? bytes : REPLACEMENT;
        const size_t size = length > 0 ? length : sizeof REPLACEMENT - 1;
        memcpy(at, from, size);
        at += size;
        bytes += length > 0 ? length : 1;
    }
    if (copy != NULL) {
        *at = '\0';
    }
    return copy;
}
