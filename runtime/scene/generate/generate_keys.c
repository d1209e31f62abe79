// SPDX-License-Identifier: MIT
#include "runtime/scene/generate/generate.h"

#include "formats/number_text.h"

// Rows of a Markdown table: key, value, unit, default, meaning.

static void add_range(slv_text *text, const slv_parameter *row, const char *before) {
    char low[32];
    char high[32];
    slv_text_add(text, "%s%s%s to %s", before,
                 row->none_in_scene || row->zero_in_scene ? "0 or " : "",
                 slv_text_of_limit(row->min, low), slv_text_of_limit(row->max, high));
}

static void add_value(slv_text *text, const slv_parameter *row) {
    switch (row->kind) {
    case SLV_VALUE_FLOAT:
    case SLV_VALUE_DOUBLE:
    case SLV_VALUE_COUNT:
        add_range(text, row, "");
        break;
    case SLV_VALUE_SWITCH:
        slv_text_add(text, "true or false");
        break;
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_POSITION:
        add_range(text, row, "three numbers, ");
        break;
    case SLV_VALUE_GRAVITY:
        add_range(text, row, "a number (downwards) or three, ");
        break;
    case SLV_VALUE_COLOR:
        add_range(text, row, "three whole numbers, ");
        break;
    case SLV_VALUE_ROTATION:
        slv_text_add(text, "degrees around x, then y, then z; or a quaternion x, y, z, w");
        break;
    case SLV_VALUE_CHOICE:
        for (int i = 0; row->choices[i]; i++) {
            slv_text_add(text, "%s`%s`", i ? " " : "", row->choices[i]);
        }
        break;
    case SLV_VALUE_PATH:
        slv_text_add(text, "path, relative to the scene file");
        break;
    case SLV_VALUE_FIXED:
        slv_text_add(text, "list of whole numbers");
        break;
    case SLV_VALUE_SETS:
    case SLV_VALUE_NAMES:
        slv_text_add(text, "list of names");
        break;
    case SLV_VALUE_LIMITS:
        slv_text_add(text, "`{\"set\": [distance, backstop]}`; set `*`: all particles");
        break;
    case SLV_VALUE_PAINT:
        slv_text_add(text, "`{\"maxDistance\": \"red\"}`, see [Paint](#paint)");
        break;
    case SLV_VALUE_INSTANCES:
        slv_text_add(
            text,
            "list of positions, or a grid: `{\"count\": [3, 2, 3], \"spacing\": [0.5, 0.5, 0.5]}`");
        break;
    case SLV_VALUE_OBJECTS:
        slv_text_add(text, "list of [objects](#keys-of-an-object)");
        break;
    case SLV_VALUE_COLLIDERS:
        slv_text_add(text, "list of [colliders](#keys-of-a-collider)");
        break;
    case SLV_VALUE_LOCKS:
        slv_text_add(text, "list of [locks](#keys-of-a-lock)");
        break;
    case SLV_VALUE_REMARK:
        slv_text_add(text, "text");
        break;
    case SLV_VALUE_TEXT:
    case SLV_VALUE_OTHER: // have no key
        break;
    }
}

// "required for `sphere` `capsule`".
static void add_shapes(slv_text *text, int shapes) {
    slv_text_add(text, "required for");
    for (int i = 0; slv_shape_names[i]; i++) {
        if (shapes & 1 << (SLV_COLLIDER_PLANE + i)) {
            slv_text_add(text, " `%s`", slv_shape_names[i]);
        }
    }
}

static void add_default(slv_text *text, const slv_parameter_table *table,
                        const slv_parameter *row) {
    const double *initial = row->initial;
    char number[32];
    if (row->required) {
        slv_text_add(text, "required");
        return;
    }
    if (row->needed) {
        add_shapes(text, row->needed);
        return;
    }
    if (row->missing) {
        slv_text_add_words(text, table, row->missing, SLV_WORDS_CODE);
        return;
    }
    switch (row->kind) {
    case SLV_VALUE_FLOAT:
    case SLV_VALUE_DOUBLE:
    case SLV_VALUE_COUNT:
        slv_text_add(text, "%s", slv_text_of_limit(initial[0], number));
        break;
    case SLV_VALUE_SWITCH:
        slv_text_add(text, "%s", initial[0] != 0.0 ? "true" : "false");
        break;
    case SLV_VALUE_GRAVITY:
        slv_text_add(text, "%.10g", -initial[1]);
        break;
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_POSITION:
    case SLV_VALUE_COLOR:
    case SLV_VALUE_ROTATION:
        slv_text_add(text, "`[%g, %g, %g]`", initial[0], initial[1], initial[2]);
        break;
    case SLV_VALUE_CHOICE:
        slv_text_add(text, "`%s`", row->choices[(int)initial[0] - row->first_choice]);
        break;
    default:
        break;
    }
}

static void add_row(slv_text *text, const slv_parameter_table *table, const slv_parameter *row) {
    slv_text_add(text, "| `%s` | ", row->key);
    add_value(text, row);
    slv_text_add(text, " | %s%s", row->unit ? row->unit : "", row->unit ? " | " : "| ");
    add_default(text, table, row);
    slv_text_add(text, " | ");
    slv_text_add_words(text, table, row->doc, SLV_WORDS_CODE);
    if (row->zero_means) {
        slv_text_add(text, " 0: %s.", row->zero_means);
    }
    slv_text_add(text, " |\n");
}

// Keys that an object inherits from the scene are described there.
static void add_inherited(slv_text *text, const slv_parameter_table *table) {
    slv_text_add(text, "|");
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].key && !table->rows[i].object_only) {
            slv_text_add(text, " `%s`", table->rows[i].key);
        }
    }
    slv_text_add(text, " | | | the scene's | As above, for this object. |\n");
}

void slv_generate_keys(slv_text *text, const slv_key_list *list) {
    slv_text_add(text, "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
    for (size_t g = 0; g < list->count; g++) {
        const slv_parameter_table *table = list->groups[g].table;
        const bool inherits = list == &slv_object_keys && table == &slv_garment_table;
        for (size_t i = 0; i < table->count; i++) {
            const slv_parameter *row = &table->rows[i];
            const bool elsewhere = inherits != row->object_only && table == &slv_garment_table;
            if (row->key && !elsewhere) {
                add_row(text, table, row);
            }
        }
        if (inherits) {
            add_inherited(text, table);
        }
    }
}
