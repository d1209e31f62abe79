// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/fbx_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// A header of 27 bytes, then a list of records. A record has its end offset, number and size of its values, its name, the
// values, then nested records up to an empty one. Offsets have 32 bits up to version 7.4, 64 bits from 7.5.

#define HEADER 27u
// Deflate packs at most 258 bytes into two bits: a larger ratio is a lie about the size.
#define MOST_RATIO 1032u

static uint64_t number_at(const char *bytes, unsigned width) {
    uint64_t number = 0;
    for (unsigned b = 0; b < width; b++) {
        number |= (uint64_t)(unsigned char)bytes[b] << (8 * b);
    }
    return number;
}

static uint32_t short_at(const char *bytes) {
    return (uint32_t)number_at(bytes, 4);
}

// --- Values -------------------------------------------------------------------------------------

static unsigned element_size(char type) {
    switch (type) {
    case 'b':
    case 'c':
        return 1;
    case 'i':
    case 'f':
        return 4;
    case 'l':
    case 'd':
        return 8;
    default:
        return 0;
    }
}

// Bytes of a value with its type; 0 where it is damaged or longer than `left`.
static size_t size_of_value(const char *bytes, size_t left) {
    enum { ARRAY_HEAD = 13 };
    uint64_t size = 0;
    switch (left > 0 ? bytes[0] : '\0') {
    case 'C':
    case 'B':
    case 'Z':
        size = 2;
        break;
    case 'Y':
        size = 3;
        break;
    case 'I':
    case 'F':
        size = 5;
        break;
    case 'L':
    case 'D':
        size = 9;
        break;
    case 'S':
    case 'R':
        size = left < 5 ? 0 : 5 + (uint64_t)short_at(bytes + 1);
        break;
    default:
        if (left >= ARRAY_HEAD && element_size(bytes[0]) > 0) {
            const uint64_t count = short_at(bytes + 1);
            const uint64_t packed = short_at(bytes + 9);
            const bool plain = short_at(bytes + 5) == 0;
            if (short_at(bytes + 5) > 1 || (plain && packed != count * element_size(bytes[0])) ||
                (!plain && count * element_size(bytes[0]) > MOST_RATIO * (packed + 1))) {
                return 0;
            }
            size = ARRAY_HEAD + packed;
        }
    }
    return size <= left ? (size_t)size : 0;
}

static bool values_are_sound(const slv_fbx_node *node) {
    size_t at = 0;
    for (uint32_t i = 0; i < node->value_count; i++) {
        const size_t size = size_of_value(node->values + at, node->values_size - at);
        if (size == 0) {
            return false;
        }
        at += size;
    }
    return at == node->values_size;
}

static void set_integer(slv_fbx_value *value, int64_t integer) {
    value->kind = SLV_FBX_INTEGER;
    value->integer = integer;
    value->number = (double)integer;
}

static void set_number(slv_fbx_value *value, double number) {
    value->kind = SLV_FBX_NUMBER;
    value->number = number;
    value->integer = fabs(number) < 9e18 ? (int64_t)number : 0;
}

bool slv_fbx_binary_value(const slv_fbx *fbx, uint32_t node, uint32_t index, slv_fbx_value *value) {
    const slv_fbx_node *n = &fbx->nodes[node];
    const char *at = n->values;
    if (index >= n->value_count) {
        return false;
    }
    for (uint32_t i = 0; i < index; i++) {
        at += size_of_value(at, n->values_size - (size_t)(at - n->values));
    }
    float single;
    double number;
    switch (at[0]) {
    case 'C':
    case 'B':
        set_integer(value, (signed char)at[1]);
        break;
    case 'Z':
        set_integer(value, (unsigned char)at[1]);
        break;
    case 'Y':
        set_integer(value, (int16_t)number_at(at + 1, 2));
        break;
    case 'I':
        set_integer(value, (int32_t)short_at(at + 1));
        break;
    case 'L':
        set_integer(value, (int64_t)number_at(at + 1, 8));
        break;
    case 'F':
        memcpy(&single, at + 1, sizeof single);
        set_number(value, (double)single);
        break;
    case 'D':
        memcpy(&number, at + 1, sizeof number);
        set_number(value, number);
        break;
    case 'S':
    case 'R':
        *value = (slv_fbx_value){
            .kind = SLV_FBX_TEXT, .text = at + 5, .length = (size_t)short_at(at + 1)};
        break;
    default:
        *value =
            (slv_fbx_value){.kind = SLV_FBX_ARRAY,
                            .text = at,
                            .length = size_of_value(at, n->values_size - (size_t)(at - n->values))};
    }
    return true;
}

