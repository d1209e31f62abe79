// SPDX-License-Identifier: MIT
#include "tools/common/obj_reader.h"

#include "tools/common/grow.h"
#include "tools/common/number.h"

#include <string.h>

// One pass over the text, which ends in a zero byte so that no step needs to look for the end. Faces
// may name vertices that stand further down; so ranges are checked after the last line, for which the
// line of every face is kept.

typedef struct obj_reader {
    const char *at;
    uint64_t line; // from 1
    slv_raw_mesh *raw;
    uint32_t *face_lines; // [raw->polygon_count]
    uint32_t face_line_capacity;
    slv_error *error;
} obj_reader;

static slv_result out_of_memory(const obj_reader *reader) {
    return slv_fail(reader->error, SLV_ERROR_INTERNAL, "out of memory at line %llu",
                    (unsigned long long)reader->line);
}

// --- characters ----------------------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r' || c == '\0';
}

// The character after a line's end, whichever of \n, \r\n and \r it is.
static const char *after_line_end(const char *at) {
    return at + (at[0] == '\r' && at[1] == '\n' ? 2 : at[0] == '\0' ? 0 : 1);
}

// A backslash at the end of a line joins it with the next.
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

// To the first character of the next statement. Comments end with their line: "# C:\" is common.
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

// Fails with the line and the word at `word`.
static slv_result fail_at(const obj_reader *reader, const char *word, const char *what) {
    int length = 0;
    while (length < 40 && !is_blank(word[length]) && !is_line_end(word[length])) {
        length++;
    }
    return slv_fail(reader->error, SLV_ERROR_CONTENT, "line %llu: '%.*s' %s",
                    (unsigned long long)reader->line, length, word, what);
}

// --- v, vt, vn -----------------------------------------------------------------------------------

// Reads up to `most` numbers, at least `least`; the rest stay as they are.
static slv_result read_numbers(obj_reader *reader, int least, int most, double *numbers) {
    for (int i = 0; i < most; i++) {
        skip_blanks(reader);
        if (at_statement_end(reader)) {
            return i >= least ? SLV_OK
                              : slv_fail(reader->error, SLV_ERROR_CONTENT,
                                         "line %llu: %d numbers where %d are needed",
                                         (unsigned long long)reader->line, i, least);
        }
        const char *word = reader->at;
        const char *end = slv_parse_number(word, &numbers[i]);
        reader->at = end ? end : word;
        if (end == NULL || !at_word_end(reader)) {
            return fail_at(reader, word, "is not a finite number");
        }
    }
    return SLV_OK;
}

static slv_result to_floats(const obj_reader *reader, const double *numbers, int count,
                            float *floats) {
    for (int i = 0; i < count; i++) {
        if (numbers[i] > 1e38 || numbers[i] < -1e38) {
            return slv_fail(reader->error, SLV_ERROR_CONTENT,
                            "line %llu: %g is too large; at most 1e38 can be handled",
                            (unsigned long long)reader->line, numbers[i]);
        }
        floats[i] = (float)numbers[i];
    }
    return SLV_OK;
}

// What may follow the three numbers (a weight, a colour) does not matter to a polygon.
static slv_result read_position(obj_reader *reader) {
    double position[3];
    slv_result result = read_numbers(reader, 3, 3, position);
    if (result == SLV_OK && !slv_raw_mesh_add_position(reader->raw, position)) {
        result = out_of_memory(reader);
    }
    return result;
}

static slv_result read_uv(obj_reader *reader) {
    double numbers[2] = {0.0, 0.0};
    float uv[2];
    slv_result result = read_numbers(reader, 1, 2, numbers);
    result = result == SLV_OK ? to_floats(reader, numbers, 2, uv) : result;
    if (result == SLV_OK && !slv_raw_mesh_add_uv(reader->raw, uv)) {
        result = out_of_memory(reader);
    }
    return result;
}

static slv_result read_normal(obj_reader *reader) {
    double numbers[3];
    float normal[3];
    slv_result result = read_numbers(reader, 3, 3, numbers);
    result = result == SLV_OK ? to_floats(reader, numbers, 3, normal) : result;
    if (result == SLV_OK && !slv_raw_mesh_add_normal(reader->raw, normal)) {
        result = out_of_memory(reader);
    }
    return result;
}

// --- f -------------------------------------------------------------------------------------------

// Reads a signed whole number; false where there is none or it is beyond 32 bits.
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

// Numbers count from 1; negative ones count back from the last element read. Zero names nothing.
static bool read_index(obj_reader *reader, uint32_t count, uint32_t *index) {
    int64_t value;
    if (!read_integer(reader, &value) || value == 0 || value < -(int64_t)count) {
        return false;
    }
    *index = (uint32_t)(value > 0 ? value - 1 : count + value);
    return true;
}

// The part after a slash; empty means none.
static bool read_optional_index(obj_reader *reader, uint32_t count, uint32_t *index) {
    if (*reader->at != '/') {
        return true;
    }
    reader->at++;
    return *reader->at == '/' || at_word_end(reader) || read_index(reader, count, index);
}

