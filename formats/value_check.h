// SPDX-License-Identifier: MIT
// Searches for the first bad value of an array, fast when there is none: whole blocks are tested without a
// branch, so that the compiler vectorizes the test, and only a block that fails is searched.
#ifndef SLV_FORMATS_VALUE_CHECK_H
#define SLV_FORMATS_VALUE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Each returns the index of the first bad value, or count when there is none.
size_t slv_find_outside(const float *values, size_t count, float low, float high); // NaN is outside
size_t slv_find_not_finite(const float *values, size_t count);
size_t slv_find_not_below(const uint32_t *values, size_t count, uint32_t limit);
size_t slv_find_equal(const uint32_t *a, const uint32_t *b, size_t count); // a[i] == b[i]

bool slv_all_zero(const void *bytes, size_t size);

// Whether bytes are UTF-8 without U+0000: no overlong forms, no surrogates, nothing above U+10FFFF.
bool slv_is_utf8(const char *text, size_t size);

#endif