// --- Records ------------------------------------------------------------------------------------

typedef struct level {
    uint32_t node, last; // and its last child
    size_t end;
} level;

typedef struct parser {
    slv_fbx *fbx;
    level levels[SLV_FBX_DEPTH];
    uint32_t depth; // levels[0] is the file
    size_t at;
    unsigned width; // bytes of an offset
    bool complete;
} parser;

static slv_result damaged(const parser *p, slv_error *error) {
    return slv_fail(error, SLV_ERROR_CONTENT, "is damaged or cut off: its record at byte %zu",
                    p->at);
}

// Ends a list. The end of the file's own list is the end of its content; a footer follows.
static void leave(parser *p) {
    p->complete = p->depth == 0;
    p->at = p->levels[p->depth].end;
    p->depth -= p->depth > 0 ? 1 : 0;
}

static slv_result read_record(parser *p, slv_error *error) {
    slv_fbx *fbx = p->fbx;
    const size_t head = 3 * (size_t)p->width + 1;
    level *above = &p->levels[p->depth];
    if (above->end - p->at < head) {
        return damaged(p, error);
    }
    const char *bytes = fbx->bytes + p->at;
    const uint64_t end = number_at(bytes, p->width);
    const uint64_t count = number_at(bytes + p->width, p->width);
    const uint64_t size = number_at(bytes + 2 * (size_t)p->width, p->width);
    const size_t name_length = (unsigned char)bytes[head - 1];
    if (end == 0 && count == 0 && size == 0 && name_length == 0) {
        if (p->depth > 0 && p->at + head != above->end) {
            return damaged(p, error);
        }
        leave(p);
        return SLV_OK;
    }
    if (end <= p->at || end > above->end || end - p->at < head + name_length ||
        size > end - p->at - head - name_length || count > size) {
        return damaged(p, error);
    }
    const uint32_t node = slv_fbx_add(fbx, bytes + head, name_length);
    if (node == SLV_FBX_NONE) {
        return slv_no_memory(error);
    }
    slv_fbx_node *made = &fbx->nodes[node];
    made->values = bytes + head + name_length;
    made->values_size = (size_t)size;
    made->value_count = (uint32_t)count;
    if (!values_are_sound(made)) {
        return damaged(p, error);
    }
    slv_fbx_append(fbx, above->node, &above->last, node);
    p->at += head + name_length + (size_t)size;
    if (p->at < end) {
        if (p->depth + 1 == SLV_FBX_DEPTH) {
            return slv_fail(error, SLV_ERROR_CONTENT, "has more than %d levels of records",
                            SLV_FBX_DEPTH);
        }
        p->levels[++p->depth] = (level){node, SLV_FBX_NONE, (size_t)end};
    }
    return SLV_OK;
}

slv_result slv_fbx_parse_binary(slv_fbx *fbx, slv_error *error) {
    parser p = {.fbx = fbx, .at = HEADER, .width = fbx->version >= 7500 ? 8 : 4};
    p.levels[0] = (level){SLV_FBX_ROOT, SLV_FBX_NONE, fbx->size};
    slv_result result = SLV_OK;
    while (result == SLV_OK && !p.complete) {
        if (p.depth > 0 && p.at == p.levels[p.depth].end) {
            leave(&p);
        } else {
            result = read_record(&p, error);
        }
    }
    return result;
}

// --- Arrays -------------------------------------------------------------------------------------

typedef struct packed_array {
    char type;
    uint32_t count;
    bool deflated;
    const char *bytes;
    uint32_t size;
} packed_array;

static slv_result inflate_array(const packed_array *array, char *to, slv_error *error) {
    uLongf size = (uLongf)array->count * element_size(array->type);
    const uLongf wanted = size;
    const int state =
        size == 0 ? Z_OK : uncompress((Bytef *)to, &size, (const Bytef *)array->bytes, array->size);
    return state == Z_MEM_ERROR ? slv_no_memory(error)
           : state != Z_OK || size != wanted
               ? slv_fail(error, SLV_ERROR_CONTENT, "has a compressed array that is damaged")
               : SLV_OK;
}

