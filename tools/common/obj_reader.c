// SPDX-License-Identifier: MIT
#include "tools/common/obj_reader.h"

#include "tools/common/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// One pass over the text, whose terminating zero byte makes end checks unnecessary. Faces may refer
// to later vertices, so ranges are checked at the end.

typedef struct obj_reader {
    const char *at;
    uint32_t line; // from 1
    slv_raw_mesh *raw;
    slv_result result; // error of the function that returned false
    slv_error *error;
} obj_reader;

static bool out_of_memory(obj_reader *reader) {
    reader->result =
        slv_fail(reader->error, SLV_ERROR_MEMORY, "out of memory at line %u", reader->line);
    return false;
}

// --- characters ----------------------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r' || c == '\0';
}

// The character after a line end: \n, \r\n or \r.
static const char *after_line_end(const char *at) {
    return at + (at[0] == '\r' && at[1] == '\n' ? 2 : at[0] == '\0' ? 0 : 1);
}

// A backslash at the end of a line continues it on the next.
static bool is_continuation(const char *at) {
    return at[0] == '\\' && (at[1] == '\n' || at[1] == '\r');
}

static void skip_blanks(obj_reader *reader) {
    for (;;) {
        if (is_blank(*reader->at)) {
            reader->at++;
        } else if (is_continuation(reader->at)) {
            reader->at = after_line_end(reader->at + 1);
            reader->line++;
        } else {
            return;
        }
    }
}

static bool at_statement_end(const obj_reader *reader) {
    return is_line_end(*reader->at) || *reader->at == '#';
}

static bool at_word_end(const obj_reader *reader) {
    return is_blank(*reader->at) || at_statement_end(reader) || is_continuation(reader->at);
}

// Advances to the next statement. Comments end with their line, also after a backslash: "# C:\" is
// common.
static void next_statement(obj_reader *reader) {
    bool more = true;
    while (more) {
        bool comment = false;
        const char *at = reader->at;
        for (; !is_line_end(*at); at++) {
            comment = comment || *at == '#';
        }
        more = !comment && at > reader->at && at[-1] == '\\' && *at != '\0';
        reader->line += *at != '\0' ? 1 : 0;
        reader->at = after_line_end(at);
    }
}

// Fails with "line 12: …" and returns false.
SLV_PRINTF(3, 4)
static bool fail(obj_reader *reader, uint32_t line, const char *format, ...) {
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    reader->result = slv_fail(reader->error, SLV_ERROR_CONTENT, "line %u: %s", line, what);
    return false;
}

static bool fail_word(obj_reader *reader, const char *word, const char *what) {
    int length = 0;
    while (length < 40 && !is_blank(word[length]) && !is_line_end(word[length])) {
        length++;
    }
    return fail(reader, reader->line, "'%.*s' %s", length, word, what);
}

// --- v, vt, vn -----------------------------------------------------------------------------------

// Reads `least` to `most` numbers; the others keep their values.
static bool read_numbers(obj_reader *reader, int least, int most, double *numbers) {
    for (int i = 0; i < most; i++) {
        skip_blanks(reader);
        if (at_statement_end(reader)) {
            return i >= least ||
                   fail(reader, reader->line, "%d numbers where %d are needed", i, least);
        }
        const char *word = reader->at;
        const char *end = slv_parse_number(word, &numbers[i]);
        reader->at = end ? end : word;
        if (end == NULL || !at_word_end(reader)) {
            return fail_word(reader, word, "is not a finite number");
        }
    }
    return true;
}

static bool to_floats(obj_reader *reader, const double *numbers, int count, float *floats) {
    for (int i = 0; i < count; i++) {
        if (numbers[i] > 1e38 || numbers[i] < -1e38) {
            return fail(reader, reader->line, "%g is too large; at most 1e38 can be handled",
                        numbers[i]);
        }
        floats[i] = (float)numbers[i];
    }
    return true;
}

