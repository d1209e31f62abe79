// SPDX-License-Identifier: MIT
#include "tools/common/part_choice.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// One pattern. At a mismatch after a star, the star takes one character more.
static bool matches(const char *pattern, size_t pattern_length, const char *name, size_t length) {
    size_t p = 0;
    size_t n = 0;
    size_t star = SIZE_MAX;
    size_t star_name = 0;
    while (n < length) {
        if (p < pattern_length && pattern[p] == '*') {
            star = p++;
            star_name = n;
        } else if (p < pattern_length && (pattern[p] == '?' || pattern[p] == name[n])) {
            p++;
            n++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            n = ++star_name;
        } else {
            return false;
        }
    }
    while (p < pattern_length && pattern[p] == '*') {
        p++;
    }
    return p == pattern_length;
}

bool slv_part_matches(const char *patterns, const char *name, size_t length) {
    while (*patterns) {
        const size_t end = strcspn(patterns, ",");
        if (end > 0 && matches(patterns, end, name, length)) {
            return true;
        }
        patterns += end + (patterns[end] == ',' ? 1 : 0);
    }
    return false;
}

bool slv_part_level(const char *name, size_t length, uint32_t *level, size_t *base) {
    size_t digits = length;
    while (digits > 0 && isdigit((unsigned char)name[digits - 1]) && length - digits < 4) {
        digits--;
    }
    size_t word =
        digits > 0 && (name[digits - 1] == '_' || name[digits - 1] == '-') ? digits - 1 : digits;
    if (digits == length || word < 3 || tolower((unsigned char)name[word - 3]) != 'l' ||
        tolower((unsigned char)name[word - 2]) != 'o' ||
        tolower((unsigned char)name[word - 1]) != 'd') {
        return false;
    }
    word -= 3;
    const bool separated = word == 0 || !isalpha((unsigned char)name[word - 1]);
    *level = 0;
    for (size_t i = digits; i < length; i++) {
        *level = 10 * *level + (uint32_t)(name[i] - '0');
    }
    while (word > 0 && !isalnum((unsigned char)name[word - 1]) &&
           (unsigned char)name[word - 1] < 0x80) {
        word--;
    }
    *base = word;
    return separated;
}

void slv_part_counts_text(const slv_part_counts *counts, char *text, size_t size) {
    const uint32_t hidden = counts->parts[SLV_PART_HIDDEN];
    const uint32_t lower = counts->parts[SLV_PART_LOWER_DETAIL];
    text[0] = '\0';
    if (hidden + lower == 0) {
        return;
    }
    char first[48] = "";
    char second[64] = "";
    if (hidden > 0) {
        (void)snprintf(first, sizeof first, "%u hidden part%s", hidden, hidden == 1 ? "" : "s");
    }
    if (lower > 0) {
        (void)snprintf(second, sizeof second, "%s%u part%s of lower detail",
                       hidden > 0 ? " and " : "", lower, lower == 1 ? "" : "s");
    }
    (void)snprintf(text, size, "%s%s left out; --node keeps those that it names", first, second);
}
