// SPDX-License-Identifier: MIT
#include "formats/value_check.h"

#include <float.h>

enum { BLOCK = 1024 };

static size_t block_end(size_t first, size_t count) {
    return count - first < BLOCK ? count : first + BLOCK;
}

static inline bool is_outside(float value, float low, float high) {
    return !((value >= low) & (value <= high));
}

size_t slv_find_outside(const float *values, size_t count, float low, float high) {
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t end = block_end(first, count);
        int bad = 0;
        for (size_t i = first; i < end; i++) {
            bad |= is_outside(values[i], low, high);
        }
        for (size_t i = first; bad && i < end; i++) {
            if (is_outside(values[i], low, high)) {
                return i;
            }
        }
    }
    return count;
}

size_t slv_find_not_finite(const float *values, size_t count) {
    return slv_find_outside(values, count, -FLT_MAX, FLT_MAX);
}

size_t slv_find_not_below(const uint32_t *values, size_t count, uint32_t limit) {
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t end = block_end(first, count);
        uint32_t bad = 0;
        for (size_t i = first; i < end; i++) {
            bad |= values[i] >= limit;
        }
        for (size_t i = first; bad && i < end; i++) {
            if (values[i] >= limit) {
                return i;
            }
        }
    }
    return count;
}

size_t slv_find_equal(const uint32_t *a, const uint32_t *b, size_t count) {
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t end = block_end(first, count);
        uint32_t bad = 0;
        for (size_t i = first; i < end; i++) {
            bad |= a[i] == b[i];
        }
        for (size_t i = first; bad && i < end; i++) {
            if (a[i] == b[i]) {
                return i;
            }
        }
    }
    return count;
}

bool slv_all_zero(const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    unsigned char any = 0;
    for (size_t i = 0; i < size; i++) {
        any |= byte[i];
    }
    return any == 0;
}

// Bytes of the sequence that begins at text, 0 where it is not well formed (Unicode, table 3-7).
static size_t sequence_length(const unsigned char *text, size_t size) {
    unsigned char lead = text[0];
    if (lead > 0 && lead < 0x80) {
        return 1;
    }
    if (lead < 0xC2 || lead > 0xF4) {
        return 0;
    }
    size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (size < length) {
        return 0;
    }
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (text[1] < low || text[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if (text[i] < 0x80 || text[i] > 0xBF) {
            return 0;
        }
    }
    return length;
}

bool slv_is_utf8(const char *text, size_t size) {
    const unsigned char *byte = (const unsigned char *)text;
    for (size_t i = 0; i < size;) {
        size_t length = sequence_length(byte + i, size - i);
        if (length == 0) {
            return false;
        }
        i += length;
    }
    return true;
}
