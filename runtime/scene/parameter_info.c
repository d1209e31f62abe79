// SPDX-License-Identifier: MIT
// The parameter tables as the public header shows them.
#include "formats/number_text.h"
#include "runtime/base/float_modes.h"
#include "runtime/scene/scene_keys.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const slv_parameter_table *const tables[SLV_GROUP_COUNT] = {
    [SLV_GROUP_PARAMETERS] = &slv_parameters_table, [SLV_GROUP_WORLD] = &slv_world_table,
    [SLV_GROUP_GARMENT] = &slv_garment_table,       [SLV_GROUP_PAINT] = &slv_paint_table,
    [SLV_GROUP_COLLIDER] = &slv_collider_table,     [SLV_GROUP_CLIP] = &slv_clip_table,
    [SLV_GROUP_SCENE] = &slv_settings_table,        [SLV_GROUP_LOCK] = &slv_lock_table,
};

// The row with that index among those that are numbers. NULL: there is none.
static const slv_parameter *find_row(slv_parameter_group group, uint32_t index) {
    const slv_parameter_table *table = (unsigned)group < SLV_GROUP_COUNT ? tables[group] : NULL;
    for (size_t i = 0; table && i < table->count; i++) {
        const slv_parameter *row = &table->rows[i];
        if (row->kind != SLV_VALUE_COLOR && slv_count_numbers(row->kind) > 0 && index-- == 0) {
            return row;
        }
    }
    return NULL;
}

static slv_parameter_type type_of(slv_value_kind kind) {
    switch (kind) {
    case SLV_VALUE_DOUBLE:
    case SLV_VALUE_POSITION:
        return SLV_TYPE_DOUBLE;
    case SLV_VALUE_COUNT:
        return SLV_TYPE_UINT32;
    case SLV_VALUE_SWITCH:
        return SLV_TYPE_BOOL;
    case SLV_VALUE_CHOICE:
        return SLV_TYPE_ENUM;
    default:
        return SLV_TYPE_FLOAT;
    }
}

// The rows of switches and choices have no range; that of rotations is one of angles.
static void set_range(const slv_parameter *row, slv_parameter_info *info) {
    if (row->kind == SLV_VALUE_CHOICE) {
        info->min = row->first_choice;
        info->max = row->first_choice + slv_count_choices(row) - 1;
    } else if (row->kind == SLV_VALUE_SWITCH || row->kind == SLV_VALUE_ROTATION) {
        info->min = row->kind == SLV_VALUE_SWITCH ? 0.0 : -1.0;
        info->max = 1.0;
    }
}

bool slv_get_parameter_info(slv_parameter_group group, uint32_t index, slv_parameter_info *info) {
    SLV_DEFAULT_FLOAT_MODES;
    const slv_parameter *row = info ? find_row(group, index) : NULL;
    if (!row) {
        return false;
    }
    *info = (slv_parameter_info){.name = row->field,
                                 .key = row->key,
                                 .unit = row->unit ? row->unit : "",
                                 .doc = row->doc,
                                 .choices = row->choices,
                                 .option = row->option,
                                 .argument = row->argument,
                                 .option_doc = row->option_doc,
                                 .min = row->min,
                                 .max = row->max,
                                 .none = row->none,
                                 .offset = row->offset,
                                 .group = group,
                                 .type = type_of(row->kind),
                                 .index = index,
                                 .count = slv_count_numbers(row->kind),
                                 .has_none = row->has_none,
                                 .zero_is_off = row->also_zero};
    memcpy(info->initial, row->initial, sizeof info->initial);
    set_range(row, info);
    return true;
}

bool slv_find_parameter_info(slv_parameter_group group, const char *name,
                             slv_parameter_info *info) {
    slv_parameter_info found;
    for (uint32_t i = 0; name && info && slv_get_parameter_info(group, i, &found); i++) {
        if (strcmp(found.name, name) == 0) {
            *info = found;
            return true;
        }
    }
    return false;
}

slv_result slv_get_parameter_values(const slv_parameter_info *info, const void *record,
                                    double values[4]) {
    SLV_DEFAULT_FLOAT_MODES;
    const slv_parameter *row = info && record && values ? find_row(info->group, info->index) : NULL;
    if (!row) {
        return SLV_ERROR_ARGUMENT;
    }
    slv_read_numbers(row, record, values);
    return SLV_OK;
}

slv_result slv_set_parameter_values(const slv_parameter_info *info, void *record,
                                    const double values[4]) {
    SLV_DEFAULT_FLOAT_MODES;
    const slv_parameter *row = info && record && values ? find_row(info->group, info->index) : NULL;
    slv_error error = {.text = ""};
    const slv_result status = row ? slv_check_numbers(&error, row, values) : SLV_ERROR_ARGUMENT;
    if (status == SLV_OK) {
        slv_write_numbers(row, record, values);
    }
    return status;
}

// --- One line ---------------------------------------------------------------------------------------

typedef struct line {
    char *text;
    size_t size, used;
} line;

SLV_PRINTF(2, 3) static void add(line *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is initialized
    const int length = vsnprintf(out->text + out->used, out->size - out->used, format, arguments);
    va_end(arguments);
    out->used += (size_t)length;
    out->used = out->used < out->size ? out->used : out->size - 1;
}

// The first sentence, in which {name} becomes name.
static void add_sentence(line *out, const char *doc) {
    const char *end = strstr(doc, ". ");
    for (; *doc && doc != end; doc++) {
        if (*doc != '{' && *doc != '}') {
            add(out, "%c", *doc);
        }
    }
    add(out, "%s", end ? "." : "");
}

static void add_choices(line *out, const char *const *choices) {
    for (int i = 0; choices[i]; i++) {
        add(out, "%s%s", i == 0 ? " " : choices[i + 1] ? ", " : " or ", choices[i]);
    }
    add(out, ".");
}

void slv_describe_parameter(const slv_parameter_info *info, char *text, size_t size) {
    SLV_DEFAULT_FLOAT_MODES;
    if (!text || size == 0) {
        return;
    }
    line out = {text, size, 0};
    text[0] = '\0';
    if (!info || !info->doc) {
        return;
    }
    char low[SLV_NUMBER_TEXT];
    char high[SLV_NUMBER_TEXT];
    add_sentence(&out, info->doc);
    if (info->choices) {
        add_choices(&out, info->choices);
    } else if (info->type != SLV_TYPE_BOOL && info->count < 4) { // four: a rotation
        const bool zero = info->zero_is_off || (info->has_none && info->none == 0.0);
        add(&out, " %s %s to %s%s%s.", zero ? "0, or from" : "From",
            slv_text_of_limit(info->min, low), slv_text_of_limit(info->max, high),
            info->unit[0] ? " " : "", info->unit);
    }
}
