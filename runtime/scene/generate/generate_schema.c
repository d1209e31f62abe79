// SPDX-License-Identifier: MIT
#include "runtime/scene/generate/generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A JSON Schema (draft 2020-12), one property a line. Keys that objects inherit from the scene are described
// there, and the object refers to them.

static void add_escaped(slv_text *text, const char *words) {
    for (; *words; words++) {
        slv_text_add(text, *words == '"' || *words == '\\' ? "\\%c" : "%c", *words); // NOLINT
    }
}

static void add_description(slv_text *text, const slv_parameter_table *table,
                            const slv_parameter *row) {
    slv_text words = {0};
    slv_text_add_words(&words, table, row->doc, SLV_WORDS_KEYS);
    if (row->kind == SLV_VALUE_PATH) {
        slv_text_add(&words, " Relative to the scene file.");
    }
    if (row->kind == SLV_VALUE_ROTATION) {
        slv_text_add(&words, " Three angles in degrees around x, then y, then z; or a quaternion "
                             "x, y, z, w.");
    }
    if (row->kind == SLV_VALUE_GRAVITY) {
        slv_text_add(&words, " A number points down.");
    }
    if (row->unit) {
        slv_text_add(&words, " Unit: %s.", row->unit);
    }
    if (row->zero_means) {
        slv_text_add(&words, " 0: %s.", row->zero_means);
    }
    if (row->missing) {
        slv_text_add(&words, " If not given: ");
        slv_text_add_words(&words, table, row->missing, SLV_WORDS_KEYS);
        slv_text_add(&words, ".");
    }
    slv_text_add(text, "\"description\": \"");
    add_escaped(text, words.bytes);
    slv_text_add(text, "\"");
    free(words.bytes);
}

static void add_range(slv_text *text, const slv_parameter *row, const char *type) {
    slv_text_add(text, "\"type\": \"%s\", \"minimum\": %.15g, \"maximum\": %.15g", type, row->min,
                 row->max);
}

static void add_number(slv_text *text, const slv_parameter *row, const char *type) {
    if (row->none_in_scene || row->zero_in_scene) {
        slv_text_add(text, "\"oneOf\": [{\"const\": %.15g}, {",
                     row->none_in_scene ? row->none : 0.0);
        add_range(text, row, type);
        slv_text_add(text, "}]");
    } else {
        add_range(text, row, type);
    }
}

// A list of low to high numbers; any number of them where high is 0.
static void add_list(slv_text *text, const slv_parameter *row, const char *type, int low,
                     int high) {
    slv_text_add(text, "\"type\": \"array\", \"items\": {");
    add_range(text, row, type);
    slv_text_add(text, "}");
    if (high > 0) {
        slv_text_add(text, ", \"minItems\": %d, \"maxItems\": %d", low, high);
    }
}

static void add_choices(slv_text *text, const slv_parameter *row) {
    for (int i = 0; row->choices[i]; i++) {
        slv_text_add(text, "%s\"%s\"", i ? ", " : "\"enum\": [", row->choices[i]);
    }
    slv_text_add(text, "]");
}

// Below 0: no limit.
static void add_limits(slv_text *text, const slv_parameter *row) {
    slv_parameter limit = *row;
    limit.min = row->none;
    slv_text_add(text, "\"type\": \"object\", \"additionalProperties\": {");
    add_list(text, &limit, "number", 2, 2);
    slv_text_add(text, "}");
}

// Positions, or a grid of them.
static void add_instances(slv_text *text, const slv_parameter *row) {
    slv_parameter number = *row;
    slv_text_add(text, "\"oneOf\": [{\"type\": \"array\", \"minItems\": 1, \"items\": {");
    add_list(text, row, "number", 3, 3);
    slv_text_add(text, "}}, {\"type\": \"object\", \"additionalProperties\": false, \"required\": "
                       "[\"count\", \"spacing\"], \"properties\": {\"count\": {");
    number.min = 1;
    number.max = 100000;
    add_list(text, &number, "integer", 3, 3);
    slv_text_add(text, "}, \"spacing\": {");
    add_list(text, row, "number", 3, 3);
    slv_text_add(text, "}}}]");
}

static void add_type(slv_text *text, const slv_parameter *row) {
    switch (row->kind) {
    case SLV_VALUE_FLOAT:
    case SLV_VALUE_DOUBLE:
        add_number(text, row, "number");
        break;
    case SLV_VALUE_COUNT:
        add_number(text, row, "integer");
        break;
    case SLV_VALUE_SWITCH:
        slv_text_add(text, "\"type\": \"boolean\"");
        break;
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_POSITION:
        add_list(text, row, "number", 3, 3);
        break;
    case SLV_VALUE_GRAVITY:
        slv_text_add(text, "\"oneOf\": [{");
        add_number(text, row, "number");
        slv_text_add(text, "}, {");
        add_list(text, row, "number", 3, 3);
        slv_text_add(text, "}]");
        break;
    case SLV_VALUE_ROTATION:
        add_list(text, row, "number", 3, 4);
        break;
    case SLV_VALUE_COLOR:
        add_list(text, row, "integer", 3, 3);
        break;
    case SLV_VALUE_FIXED:
        add_list(text, row, "integer", 0, 0);
        break;
    case SLV_VALUE_CHOICE:
        add_choices(text, row);
        break;
    case SLV_VALUE_PATH:
        slv_text_add(text, "\"type\": \"string\", \"minLength\": 1");
        break;
    case SLV_VALUE_SETS:
    case SLV_VALUE_NAMES:
        slv_text_add(text,
                     "\"type\": \"array\", \"items\": {\"type\": \"string\", \"minLength\": 1}");
        break;
    case SLV_VALUE_LIMITS:
        add_limits(text, row);
        break;
    case SLV_VALUE_PAINT:
        slv_text_add(text, "\"$ref\": \"#/$defs/paint\"");
        break;
    case SLV_VALUE_INSTANCES:
        add_instances(text, row);
        break;
    case SLV_VALUE_OBJECTS:
        slv_text_add(text, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/softObject\"}");
        break;
    case SLV_VALUE_COLLIDERS:
        slv_text_add(text, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/collider\"}");
        break;
    case SLV_VALUE_LOCKS:
        slv_text_add(text, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/lock\"}");
        break;
    case SLV_VALUE_REMARK:
        slv_text_add(text, "\"type\": \"string\"");
        break;
    case SLV_VALUE_TEXT:
    case SLV_VALUE_OTHER: // have no key
        break;
    }
}