// a, a/b, a//c, a/b/c.
static slv_result read_corner(obj_reader *reader) {
    const char *word = reader->at;
    slv_raw_corner corner = {.uv = SLV_NO_INDEX, .normal = SLV_NO_INDEX};
    if (!read_index(reader, reader->raw->position_count, &corner.position) ||
        !read_optional_index(reader, reader->raw->uv_count, &corner.uv) ||
        !read_optional_index(reader, reader->raw->normal_count, &corner.normal) ||
        !at_word_end(reader)) {
        return fail_at(reader, word, "is not a corner of a face (vertex, or vertex/uv/normal)");
    }
    return slv_raw_mesh_add_corner(reader->raw, corner) ? SLV_OK : out_of_memory(reader);
}

static bool note_face_line(obj_reader *reader) {
    void *array = reader->face_lines;
    bool ok = slv_grow(&array, &reader->face_line_capacity, reader->raw->polygon_count,
                       sizeof *reader->face_lines);
    reader->face_lines = array;
    if (ok) {
        reader->face_lines[reader->raw->polygon_count - 1] = (uint32_t)reader->line;
    }
    return ok;
}

static slv_result read_face(obj_reader *reader) {
    slv_raw_mesh *raw = reader->raw;
    uint32_t first = raw->corner_count;
    for (skip_blanks(reader); !at_statement_end(reader); skip_blanks(reader)) {
        slv_result result = read_corner(reader);
        if (result != SLV_OK) {
            return result;
        }
    }
    uint32_t corners = raw->corner_count - first;
    if (corners == 0) {
        return slv_fail(reader->error, SLV_ERROR_CONTENT, "line %llu: a face without corners",
                        (unsigned long long)reader->line);
    }
    if (corners < 3) { // a point or a line by another name
        raw->corner_count = first;
        return SLV_OK;
    }
    if (!slv_raw_mesh_add_polygon(raw, corners) || !note_face_line(reader)) {
        return out_of_memory(reader);
    }
    return SLV_OK;
}

// --- o, g ----------------------------------------------------------------------------------------

static slv_result read_group(obj_reader *reader) {
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
    if (length == 0) { // the name that the format gives to what has none
        name = "default";
        length = strlen(name);
    }
    return slv_raw_mesh_add_group(reader->raw, name, length) ? SLV_OK : out_of_memory(reader);
}

// --- the file ------------------------------------------------------------------------------------

static slv_result read_statement(obj_reader *reader) {
    static const struct {
        const char *word;
        slv_result (*read)(struct obj_reader *reader);
    } statements[] = {
        {"v", read_position}, {"vt", read_uv},   {"vn", read_normal},
        {"f", read_face},     {"o", read_group}, {"g", read_group},
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
    return SLV_OK;
}

static slv_result fail_range(const obj_reader *reader, uint32_t face, const char *what,
                             uint32_t index, uint32_t count) {
    return slv_fail(reader->error, SLV_ERROR_CONTENT,
                    "line %u: a face names %s %u, but the file has %u", reader->face_lines[face],
                    what, index + 1, count);
}

static slv_result check_ranges(const obj_reader *reader) {
    const slv_raw_mesh *raw = reader->raw;
    for (uint32_t f = 0; f < raw->polygon_count; f++) {
        for (uint32_t c = 0; c < raw->polygons[f].corner_count; c++) {
            slv_raw_corner corner = raw->corners[raw->polygons[f].first_corner + c];
            if (corner.position >= raw->position_count) {
                return fail_range(reader, f, "vertex", corner.position, raw->position_count);
            }
            if (corner.uv != SLV_NO_INDEX && corner.uv >= raw->uv_count) {
                return fail_range(reader, f, "texture coordinate", corner.uv, raw->uv_count);
            }
            if (corner.normal != SLV_NO_INDEX && corner.normal >= raw->normal_count) {
                return fail_range(reader, f, "normal", corner.normal, raw->normal_count);
            }
        }
    }
    return SLV_OK;
}

static slv_result read_all(obj_reader *reader, const char *end) {
    while (reader->at < end) {
        slv_result result = read_statement(reader);
        if (result != SLV_OK) {
            return result;
        }
        next_statement(reader);
    }
    if (reader->raw->polygon_count == 0) {
        return reader->raw->position_count == 0
                   ? slv_fail(reader->error, SLV_ERROR_CONTENT,
                              "no mesh in it: an OBJ file has \"v\" and \"f\" lines")
                   : slv_fail(reader->error, SLV_ERROR_CONTENT,
                              "no faces: %u vertices and no \"f\" line that joins three of them",
                              reader->raw->position_count);
    }
    return check_ranges(reader);
}

slv_result slv_obj_read(const char *text, size_t size, slv_raw_mesh *raw, slv_error *error) {
    *raw = (slv_raw_mesh){.positions = NULL};
    if (memchr(text, '\0', size)) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "not an OBJ file: it holds bytes that no text has");
    }
    obj_reader reader = {.at = text, .line = 1, .raw = raw, .error = error};
    slv_result result = read_all(&reader, text + size);
    free(reader.face_lines);
    if (result != SLV_OK) {
        slv_raw_mesh_free(raw);
    }
    return result;
}