// Three or four numbers after a position are its color. One number is a weight, which does not
// apply to polygons and is ignored.
static bool read_paint(obj_reader *reader) {
    float paint[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    int count = 0;
    for (skip_blanks(reader); !at_statement_end(reader); skip_blanks(reader)) {
        double number = 0.0;
        const char *end = slv_parse_number(reader->at, &number);
        if (end == NULL || count == 4 || !(number >= -1e38 && number <= 1e38)) {
            return true;
        }
        reader->at = end;
        if (!at_word_end(reader)) {
            return true;
        }
        paint[count++] = (float)number;
    }
    return count < 3 || slv_raw_mesh_add_paint(reader->raw, paint) || out_of_memory(reader);
}

static bool read_position(obj_reader *reader) {
    double position[3] = {0.0, 0.0, 0.0};
    return read_numbers(reader, 3, 3, position) &&
           (slv_raw_mesh_add_position(reader->raw, position) || out_of_memory(reader)) &&
           read_paint(reader);
}

static bool read_uv(obj_reader *reader) {
    double numbers[2] = {0.0, 0.0};
    float uv[2];
    return read_numbers(reader, 1, 2, numbers) && to_floats(reader, numbers, 2, uv) &&
           (slv_raw_mesh_add_uv(reader->raw, uv) || out_of_memory(reader));
}

static bool read_normal(obj_reader *reader) {
    double numbers[3] = {0.0, 0.0, 0.0};
    float normal[3];
    return read_numbers(reader, 3, 3, numbers) && to_floats(reader, numbers, 3, normal) &&
           (slv_raw_mesh_add_normal(reader->raw, normal) || out_of_memory(reader));
}

// --- f -------------------------------------------------------------------------------------------

// Reads a signed integer; false where there is none or it exceeds 32 bits.
static bool read_integer(obj_reader *reader, int64_t *value) {
    const char *at = reader->at;
    bool negative = *at == '-';
    at += *at == '-' || *at == '+' ? 1 : 0;
    const char *first = at;
    int64_t magnitude = 0;
    for (; *at >= '0' && *at <= '9' && magnitude < UINT32_MAX; at++) {
        magnitude = magnitude * 10 + (*at - '0');
    }
    reader->at = at;
    *value = negative ? -magnitude : magnitude;
    return at > first && magnitude < UINT32_MAX;
}

// Indices start at 1; negative ones count back from the last element. Zero is invalid.
static bool read_index(obj_reader *reader, uint32_t count, uint32_t *index) {
    int64_t value;
    if (!read_integer(reader, &value) || value == 0 || value < -(int64_t)count) {
        return false;
    }
    *index = (uint32_t)(value > 0 ? value - 1 : count + value);
    return true;
}

// The optional index after a slash; empty means none.
static bool read_optional_index(obj_reader *reader, uint32_t count, uint32_t *index) {
    if (*reader->at != '/') {
        return true;
    }
    reader->at++;
    return *reader->at == '/' || at_word_end(reader) || read_index(reader, count, index);
}

// a, a/b, a//c, a/b/c.
static bool read_corner(obj_reader *reader) {
    const char *word = reader->at;
    slv_raw_corner corner = {.uv = SLV_NO_INDEX, .normal = SLV_NO_INDEX};
    if (!read_index(reader, reader->raw->position_count, &corner.position) ||
        !read_optional_index(reader, reader->raw->uv_count, &corner.uv) ||
        !read_optional_index(reader, reader->raw->normal_count, &corner.normal) ||
        !at_word_end(reader)) {
        return fail_word(reader, word, "is no corner of a face, like 7, 7/3, 7//5 or 7/3/5");
    }
    return slv_raw_mesh_add_corner(reader->raw, corner) || out_of_memory(reader);
}

static bool read_face(obj_reader *reader) {
    slv_raw_mesh *raw = reader->raw;
    uint32_t line = reader->line;
    uint32_t first = raw->corner_count;
    for (skip_blanks(reader); !at_statement_end(reader); skip_blanks(reader)) {
        if (!read_corner(reader)) {
            return false;
        }
    }
    uint32_t corners = raw->corner_count - first;
    if (corners == 0) {
        return fail(reader, line, "a face without corners");
    }
    if (corners < 3) { // a point or a line
        raw->corner_count = first;
        return true;
    }
    return slv_raw_mesh_add_polygon(raw, corners, line) || out_of_memory(reader);
}

static bool fail_range(obj_reader *reader, uint32_t line, const char *what, uint32_t index,
                       uint32_t count) {
    return fail(reader, line, "a face names %s %u, but the file has %u", what, index + 1, count);
}

static bool check_face(obj_reader *reader, const slv_raw_polygon *face) {
    const slv_raw_mesh *raw = reader->raw;
    for (uint32_t c = 0; c < face->corner_count; c++) {
        slv_raw_corner corner = raw->corners[face->first_corner + c];
        if (corner.position >= raw->position_count) {
            return fail_range(reader, face->line, "vertex", corner.position, raw->position_count);
        }
        if (corner.uv != SLV_NO_INDEX && corner.uv >= raw->uv_count) {
            return fail_range(reader, face->line, "texture coordinate", corner.uv, raw->uv_count);
        }
        if (corner.normal != SLV_NO_INDEX && corner.normal >= raw->normal_count) {
            return fail_range(reader, face->line, "normal", corner.normal, raw->normal_count);
        }
    }
    return true;
}

// --- o, g, usemtl ----------------------------------------------------------------------------------------

static bool read_name(obj_reader *reader, uint32_t kind) {
    skip_blanks(reader);
    const char *name = reader->at;
    size_t length = 0;
    while (!is_line_end(name[length])) {
        length++;
    }
    reader->at += length;
    while (length > 0 && is_blank(name[length - 1])) {
        length--;
    }
    if (length == 0) { // the default name of the format
        name = "default";
        length = strlen(name);
    }
    return slv_raw_mesh_add_group(reader->raw, kind, name, length) || out_of_memory(reader);
}

static bool read_object(obj_reader *reader) {
    return read_name(reader, SLV_GROUP_OBJECT);
}

static bool read_group(obj_reader *reader) {
    return read_name(reader, SLV_GROUP_GROUP);
}

static bool read_material(obj_reader *reader) {
    return read_name(reader, SLV_GROUP_MATERIAL);
}

// --- the file ------------------------------------------------------------------------------------

static bool read_statement(obj_reader *reader) {
    static const struct {
        const char *word;
        bool (*read)(obj_reader *reader);
    } statements[] = {
        {"v", read_position}, {"vt", read_uv},   {"vn", read_normal},       {"f", read_face},
        {"o", read_object},   {"g", read_group}, {"usemtl", read_material},
    };
    skip_blanks(reader);
    const char *word = reader->at;
    while (!at_word_end(reader)) {
        reader->at++;
    }
    size_t length = (size_t)(reader->at - word);
    for (size_t s = 0; s < sizeof statements / sizeof *statements; s++) {
        if (strlen(statements[s].word) == length && !memcmp(statements[s].word, word, length)) {
            return statements[s].read(reader);
        }
    }
    return true;
}

static bool fail_empty(obj_reader *reader) {
    uint32_t vertices = reader->raw->position_count;
    reader->result =
        vertices == 0 ? slv_fail(reader->error, SLV_ERROR_CONTENT,
                                 "no mesh in it: an OBJ file has \"v\" and \"f\" lines")
                      : slv_fail(reader->error, SLV_ERROR_CONTENT,
                                 "no faces: %u vertices and no \"f\" line that joins three of them",
                                 vertices);
    return false;
}

static bool read_all(obj_reader *reader, const char *end) {
    while (reader->at < end) {
        if (!read_statement(reader)) {
            return false;
        }
        next_statement(reader);
    }
    for (uint32_t f = 0; f < reader->raw->polygon_count; f++) {
        if (!check_face(reader, &reader->raw->polygons[f])) {
            return false;
        }
    }
    return reader->raw->polygon_count > 0 || fail_empty(reader);
}

slv_result slv_obj_check_text(const char *text, size_t size, slv_error *error) {
    const char *zero = memchr(text, '\0', size);
    return zero == NULL ? SLV_OK
                        : slv_fail(error, SLV_ERROR_CONTENT,
                                   "not an OBJ file: byte %zu is 0, which no text has",
                                   (size_t)(zero - text));
}

slv_result slv_obj_read(const char *text, size_t size, slv_raw_mesh *raw, slv_error *error) {
    *raw = (slv_raw_mesh){.positions = NULL};
    while (size > 0 && text[size - 1] == '\0') { // some exporters end the text with zeros
        size--;
    }
    slv_result result = slv_obj_check_text(text, size, error);
    if (result != SLV_OK) {
        return result;
    }
    static const char mark[] = "\xEF\xBB\xBF"; // UTF-8, before the first line
    const bool marked = size >= 3 && memcmp(text, mark, 3) == 0;
    obj_reader reader = {.at = text + (marked ? 3 : 0), .line = 1, .raw = raw, .error = error};
    if (!read_all(&reader, text + size)) {
        slv_raw_mesh_free(raw);
    }
    return reader.result;
}