static void add_numbers(slv_text *text, const double *numbers) {
    slv_text_add(text, "[%.15g, %.15g, %.15g]", numbers[0], numbers[1], numbers[2]);
}

static void add_default(slv_text *text, const slv_parameter *row) {
    if (row->missing || row->required || row->needed) {
        return;
    }
    switch (row->kind) {
    case SLV_VALUE_FLOAT:
    case SLV_VALUE_DOUBLE:
    case SLV_VALUE_COUNT:
        slv_text_add(text, ", \"default\": %.15g", row->initial[0]);
        break;
    case SLV_VALUE_SWITCH:
        slv_text_add(text, ", \"default\": %s", row->initial[0] != 0.0 ? "true" : "false");
        break;
    case SLV_VALUE_GRAVITY:
        slv_text_add(text, ", \"default\": %.15g", -row->initial[1]);
        break;
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_POSITION:
    case SLV_VALUE_COLOR:
    case SLV_VALUE_ROTATION: // no rotation is (0, 0, 0) as angles too
        slv_text_add(text, ", \"default\": ");
        add_numbers(text, row->initial);
        break;
    case SLV_VALUE_CHOICE:
        slv_text_add(text, ", \"default\": \"%s\"",
                     row->choices[(int)row->initial[0] - row->first_choice]);
        break;
    default:
        break;
    }
}

static const slv_parameter_table *table_of(const slv_key_list *list, const slv_parameter *row) {
    size_t g = 0;
    while (row < list->groups[g].table->rows ||
           row >= list->groups[g].table->rows + list->groups[g].table->count) {
        g++;
    }
    return list->groups[g].table;
}

// Whether an object inherits the key from the scene.
static bool is_inherited(const slv_key_list *list, const slv_parameter *row) {
    return list == &slv_object_keys && table_of(list, row) == &slv_garment_table &&
           !row->object_only;
}

// "required": […], "properties": {…}, indented.
static void add_properties(slv_text *text, const slv_key_list *list, const char *indent) {
    slv_key key = slv_key_at(list, 0);
    int required = 0;
    for (size_t i = 1; key.row; key = slv_key_at(list, i++)) {
        if (key.row->required) {
            slv_text_add(text, "%s\"%s\"", required++ ? ", " : "", key.row->key);
        }
    }
    slv_text_add(text, "],\n%s\"additionalProperties\": false,\n%s\"properties\": {", indent,
                 indent);
    key = slv_key_at(list, 0);
    for (size_t i = 1; key.row; key = slv_key_at(list, i++)) {
        slv_text_add(text, "%s\n%s  \"%s\": {", i > 1 ? "," : "", indent, key.row->key);
        if (is_inherited(list, key.row)) {
            slv_text_add(text, "\"$ref\": \"#/properties/%s\"", key.row->key);
        } else {
            add_description(text, table_of(list, key.row), key.row);
            slv_text_add(text, ", ");
            add_type(text, key.row);
            add_default(text, key.row);
        }
        slv_text_add(text, "}");
    }
    slv_text_add(text, "\n%s}", indent);
}

void slv_generate_schema(slv_text *text) {
    static const struct {
        const char *name;
        const slv_key_list *keys;
    } definitions[] = {{"softObject", &slv_object_keys},
                       {"paint", &slv_paint_keys},
                       {"collider", &slv_collider_keys},
                       {"lock", &slv_lock_keys}};
    slv_text_add(text,
                 "{\n"
                 "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                 "  \"$comment\": \"Generated from runtime/base/parameters/*.def.\",\n"
                 "  \"title\": \"Selvage scene\",\n"
                 "  \"description\": \"Garments, colliders and settings of a simulation. SI units, "
                 "y is up. docs/SCENES.md explains the keys.\",\n"
                 "  \"type\": \"object\",\n"
                 "  \"required\": [");
    add_properties(text, &slv_scene_keys, "  ");
    slv_text_add(text, ",\n  \"$defs\": {");
    for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++) {
        slv_text_add(text, "%s\n    \"%s\": {\n      \"type\": \"object\",\n      \"required\": [",
                     i ? "," : "", definitions[i].name);
        add_properties(text, definitions[i].keys, "      ");
        slv_text_add(text, "\n    }");
    }
    slv_text_add(text, "\n  }\n}\n");
}
