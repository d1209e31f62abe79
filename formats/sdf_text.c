// SPDX-License-Identifier: MIT
#include "formats/field.h"

#include "formats/file_bytes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reading and heading the text format of SDFGen. Numbers are separated by any white space.

enum { TOKEN_MAX = 64 }; // longest number taken, bytes

typedef struct text_cursor {
    const char *next;
    const char *end;
    uint64_t line;
} text_cursor;

size_t slv_sdf_format_header(const uint32_t cells[3], const double origin[3], double spacing,
                             char *text) {
    int length = snprintf(text, 256, "%u %u %u\n%g %g %g\n%g\n", cells[0], cells[1], cells[2],
                          origin[0], origin[1], origin[2], spacing);
    return (size_t)length;
}

static bool is_space(char letter) {
    return letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r';
}

static void skip_space(text_cursor *cursor) {
    while (cursor->next < cursor->end && is_space(*cursor->next)) {
        cursor->line += *cursor->next == '\n';
        cursor->next++;
    }
}

// Copies the next token, terminated; false at the end of the text or when it is too long.
static bool next_token(text_cursor *cursor, char token[TOKEN_MAX]) {
    skip_space(cursor);
    size_t length = 0;
    while (cursor->next < cursor->end && !is_space(*cursor->next)) {
        if (length == TOKEN_MAX - 1) {
            return false;
        }
        token[length++] = *cursor->next++;
    }
    token[length] = '\0';
    return length > 0;
}

// Digits of a plain decimal number and the power of ten they are to be scaled by.
static bool parse_plain(const char *token, bool *negative, uint64_t *digits, int *power) {
    const char *next = token;
    *negative = *next == '-';
    next += *next == '-' || *next == '+';
    unsigned count = 0;
    bool point = false;
    *digits = 0;
    *power = 0;
    for (;; next++) {
        if (*next >= '0' && *next <= '9') {
            *digits = *digits * 10 + (uint64_t)(*next - '0');
            *power -= point;
            count++;
        } else if (*next == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    return *next == '\0' && count > 0 && count <= 15;
}

// Up to fifteen digits and a power of ten up to 15 are exact doubles, and one division of exact
// numbers is rounded once, as strtod would; everything else is left to it.
static bool parse_number(const char *token, double *value) {
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    bool negative = false;
    uint64_t digits = 0;
    int power = 0;
    if (parse_plain(token, &negative, &digits, &power)) {
        double size = (double)digits / powers[-power];
        *value = negative ? -size : size;
        return true;
    }
    if (strspn(token, "0123456789+-.eE") != strlen(token)) {
        return false; // neither "nan" nor "inf" nor hexadecimal
    }
    char *end = NULL;
    *value = strtod(token, &end);
    return end != token && *end == '\0' && isfinite(*value);
}

static slv_result fail_line(const text_cursor *cursor, const char *expected, slv_error *error) {
    return slv_fail(error, SLV_ERROR_CONTENT, "line %llu: %s expected%s",
                    (unsigned long long)cursor->line, expected,
                    cursor->next == cursor->end ? ", but the file ends" : "");
}

static slv_result read_number(text_cursor *cursor, const char *expected, double *value,
                              slv_error *error) {
    char token[TOKEN_MAX];
    return next_token(cursor, token) && parse_number(token, value)
               ? SLV_OK
               : fail_line(cursor, expected, error);
}

static slv_result read_header(text_cursor *cursor, slv_sdf_grid *grid, slv_error *error) {
    slv_result result = SLV_OK;
    for (int axis = 0; result == SLV_OK && axis < 3; axis++) {
        double cells = 0;
        result = read_number(cursor, "a number of samples", &cells, error);
        if (result == SLV_OK && !(cells >= 1 && cells <= UINT32_MAX && cells == floor(cells))) {
            result = fail_line(cursor, "three whole numbers of samples, 1 or more,", error);
        }
        grid->cells[axis] = result == SLV_OK ? (uint32_t)cells : 0;
    }
    for (int axis = 0; result == SLV_OK && axis < 3; axis++) {
        result = read_number(cursor, "a coordinate of the origin", &grid->origin[axis], error);
    }
    if (result == SLV_OK) {
        result = read_number(cursor, "the spacing", &grid->spacing, error);
    }
    if (result == SLV_OK && !(grid->spacing > 0)) {
        result = fail_line(cursor, "a spacing above zero", error);
    }
    return result;
}

// Also refuses counts that the rest of the text cannot hold: a value takes a digit and a separator. So a short
// file cannot cause an allocation of gigabytes.
static slv_result check_count(const text_cursor *cursor, const slv_sdf_grid *grid, uint64_t limit,
                              uint64_t *count, slv_error *error) {
    uint64_t plane = (uint64_t)grid->cells[0] * grid->cells[1];
    if (plane > limit || plane * grid->cells[2] / grid->cells[2] != plane ||
        plane * grid->cells[2] > limit) {
        return slv_fail(error, SLV_ERROR_CONTENT, "%u x %u x %u samples, the limit is %llu",
                        grid->cells[0], grid->cells[1], grid->cells[2], (unsigned long long)limit);
    }
    *count = plane * grid->cells[2];
    uint64_t left = (uint64_t)(cursor->end - cursor->next);
    if (*count > (left + 1) / 2) {
        return slv_fail(error, SLV_ERROR_CONTENT, "truncated: %llu values cannot be in %llu bytes",
                        (unsigned long long)*count, (unsigned long long)left);
    }
    return SLV_OK;
}

static slv_result read_values(text_cursor *cursor, uint64_t count, float *values,
                              slv_error *error) {
    for (uint64_t i = 0; i < count; i++) {
        double value = 0;
        slv_result result = read_number(cursor, "a finite value", &value, error);
        if (result != SLV_OK) {
            return result;
        }
        values[i] = (float)value;
        if (!isfinite(values[i])) {
            return fail_line(cursor, "a value that fits single precision", error);
        }
    }
    skip_space(cursor);
    return cursor->next == cursor->end ? SLV_OK : fail_line(cursor, "the end of the file", error);
}

static slv_result read_text(text_cursor *cursor, uint64_t limit, slv_sdf_grid *grid,
                            slv_error *error) {
    slv_result result = read_header(cursor, grid, error);
    uint64_t count = 0;
    if (result == SLV_OK) {
        result = check_count(cursor, grid, limit, &count, error);
    }
    if (result != SLV_OK) {
        return result;
    }
    grid->values = count > 0 && count <= SIZE_MAX / sizeof *grid->values
                       ? malloc((size_t)count * sizeof *grid->values)
                       : NULL;
    return grid->values ? read_values(cursor, count, grid->values, error) : slv_no_memory(error);
}

slv_result slv_sdf_read(const char *path, uint64_t limit, slv_sdf_grid *grid, slv_error *error) {
    *grid = (slv_sdf_grid){0};
    slv_file_bytes file;
    slv_result result = slv_file_bytes_map(path, &file, error);
    if (result != SLV_OK) {
        return result;
    }
    text_cursor cursor = {.next = file.bytes, .line = 1};
    cursor.end = file.size > 0 ? cursor.next + file.size : cursor.next;
    result = read_text(&cursor, limit, grid, error);
    slv_file_bytes_free(&file);
    if (result != SLV_OK) {
        slv_sdf_free(grid);
    }
    return result;
}

void slv_sdf_free(slv_sdf_grid *grid) {
    free(grid->values);
    *grid = (slv_sdf_grid){0};
}
