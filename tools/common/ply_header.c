// SPDX-License-Identifier: MIT
#include "tools/common/ply_header.h"

#include "tools/common/input_file.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define MAX_HEADER ((size_t)1 << 20) // bytes, including comments; usual headers have a few hundred

typedef struct line {
    const char *text;
    size_t length; // without its end
} line;

// The next line of [*at, end). False after the last; text after the last newline may be truncated and
// is ignored.
static bool next_line(const char **at, const char *end, line *found) {
    const char *newline = *at < end ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;
    if (newline == NULL) {
        return false;
    }
    *found = (line){*at, (size_t)(newline - *at)};
    found->length -= found->length > 0 && newline[-1] == '\r' ? 1 : 0;
    *at = newline + 1;
    return true;
}

static bool is_end(line l) {
    static const char end[] = "end_header";
    return l.length == sizeof end - 1 && memcmp(l.text, end, l.length) == 0;
}

// The count of "element NAME COUNT"; 0 for other lines. Saturates.
static uint64_t element_count(line l) {
    static const char word[] = "element ";
    if (l.length < sizeof word || memcmp(l.text, word, sizeof word - 1) != 0) {
        return 0;
    }
    const char *end = l.text + l.length;
    const char *digit = end;
    while (digit > l.text && digit[-1] >= '0' && digit[-1] <= '9') {
        digit--;
    }
    uint64_t count = 0;
    for (; digit < end; digit++) {
        count = count < UINT64_MAX / 100 ? 10 * count + (uint64_t)(*digit - '0') : count;
    }
    return count;
}

static slv_result check(const slv_input_file *file, slv_error *error) {
    const size_t most = file->size < MAX_HEADER ? file->size : MAX_HEADER;
    const char *at = file->bytes;
    line l = {.length = 0};
    uint64_t elements = 0;
    while (next_line(&at, file->bytes + most, &l)) {
        if (is_end(l)) {
            // An element has at least one byte.
            const uint64_t left = file->size - (uint64_t)(at - file->bytes);
            return elements <= left
                       ? SLV_OK
                       : slv_fail(error, SLV_ERROR_CONTENT,
                                  "its PLY header announces %llu elements, and %llu bytes follow",
                                  (unsigned long long)elements, (unsigned long long)left);
        }
        const uint64_t count = element_count(l);
        elements = count < UINT64_MAX - elements ? elements + count : UINT64_MAX;
    }
    return slv_fail(error, SLV_ERROR_CONTENT,
                    file->size > most
                        ? "its PLY header has no end_header line in the first %zu bytes"
                        : "its PLY header has no end_header line: truncated after %zu bytes",
                    most);
}

slv_result slv_ply_header_check(const char *path, slv_error *error) {
    slv_input_file file;
    slv_result result = slv_input_file_map(path, &file, error);
    if (result != SLV_OK) {
        return result;
    }
    // Assimp searches for the header of what has none, beyond the end of the file.
    result =
        file.size >= 3 && strncasecmp(file.bytes, "ply", 3) == 0
            ? check(&file, error)
            : slv_fail(error, SLV_ERROR_CONTENT, "not a PLY file: it does not begin with \"ply\"");
    slv_input_file_free(&file);
    return result;
}
