// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/fbx_file.h"
#include "tools/common/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// "Name: value, value {" begins a node, "}" ends it, ";" a comment up to the end of the line. Values are numbers, quoted texts,
// bare words and "*24", the size of an array whose numbers are the values of the child "a". A new line may follow a comma, or
// the name before a number. There is no escape in a text but &quot;.

enum { LONGEST_NUMBER = 63 };

typedef struct parser {
    slv_fbx *fbx;
    const char *at, *end;
    struct {
        uint32_t node, last;
    } levels[SLV_FBX_DEPTH];
    uint32_t depth;
} parser;

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool is_space(char c) {
    return is_blank(c) || c == '\r' || c == '\n' || c == '\0';
}

static const char *skip_space(const char *at, const char *end) {
    while (at < end && (is_space(*at) || *at == ';')) {
        if (*at == ';') {
            const char *line = memchr(at, '\n', (size_t)(end - at));
            at = line ? line : end;
        } else {
            at++;
        }
    }
    return at;
}

static bool ends_word(char c) {
    return is_space(c) || c == ',' || c == '{' || c == '}' || c == ';' || c == '"';
}

static bool starts_number(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '.';
}

// The end of the value at `at`; NULL for a text without its second quote.
static const char *skip_value(const char *at, const char *end) {
    if (at < end && *at == '"') {
        const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
        return quote ? quote + 1 : NULL;
    }
    while (at < end && !ends_word(*at)) {
        at++;
    }
    return at;
}

// The end of all values after a name; NULL as above.
static const char *skip_values(const char *at, const char *end) {
    while (at < end && is_blank(*at)) {
        at++;
    }
    const char *first = skip_space(at, end);
    at = first < end && starts_number(*first) ? first : at; // no name begins so
    for (;;) {
        at = skip_value(at, end);
        if (!at) {
            return NULL;
        }
        const char *comma = skip_space(at, end);
        if (comma == end || *comma != ',') {
            return at;
        }
        at = skip_space(comma + 1, end);
    }
}

// --- Tree ---------------------------------------------------------------------------------------

static slv_result damaged(const parser *p, slv_error *error) {
    size_t line = 1;
    for (const char *c = p->fbx->bytes; c < p->at && c < p->end; c++) {
        line += *c == '\n';
    }
    return slv_fail(error, SLV_ERROR_CONTENT, "line %zu is damaged or the file is cut off", line);
}

static slv_result read_node(parser *p, slv_error *error) {
    const char *name = p->at;
    const char *colon = name;
    while (colon < p->end && *colon != ':' && *colon != '\n' && !ends_word(*colon)) {
        colon++;
    }
    if (colon == p->end || *colon != ':' || colon == name || colon - name > 255) {
        return damaged(p, error);
    }
    const char *values = colon + 1;
    const char *after = skip_values(values, p->end);
    const uint32_t node = after ? slv_fbx_add(p->fbx, name, (size_t)(colon - name)) : SLV_FBX_NONE;
    if (node == SLV_FBX_NONE) {
        return after ? slv_no_memory(error) : damaged(p, error);
    }
    p->fbx->nodes[node].values = values;
    p->fbx->nodes[node].values_size = (size_t)(after - values);
    slv_fbx_append(p->fbx, p->levels[p->depth].node, &p->levels[p->depth].last, node);
    p->at = skip_space(after, p->end);
    if (p->at < p->end && *p->at == '{') {
        if (p->depth + 1 == SLV_FBX_DEPTH) {
            return slv_fail(error, SLV_ERROR_CONTENT, "has more than %d levels of nodes",
                            SLV_FBX_DEPTH);
        }
        p->depth++;
        p->levels[p->depth].node = node;
        p->levels[p->depth].last = SLV_FBX_NONE;
        p->at++;
    }
    return SLV_OK;
}

slv_result slv_fbx_parse_text(slv_fbx *fbx, slv_error *error) {
    parser p = {.fbx = fbx, .at = fbx->bytes, .end = fbx->bytes + fbx->size};
    p.levels[0].node = SLV_FBX_ROOT;
    p.levels[0].last = SLV_FBX_NONE;
    slv_result result = SLV_OK;
    for (p.at = skip_space(p.at, p.end); result == SLV_OK && p.at < p.end;
         p.at = skip_space(p.at, p.end)) {
        if (*p.at == '}' && p.depth > 0) {
            p.depth--;
            p.at++;
        } else {
            result = read_node(&p, error);
        }
    }
    return result == SLV_OK && p.depth > 0 ? damaged(&p, error) : result;
}

// --- Values -------------------------------------------------------------------------------------

// Reads [+-]digits exactly; false for other text or an overflow.
static bool parse_integer(const char *at, const char *end, int64_t *integer) {
    const bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+') ? 1 : 0;
    uint64_t value = 0;
    const char *first = at;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = 10 * value + digit;
    }
    if (at == first || at != end || value > (uint64_t)INT64_MAX + (negative ? 1 : 0)) {
        return false;
    }
    *integer = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

