// SPDX-License-Identifier: MIT
// A strict parser of JSON (RFC 8259). Every value has its line and column, for the messages of the code that
// interprets it.
#ifndef SLV_RUNTIME_BASE_JSON_H
#define SLV_RUNTIME_BASE_JSON_H

#include "formats/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLV_JSON_MAX_DEPTH 64u         // nesting of arrays and objects
#define SLV_JSON_MAX_SIZE (256u << 20) // bytes of a text

typedef enum slv_json_type {
    SLV_JSON_NULL,
    SLV_JSON_BOOLEAN,
    SLV_JSON_NUMBER,
    SLV_JSON_STRING,
    SLV_JSON_ARRAY,
    SLV_JSON_OBJECT,
} slv_json_type;

typedef struct slv_json_value slv_json_value;
struct slv_json_value {
    slv_json_type type;
    uint32_t line, column; // of the first byte, counted from 1
    union {
        bool boolean;
        double number; // correctly rounded, finite
        const slv_json_value *first;
    };
    uint32_t count;             // of elements or members: first, first->next, …
    uint32_t length;            // bytes of text
    const char *text;           // a string decoded, a number as written; ends with a zero byte
    const slv_json_value *next; // in the same array or object
    const char *name;           // of a member; ends with a zero byte
    uint32_t name_length;
    uint32_t name_line, name_column;
};

typedef struct slv_json slv_json; // owns all values of a document

// Messages begin with line and column: "12:7: expected …". *json is NULL on failure.
slv_result slv_json_parse(const char *text, size_t size, slv_json **json, slv_error *error);
void slv_json_free(slv_json *json); // NULL is fine

const slv_json_value *slv_json_root(const slv_json *json);

// The member of that name. NULL: there is none, or value is no object.
const slv_json_value *slv_json_member(const slv_json_value *value, const char *name);

// "a number", "an object", "null": for messages.
const char *slv_json_type_name(slv_json_type type);

#endif
