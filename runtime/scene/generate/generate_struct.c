// SPDX-License-Identifier: MIT
#include "runtime/scene/generate/generate.h"

#include "formats/number_text.h"

#include <stdlib.h>
#include <string.h>

enum { LAST_COLUMN = 100 };

// A comment of whole words in lines of at most LAST_COLUMN bytes, before a field.
static void add_comment(slv_text *text, const char *words) {
    size_t column = 0;
    while (*words) {
        const size_t length = strcspn(words, " ");
        if (column == 0 || column + 1 + length > LAST_COLUMN) {
            slv_text_add(text, "%s    //", column ? "\n" : "");
            column = strlen("    //");
        }
        slv_text_add(text, " %.*s", (int)length, words);
        column += 1 + length;
        words += length + strspn(words + length, " ");
    }
    slv_text_add(text, "\n");
}

static bool has_range(const slv_parameter *row) {
    switch (row->kind) {
    case SLV_VALUE_FLOAT:
    case SLV_VALUE_DOUBLE:
    case SLV_VALUE_COUNT:
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_POSITION:
    case SLV_VALUE_GRAVITY:
    case SLV_VALUE_LIMITS:
        return true;
    default:
        return false;
    }
}

static void add_tuple(slv_text *text, const double *numbers, int count) {
    char number[32];
    for (int i = 0; i < count; i++) {
        slv_text_add(text, "%s%s", i ? ", " : "(", slv_text_of_limit(numbers[i], number));
    }
    slv_text_add(text, ")");
}

static void add_separator(slv_text *text) {
    slv_text_add(text, "%s", text->used ? "; " : "");
}

static void add_default(slv_text *text, const slv_parameter_table *table,
                        const slv_parameter *row) {
    char number[32];
    switch (row->kind) {
    case SLV_VALUE_FLOAT:
    case SLV_VALUE_DOUBLE:
    case SLV_VALUE_COUNT:
        add_separator(text);
        slv_text_add(text, "default %s",
                     row->has_none && row->none == (double)SLV_UNSET
                         ? "SLV_UNSET"
                         : slv_text_of_limit(row->initial[0], number));
        break;
    case SLV_VALUE_SWITCH:
        add_separator(text);
        slv_text_add(text, "default %s", row->initial[0] != 0.0 ? "true" : "false");
        break;
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_POSITION:
    case SLV_VALUE_GRAVITY:
        add_separator(text);
        slv_text_add(text, "default ");
        add_tuple(text, row->initial, 3);
        break;
    case SLV_VALUE_ROTATION:
        slv_text_add(text, "unit quaternion x, y, z, w; default ");
        add_tuple(text, row->initial, 4);
        break;
    case SLV_VALUE_CHOICE:
        add_separator(text);
        if (row->has_none) {
            slv_text_add(text, "default %d", (int)row->none);
        } else {
            slv_text_add(text, "default %s",
                         row->choices[(int)row->initial[0] - row->first_choice]);
        }
        break;
    case SLV_VALUE_TEXT:
        add_separator(text);
        slv_text_add(text, row->text ? "default \"%s\"" : "default NULL", row->text); // NOLINT
        break;
    default:
        return;
    }
    if (row->has_none) {
        slv_text_add(text, ": ");
        slv_text_add_words(text, table,
                           row->none == 0.0 && row->zero_means ? row->zero_means : row->missing,
                           SLV_WORDS_FIELDS);
    }
}

// " [m/s; 0 to 1000; default 0.02]".
static void add_facts(slv_text *text, const slv_parameter_table *table, const slv_parameter *row) {
    char low[32];
    char high[32];
    slv_text facts = {0};
    if (row->unit) {
        slv_text_add(&facts, "%s", row->unit);
    }
    if (has_range(row)) {
        slv_text_add(&facts, "%s%s%s to %s", facts.used ? "; " : "",
                     row->zero_means || row->also_zero ? "0 or " : "",
                     slv_text_of_limit(row->min, low), slv_text_of_limit(row->max, high));
    }
    add_default(&facts, table, row);
    if (facts.used) {
        slv_text_add(text, " [%s]", facts.bytes);
    }
    free(facts.bytes);
}

void slv_generate_struct(slv_text *text, const char *name, const slv_parameter_table *table) {
    slv_text_add(text, "typedef struct %s {\n", name);
    const bool only_material = strcmp(name, "slv_garment_material") == 0;
    for (size_t i = 0; i < table->count; i++) {
        const slv_parameter *row = &table->rows[i];
        slv_text comment = {0};
        if (only_material && !row->material) {
            continue;
        }
        if (row->header && !only_material) {
            slv_text_add(text, "%s", i ? "\n" : "");
            add_comment(text, row->header);
            slv_text_add(text, "\n");
        }
        slv_text_add_words(&comment, table, row->doc, SLV_WORDS_FIELDS);
        add_facts(&comment, table, row);
        add_comment(text, comment.bytes);
        free(comment.bytes);
        const char *gap = row->type[strlen(row->type) - 1] == '*' ? "" : " ";
        slv_text_add(text, "    %s%s%s%s;\n", row->type, gap, row->field, row->extent);
    }
    slv_text_add(text, "} %s;\n", name);
}

void slv_generate_solvers(slv_text *text) {
    static const struct {
        const char *name, *doc;
    } solvers[] = {
#define SLV_SOLVER(id, doc, file) {#id, doc},
#include "runtime/base/solvers.def"
#undef SLV_SOLVER
    };
    const size_t count = sizeof solvers / sizeof *solvers;
    slv_text_add(text, "typedef enum slv_solver {\n");
    add_comment(text, "The world chooses one that solves all constraints of its garments.");
    slv_text_add(text, "    SLV_SOLVER_AUTO = -1,\n");
    for (size_t i = 0; i < count; i++) {
        add_comment(text, solvers[i].doc);
        slv_text_add(text, "    SLV_%s = %zu,\n", solvers[i].name, i);
    }
    slv_text_add(text, "    SLV_SOLVER_COUNT = %zu\n} slv_solver;\n", count);
}