static bool parse_number(const char *at, const char *end, double *number) {
    char text[LONGEST_NUMBER + 1];
    const size_t length = (size_t)(end - at);
    if (length > LONGEST_NUMBER) {
        return false;
    }
    memcpy(text, at, length);
    text[length] = '\0';
    return slv_parse_whole_number(text, number);
}

static void set_value(const char *at, const char *end, slv_fbx_value *value) {
    if (at < end && *at == '"') {
        *value =
            (slv_fbx_value){.kind = SLV_FBX_TEXT, .text = at + 1, .length = (size_t)(end - at) - 2};
    } else if (at < end && *at == '*') {
        value->kind = SLV_FBX_ARRAY;
        if (!parse_integer(at + 1, end, &value->integer)) {
            value->integer = -1;
        }
    } else if (parse_integer(at, end, &value->integer)) {
        value->kind = SLV_FBX_INTEGER;
        value->number = (double)value->integer;
    } else if (parse_number(at, end, &value->number)) {
        value->kind = SLV_FBX_NUMBER;
        value->integer = fabs(value->number) < 9e18 ? (int64_t)value->number : 0;
    } else {
        *value = (slv_fbx_value){.kind = SLV_FBX_TEXT, .text = at, .length = (size_t)(end - at)};
    }
}

bool slv_fbx_text_value(const slv_fbx *fbx, uint32_t node, uint32_t index, slv_fbx_value *value) {
    const slv_fbx_node *n = &fbx->nodes[node];
    const char *end = n->values + n->values_size;
    const char *at = skip_space(n->values, end);
    if (at == end) {
        return false;
    }
    for (uint32_t i = 0; i < index; i++) {
        at = skip_space(skip_value(at, end), end);
        if (at == end || *at != ',') {
            return false;
        }
        at = skip_space(at + 1, end);
    }
    set_value(at, skip_value(at, end), value);
    return true;
}

// --- Arrays -------------------------------------------------------------------------------------

static bool store_float(const char *at, const char *end, float *to) {
    double number = 0.0;
    const bool is_number = parse_number(at, end, &number);
    *to = (float)number;
    return is_number;
}

static bool store(const slv_fbx *fbx, const char *at, const char *end, int type, void *to) {
    int64_t integer;
    double number;
    switch (type) {
    case SLV_FBX_BITS:
        if (fbx->version >= 7200 && parse_integer(at, end, &integer)) {
            const uint32_t bits = (uint32_t)(uint64_t)integer;
            memcpy(to, &bits, sizeof bits);
            return true;
        }
        return store_float(at, end, to);
    case SLV_FBX_FLOAT:
        return store_float(at, end, to);
    case SLV_FBX_DOUBLE:
        // Within the file: the brace that ends the array follows.
        if (slv_parse_number(at, &number) != end) {
            return false;
        }
        memcpy(to, &number, sizeof number);
        return true;
    case SLV_FBX_INT64:
        if (!parse_integer(at, end, &integer)) {
            return false;
        }
        memcpy(to, &integer, sizeof integer);
        return true;
    default:
        if (!parse_integer(at, end, &integer) || integer < INT32_MIN || integer > INT32_MAX) {
            return false;
        }
        const int32_t small = (int32_t)integer;
        memcpy(to, &small, sizeof small);
        return true;
    }
}

slv_result slv_fbx_text_array(const slv_fbx *fbx, uint32_t node, int type, void **values,
                              uint32_t *count, slv_error *error) {
    slv_fbx_value stated = {.kind = 0};
    (void)slv_fbx_text_value(fbx, node, 0, &stated);
    const uint32_t list = slv_fbx_child(fbx, node, "a");
    const char *at = list == SLV_FBX_NONE ? NULL : fbx->nodes[list].values;
    const char *end = at ? at + fbx->nodes[list].values_size : NULL;
    // Each number has a digit and a comma.
    if (stated.integer < 0 || stated.integer > (int64_t)((end - at) / 2 + 1) ||
        stated.integer >= UINT32_MAX) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "has an array with fewer numbers than it states: %lld",
                        (long long)stated.integer);
    }
    const size_t size = slv_fbx_type_size(type);
    char *room = malloc((size_t)stated.integer * size + 1);
    if (!room) {
        return slv_no_memory(error);
    }
    *values = room;
    at = skip_space(at, end);
    for (int64_t i = 0; i < stated.integer; i++) {
        const char *after = skip_value(at, end);
        if (!after || !store(fbx, at, after, type, room + (size_t)i * size)) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "has an array whose number %lld is missing or not a number of its type",
                            (long long)i + 1);
        }
        at = skip_space(after, end);
        at = at < end && *at == ',' ? skip_space(at + 1, end) : at;
    }
    *count = (uint32_t)stated.integer;
    return SLV_OK;
}
