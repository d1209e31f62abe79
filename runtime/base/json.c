// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/base/json.h"

#include "formats/value_check.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Recursive descent, one function a production. Values and texts are allocated from an arena of growing
// blocks that is freed as a whole. Numbers are checked against the grammar and then converted by strtod,
// which rounds correctly. The calling thread's locale is "C" meanwhile: the decimal separator is a point.

// --- The arena -----------------------------------------------------------------------------------

#define FIRST_BLOCK ((size_t)4096)
#define LARGEST_BLOCK ((size_t)1 << 20)

typedef struct arena_block arena_block;
struct arena_block {
    arena_block *previous;
    size_t used, size;
    max_align_t bytes[];
};

struct slv_json {
    arena_block *block;
    const slv_json_value *root;
};

static void *allocate(slv_json *json, size_t size) {
    const size_t aligned = (size + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
    arena_block *block = json->block;
    if (block == NULL || block->size - block->used < aligned) {
        size_t room = block ? 2 * block->size : FIRST_BLOCK;
        room = room > LARGEST_BLOCK ? LARGEST_BLOCK : room;
        room = room < aligned ? aligned : room;
        arena_block *fresh = malloc(sizeof *fresh + room);
        if (fresh == NULL) {
            return NULL;
        }
        *fresh = (arena_block){.previous = block, .size = room};
        json->block = block = fresh;
    }
    void *memory = (char *)block->bytes + block->used;
    block->used += aligned;
    return memory;
}

void slv_json_free(slv_json *json) {
    if (json == NULL) {
        return;
    }
    for (arena_block *block = json->block; block;) {
        arena_block *previous = block->previous;
        free(block);
        block = previous;
    }
    free(json);
}

// --- The reader ----------------------------------------------------------------------------------

typedef struct json_reader {
    slv_json *json;
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    uint32_t depth;
    slv_error *error;
} json_reader;

static uint32_t column_of(const json_reader *reader, const char *at) {
    return (uint32_t)(at - reader->line_start) + 1;
}

// at lies on the current line.
SLV_PRINTF(3, 4)
static slv_result fail_at(const json_reader *reader, const char *at, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return slv_fail(reader->error, SLV_ERROR_CONTENT, "%u:%u: %s", reader->line,
                    column_of(reader, at), text);
}

static slv_result fail_memory(const json_reader *reader) {
    return slv_fail(reader->error, SLV_ERROR_MEMORY, "%u:%u: out of memory", reader->line,
                    column_of(reader, reader->at));
}

// "expected WHAT, not 'x'" about the byte at reader->at.
static slv_result fail_expected(const json_reader *reader, const char *what) {
    if (reader->at == reader->end) {
        return fail_at(reader, reader->at, "expected %s, but the text ends here", what);
    }
    const unsigned char byte = (unsigned char)*reader->at;
    if (byte < 0x20 || byte >= 0x7f) {
        return fail_at(reader, reader->at, "expected %s, not byte 0x%02X", what, byte);
    }
    return fail_at(reader, reader->at, "expected %s, not '%c'", what, byte);
}

static void skip_blanks(json_reader *reader) {
    for (; reader->at < reader->end; reader->at++) {
        const char c = *reader->at;
        if (c == '\n') {
            reader->line++;
            reader->line_start = reader->at + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

static bool next_is(const json_reader *reader, char c) {
    return reader->at < reader->end && *reader->at == c;
}

static bool is_digit(const char *at, const char *end) {
    return at < end && *at >= '0' && *at <= '9';
}

// --- Numbers -------------------------------------------------------------------------------------

static const char *skip_digits(const char *at, const char *end) {
    while (is_digit(at, end)) {
        at++;
    }
    return at;
}

// The byte after the number that begins at `at`, or NULL: [-] (0 | 1-9 digits) [. digits] [e digits].
static const char *scan_number(const char *at, const char *end) {
    at += at < end && *at == '-';
    if (!is_digit(at, end)) {
        return NULL;
    }
    at = *at == '0' ? at + 1 : skip_digits(at, end);
    if (at < end && *at == '.') {
        if (!is_digit(++at, end)) {
            return NULL;
        }
        at = skip_digits(at, end);
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        if (!is_digit(at, end)) {
            return NULL;
        }
        at = skip_digits(at, end);
    }
    return at;
}

static bool ends_word(const char *at, const char *end) {
    return at == end || strchr(" \t\r\n,:]}", *at) != NULL;
}

static slv_result read_number(json_reader *reader, slv_json_value *value) {
    const char *end = scan_number(reader->at, reader->end);
    if (end == NULL || !ends_word(end, reader->end)) {
        return fail_at(reader, reader->at,
                       "this is no number; write it like 12, -0.5 or 1e-3 (no leading zeros, "
                       "digits on both sides of the point)");
    }
    const size_t length = (size_t)(end - reader->at);
    char *text = allocate(reader->json, length + 1);
    if (text == NULL) {
        return fail_memory(reader);
    }
    memcpy(text, reader->at, length);
    text[length] = '\0';
    value->type = SLV_JSON_NUMBER;
    value->text = text;
    value->length = (uint32_t)length;
    value->number = strtod(text, NULL);
    if (!isfinite(value->number)) {
        return fail_at(reader, reader->at, "%.40s is too large; numbers end at 1.79e308", text);
    }
    reader->at = end;
    return SLV_OK;
}

// --- Strings -------------------------------------------------------------------------------------

// Four hexadecimal digits at `at`, or -1.
static int32_t read_hex(const char *at, const char *end) {
    int32_t code = 0;
    for (int i = 0; i < 4; i++, at++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *digit = at < end && *at ? strchr(digits, *at) : NULL;
        if (digit == NULL) {
            return -1;
        }
        code = code * 16 + (int32_t)((digit - digits) % 16);
    }
    return code;
}

static char *append_utf8(char *out, uint32_t code) {
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const uint32_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    *out++ = (char)(lead[more] | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; i--) {
        *out++ = (char)(0x80 | ((code >> (6 * i)) & 0x3F));
    }
    return out;
}

// reader->at is the u of \uXXXX. A high surrogate is read together with the low one after it.
static slv_result read_unicode(json_reader *reader, char **out) {
    const char *escape = reader->at - 1;
    int32_t code = read_hex(reader->at + 1, reader->end);
    if (code < 0) {
        return fail_at(reader, escape, "\\u needs four hexadecimal digits, as in \\u00e9");
    }
    reader->at += 5;
    if (code >= 0xD800 && code < 0xDC00) {
        const bool pair = reader->end - reader->at >= 6 && !memcmp(reader->at, "\\u", 2);
        const int32_t low = pair ? read_hex(reader->at + 2, reader->end) : -1;
        if (low < 0xDC00 || low > 0xDFFF) {
            return fail_at(reader, escape,
                           "half of a surrogate pair; \\uDC00 … \\uDFFF must follow");
        }
        reader->at += 6;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
        return fail_at(reader, escape, "the second half of a surrogate pair without its first");
    }
    *out = append_utf8(*out, (uint32_t)code);
    return SLV_OK;
}

static slv_result read_escape(json_reader *reader, char **out) {
    static const char names[] = "\"\\/bfnrt";
    static const char bytes[] = "\"\\/\b\f\n\r\t";
    reader->at++; // the backslash
    if (next_is(reader, 'u')) {
        return read_unicode(reader, out);
    }
    const char *name = reader->at < reader->end && *reader->at ? strchr(names, *reader->at) : NULL;
    if (name == NULL) {
        return fail_at(reader, reader->at - 1,
                       "unknown escape; a backslash itself is written \\\\");
    }
    *(*out)++ = bytes[name - names];
    reader->at++;
    return SLV_OK;
}

// The closing quote, or NULL and *why where the string holds invalid bytes or has no end.
static const char *find_close(const json_reader *reader, slv_result *why) {
    const char *at = reader->at + 1;
    for (; at < reader->end && *at != '"'; at++) {
        if ((unsigned char)*at < 0x20) {
            *why = *at == '\n'
                       ? fail_at(reader, reader->at, "this string does not end on its line")
                       : fail_at(reader, at, "control characters must be escaped, as in \\t");
            return NULL;
        }
        at += *at == '\\' && at + 1 < reader->end && (unsigned char)at[1] >= 0x20;
    }
    if (at >= reader->end) {
        *why = fail_at(reader, reader->at, "the string that begins here has no end");
        return NULL;
    }
    if (!slv_is_utf8(reader->at, (size_t)(at - reader->at))) {
        *why = fail_at(reader, reader->at, "this string is not UTF-8; save the file as UTF-8");
        return NULL;
    }
    return at;
}

static slv_result read_string(json_reader *reader, const char **text, uint32_t *length) {
    slv_result result = SLV_OK;
    const char *close = find_close(reader, &result);
    if (close == NULL) {
        return result;
    }
    // An escape is never shorter than what it encodes.
    char *bytes = allocate(reader->json, (size_t)(close - reader->at));
    if (bytes == NULL) {
        return fail_memory(reader);
    }
    char *out = bytes;
    for (reader->at++; result == SLV_OK && reader->at < close;) {
        if (*reader->at == '\\') {
            result = read_escape(reader, &out);
        } else {
            *out++ = *reader->at++;
        }
    }
    *out = '\0';
    *text = bytes;
    *length = (uint32_t)(out - bytes);
    reader->at = close + 1;
    return result;
}

// --- Arrays and objects --------------------------------------------------------------------------

static slv_result read_value(json_reader *reader, slv_json_value **made);

typedef struct child_list {
    slv_json_value *last;
    slv_json_value *parent;
} child_list;

static void append_child(child_list *list, slv_json_value *child) {
    if (list->last) {
        list->last->next = child;
    } else {
        list->parent->first = child;
    }
    list->last = child;
    list->parent->count++;
}

static slv_result read_element(json_reader *reader, child_list *list) {
    slv_json_value *element = NULL;
    slv_result result = read_value(reader, &element);
    if (result == SLV_OK) {
        append_child(list, element);
    }
    return result;
}

static slv_result read_member(json_reader *reader, child_list *list) {
    if (!next_is(reader, '"')) {
        return fail_expected(reader, "a key in double quotes");
    }
    const char *name = NULL;
    uint32_t length = 0;
    const uint32_t line = reader->line;
    const uint32_t column = column_of(reader, reader->at);
    slv_result result = read_string(reader, &name, &length);
    if (result != SLV_OK) {
        return result;
    }
    skip_blanks(reader);
    if (!next_is(reader, ':')) {
        return fail_expected(reader, "':' after the key");
    }
    reader->at++;
    skip_blanks(reader);
    slv_json_value *member = NULL;
    result = read_value(reader, &member);
    if (result == SLV_OK) {
        member->name = name;
        member->name_length = length;
        member->name_line = line;
        member->name_column = column;
        append_child(list, member);
    }
    return result;
}

static int compare_names(const slv_json_value *a, const slv_json_value *b) {
    if (a->name_length != b->name_length) {
        return a->name_length < b->name_length ? -1 : 1;
    }
    return memcmp(a->name, b->name, a->name_length);
}

typedef struct named_member {
    const slv_json_value *member;
} named_member;

// By name, then by position in the file.
static int compare_members(const void *left, const void *right) {
    const slv_json_value *a = ((const named_member *)left)->member;
    const slv_json_value *b = ((const named_member *)right)->member;
    const int order = compare_names(a, b);
    if (order != 0) {
        return order;
    }
    if (a->name_line != b->name_line) {
        return a->name_line < b->name_line ? -1 : 1;
    }
    return a->name_column < b->name_column ? -1 : 1;
}

// Sorts the names: n log n comparisons for objects of any size.
static slv_result check_names_differ(const json_reader *reader, const slv_json_value *object) {
    if (object->count < 2) {
        return SLV_OK;
    }
    named_member *sorted = calloc(object->count, sizeof *sorted);
    if (sorted == NULL) {
        return fail_memory(reader);
    }
    size_t count = 0;
    for (const slv_json_value *member = object->first; member; member = member->next) {
        sorted[count++].member = member;
    }
    qsort(sorted, count, sizeof *sorted, compare_members);
    slv_result result = SLV_OK;
    for (size_t i = 1; i < count && result == SLV_OK; i++) {
        const slv_json_value *first = sorted[i - 1].member;
        const slv_json_value *again = sorted[i].member;
        if (compare_names(first, again) == 0) {
            result = slv_fail(reader->error, SLV_ERROR_CONTENT,
                              "%u:%u: the key \"%.60s\" is given twice; first in line %u",
                              again->name_line, again->name_column, again->name, first->name_line);
        }
    }
    free(sorted);
    return result;
}

// "[…]" or "{…}": reader->at is the opening bracket.
static slv_result read_children(json_reader *reader, slv_json_value *value, char close,
                                slv_result (*read_child)(json_reader *, child_list *)) {
    if (reader->depth == SLV_JSON_MAX_DEPTH) {
        return fail_at(reader, reader->at, "more than %u arrays and objects inside one another",
                       SLV_JSON_MAX_DEPTH);
    }
    reader->depth++;
    reader->at++;
    child_list list = {.parent = value};
    value->first = NULL;
    skip_blanks(reader);
    for (bool more = !next_is(reader, close); more;) {
        slv_result result = read_child(reader, &list);
        if (result != SLV_OK) {
            return result;
        }
        skip_blanks(reader);
        more = next_is(reader, ',');
        if (more) {
            reader->at++;
            skip_blanks(reader);
        } else if (!next_is(reader, close)) {
            return fail_expected(reader, close == ']' ? "',' or ']'" : "',' or '}'");
        }
    }
    reader->at++; // the closing bracket
    reader->depth--;
    return SLV_OK;
}

// --- Values --------------------------------------------------------------------------------------

static slv_result read_word(json_reader *reader, slv_json_value *value) {
    static const struct {
        const char *word;
        slv_json_type type;
        bool boolean;
    } words[] = {
        {"true", SLV_JSON_BOOLEAN, true},
        {"false", SLV_JSON_BOOLEAN, false},
        {"null", SLV_JSON_NULL, false},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i].word);
        if ((size_t)(reader->end - reader->at) >= length &&
            !memcmp(reader->at, words[i].word, length) &&
            ends_word(reader->at + length, reader->end)) {
            value->type = words[i].type;
            value->boolean = words[i].boolean;
            reader->at += length;
            return SLV_OK;
        }
    }
    return fail_expected(reader, "a value (number, string, true, false, null, array or object)");
}

static slv_result read_value(json_reader *reader, slv_json_value **made) {
    slv_json_value *value = allocate(reader->json, sizeof *value);
    if (value == NULL) {
        return fail_memory(reader);
    }
    *value = (slv_json_value){.line = reader->line, .column = column_of(reader, reader->at)};
    *made = value;
    const char c = reader->at < reader->end ? *reader->at : '\0';
    slv_result result = SLV_OK;
    if (c == '{') {
        value->type = SLV_JSON_OBJECT;
        result = read_children(reader, value, '}', read_member);
        return result == SLV_OK ? check_names_differ(reader, value) : result;
    }
    if (c == '[') {
        value->type = SLV_JSON_ARRAY;
        return read_children(reader, value, ']', read_element);
    }
    if (c == '"') {
        value->type = SLV_JSON_STRING;
        return read_string(reader, &value->text, &value->length);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        return read_number(reader, value);
    }
    return read_word(reader, value);
}

static slv_result read_document(json_reader *reader) {
    if (reader->end - reader->at >= 3 && !memcmp(reader->at, "\xEF\xBB\xBF", 3)) {
        reader->at += 3; // a byte order mark, which RFC 8259 allows a parser to ignore
        reader->line_start = reader->at;
    }
    skip_blanks(reader);
    slv_json_value *root = NULL;
    slv_result result = read_value(reader, &root);
    if (result != SLV_OK) {
        return result;
    }
    reader->json->root = root;
    skip_blanks(reader);
    return reader->at == reader->end ? SLV_OK : fail_expected(reader, "nothing after the value");
}

slv_result slv_json_parse(const char *text, size_t size, slv_json **json, slv_error *error) {
    *json = NULL;
    if (size > SLV_JSON_MAX_SIZE) {
        return slv_fail(error, SLV_ERROR_CONTENT, "1:1: %zu bytes are too many; at most %u", size,
                        SLV_JSON_MAX_SIZE);
    }
    slv_json *made = calloc(1, sizeof *made);
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    slv_result result = SLV_OK;
    if (made == NULL || plain == (locale_t)0) {
        result = slv_fail(error, SLV_ERROR_MEMORY, "1:1: out of memory");
    } else {
        json_reader reader = {.json = made,
                              .at = text,
                              .end = text + size,
                              .line_start = text,
                              .line = 1,
                              .error = error};
        const locale_t callers = uselocale(plain);
        result = read_document(&reader);
        (void)uselocale(callers);
    }
    if (plain != (locale_t)0) {
        freelocale(plain);
    }
    if (result != SLV_OK) {
        slv_json_free(made);
        return result;
    }
    *json = made;
    return SLV_OK;
}

// --- Looking at values ---------------------------------------------------------------------------

const slv_json_value *slv_json_root(const slv_json *json) {
    return json->root;
}

const slv_json_value *slv_json_member(const slv_json_value *value, const char *name) {
    const size_t length = strlen(name);
    const slv_json_value *member = value->type == SLV_JSON_OBJECT ? value->first : NULL;
    while (member && (member->name_length != length || memcmp(member->name, name, length) != 0)) {
        member = member->next;
    }
    return member;
}

const char *slv_json_type_name(slv_json_type type) {
    static const char *const names[] = {
        [SLV_JSON_NULL] = "null",       [SLV_JSON_BOOLEAN] = "true or false",
        [SLV_JSON_NUMBER] = "a number", [SLV_JSON_STRING] = "a string",
        [SLV_JSON_ARRAY] = "a list",    [SLV_JSON_OBJECT] = "an object",
    };
    return names[type];
}