static bool holds_type(const packed_array *array, int type) {
    return (array->type == 'i' && type == SLV_FBX_INT32) ||
           (array->type == 'l' && type == SLV_FBX_INT64) ||
           (array->type == 'f' && (type == SLV_FBX_FLOAT || type == SLV_FBX_BITS)) ||
           (array->type == 'd' && type == SLV_FBX_DOUBLE);
}

// Element i of an unpacked array.
static void element_at(const packed_array *array, const char *bytes, size_t i,
                       slv_fbx_value *value) {
    float single;
    double number;
    const unsigned size = element_size(array->type);
    const char *at = bytes + i * size;
    switch (array->type) {
    case 'f':
        memcpy(&single, at, sizeof single);
        set_number(value, (double)single);
        break;
    case 'd':
        memcpy(&number, at, sizeof number);
        set_number(value, number);
        break;
    case 'i':
        set_integer(value, (int32_t)short_at(at));
        break;
    case 'l':
        set_integer(value, (int64_t)number_at(at, 8));
        break;
    default:
        set_integer(value, (signed char)at[0]);
    }
}

static bool convert(const packed_array *array, const char *bytes, int type, void *to) {
    for (size_t i = 0; i < array->count; i++) {
        slv_fbx_value value = {.kind = 0};
        element_at(array, bytes, i, &value);
        if (type == SLV_FBX_DOUBLE) {
            ((double *)to)[i] = value.number;
        } else if (type == SLV_FBX_FLOAT || type == SLV_FBX_BITS) {
            ((float *)to)[i] = (float)value.number;
        } else if (value.kind != SLV_FBX_INTEGER ||
                   (type == SLV_FBX_INT32 &&
                    (value.integer < INT32_MIN || value.integer > INT32_MAX))) {
            return false;
        } else if (type == SLV_FBX_INT32) {
            ((int32_t *)to)[i] = (int32_t)value.integer;
        } else {
            ((int64_t *)to)[i] = value.integer;
        }
    }
    return true;
}

static slv_result check_finite(const double *values, uint32_t count, slv_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "has an array with the number %g; it must be finite", values[i]);
        }
    }
    return SLV_OK;
}

static slv_result unpack(const packed_array *array, int type, void *to, slv_error *error) {
    const size_t size = (size_t)array->count * element_size(array->type);
    if (holds_type(array, type) && !array->deflated) {
        memcpy(to, array->bytes, size);
        return SLV_OK;
    }
    if (holds_type(array, type)) {
        return inflate_array(array, to, error);
    }
    char *room = array->deflated ? calloc(size + 1, 1) : NULL;
    if (array->deflated && !room) {
        return slv_no_memory(error);
    }
    slv_result result = array->deflated ? inflate_array(array, room, error) : SLV_OK;
    if (result == SLV_OK && !convert(array, room ? room : array->bytes, type, to)) {
        result = slv_fail(error, SLV_ERROR_CONTENT, "has an array with numbers of a wrong type");
    }
    free(room);
    return result;
}

slv_result slv_fbx_read_array(const slv_fbx *fbx, uint32_t node, int type, void **values,
                              uint32_t *count, slv_error *error) {
    *values = NULL;
    *count = 0;
    slv_fbx_value value;
    if (!slv_fbx_value_at(fbx, node, 0, &value) || value.kind != SLV_FBX_ARRAY) {
        return SLV_OK;
    }
    slv_result result = SLV_OK;
    if (fbx->is_text) {
        result = slv_fbx_text_array(fbx, node, type, values, count, error);
    } else {
        const packed_array array = {.type = value.text[0],
                                    .count = short_at(value.text + 1),
                                    .deflated = short_at(value.text + 5) == 1,
                                    .bytes = value.text + 13,
                                    .size = short_at(value.text + 9)};
        void *room = malloc((size_t)array.count * slv_fbx_type_size(type) + 1);
        result = room ? unpack(&array, type, room, error) : slv_no_memory(error);
        *values = room;
        *count = array.count;
    }
    if (result == SLV_OK && type == SLV_FBX_DOUBLE) {
        result = check_finite(*values, *count, error);
    }
    if (result != SLV_OK) {
        free(*values);
        *values = NULL;
        *count = 0;
    }
    return result;
}
