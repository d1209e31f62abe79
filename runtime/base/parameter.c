// SPDX-License-Identifier: MIT
#include "runtime/base/parameter.h"

#include "formats/fabric.h"
#include "runtime/base/parameters/rows.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// --- Tables -----------------------------------------------------------------------------------------

#define STRUCT slv_parameters
static const slv_parameter parameters_rows[] = {
#include "runtime/base/parameters/parameters.def"
};
#undef STRUCT
#define STRUCT slv_world_def
static const slv_parameter world_rows[] = {
#include "runtime/base/parameters/world.def"
};
#undef STRUCT
#define STRUCT slv_garment_def
static const slv_parameter garment_rows[] = {
#include "runtime/base/parameters/garment.def"
};
#undef STRUCT
#define STRUCT slv_paint_def
static const slv_parameter paint_rows[] = {
#include "runtime/base/parameters/paint.def"
};
#undef STRUCT
#define STRUCT slv_collider_def
static const slv_parameter collider_rows[] = {
#include "runtime/base/parameters/collider.def"
};
#undef STRUCT
#define STRUCT slv_clip_def
static const slv_parameter clip_rows[] = {
#include "runtime/base/parameters/clip.def"
};
#undef STRUCT
#define STRUCT slv_lock_def
static const slv_parameter lock_rows[] = {
#include "runtime/base/parameters/lock.def"
};
#undef STRUCT

const slv_parameter_table slv_parameters_table = TABLE(parameters_rows);
const slv_parameter_table slv_world_table = TABLE(world_rows);
const slv_parameter_table slv_garment_table = TABLE(garment_rows);
const slv_parameter_table slv_paint_table = TABLE(paint_rows);
const slv_parameter_table slv_collider_table = TABLE(collider_rows);
const slv_parameter_table slv_clip_table = TABLE(clip_rows);
const slv_parameter_table slv_lock_table = TABLE(lock_rows);

// --- Numbers of a field -----------------------------------------------------------------------------

uint32_t slv_count_numbers(slv_value_kind kind) {
    switch (kind) {
    case SLV_VALUE_FLOAT:
    case SLV_VALUE_DOUBLE:
    case SLV_VALUE_COUNT:
    case SLV_VALUE_SWITCH:
    case SLV_VALUE_CHOICE:
        return 1;
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_POSITION:
    case SLV_VALUE_GRAVITY:
    case SLV_VALUE_COLOR:
        return 3;
    case SLV_VALUE_ROTATION:
        return 4;
    default:
        return 0;
    }
}

_Static_assert(sizeof(bool) == 1, "switches are read as bytes");
void slv_read_numbers(const slv_parameter *row, const void *record, double numbers[4]) {
    const void *field = (const char *)record + row->offset;
    for (uint32_t i = 0; i < slv_count_numbers(row->kind); i++) {
        switch (row->kind) {
        case SLV_VALUE_DOUBLE:
        case SLV_VALUE_POSITION:
            numbers[i] = ((const double *)field)[i];
            break;
        case SLV_VALUE_COUNT:
            numbers[i] = (double)((const uint32_t *)field)[i];
            break;
        case SLV_VALUE_SWITCH:
            numbers[i] = (double)((const unsigned char *)field)[i]; // may be neither 0 nor 1
            break;
        case SLV_VALUE_CHOICE:
            numbers[i] = (double)((const int *)field)[i];
            break;
        case SLV_VALUE_COLOR:
            numbers[i] = (double)((const uint8_t *)field)[i];
            break;
        default:
            numbers[i] = (double)((const float *)field)[i];
            break;
        }
    }
}

void slv_write_numbers(const slv_parameter *row, void *record, const double numbers[4]) {
    void *field = (char *)record + row->offset;
    for (uint32_t i = 0; i < slv_count_numbers(row->kind); i++) {
        switch (row->kind) {
        case SLV_VALUE_DOUBLE:
        case SLV_VALUE_POSITION:
            ((double *)field)[i] = numbers[i];
            break;
        case SLV_VALUE_COUNT:
            ((uint32_t *)field)[i] = (uint32_t)numbers[i];
            break;
        case SLV_VALUE_SWITCH:
            ((bool *)field)[i] = numbers[i] != 0.0;
            break;
        case SLV_VALUE_CHOICE:
            ((int *)field)[i] = (int)numbers[i];
            break;
        case SLV_VALUE_COLOR:
            ((uint8_t *)field)[i] = (uint8_t)numbers[i];
            break;
        default:
            ((float *)field)[i] = (float)numbers[i];
            break;
        }
    }
}

void slv_fill_defaults(const slv_parameter_table *table, void *record) {
    for (size_t i = 0; i < table->count; i++) {
        const slv_parameter *row = &table->rows[i];
        if (row->kind == SLV_VALUE_TEXT) {
            *(const char **)((char *)record + row->offset) = row->text;
        } else {
            slv_write_numbers(row, record, row->initial);
        }
    }
}

// --- Checks -----------------------------------------------------------------------------------------

// As short as it is told apart from the ends of the range: 0.00999999 is below 0.01.
static const char *show_value(double value, const slv_parameter *row, char text[32]) {
    char end[32];
    const double ends[2] = {row->min, row->max};
    (void)snprintf(text, 32, "%g", value);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(end, sizeof end, "%g", ends[i]);
        if (strcmp(text, end) == 0) {
            (void)snprintf(text, 32, "%.9g", value);
            break;
        }
    }
    return text;
}

static slv_result refuse(slv_error *error, const slv_parameter *row, const char *name,
                         double value) {
    char shown[32];
    const bool unset = row->has_none && row->none == (double)SLV_UNSET;
    const bool zero = row->also_zero || (row->has_none && row->none == 0.0);
    return slv_fail(error, SLV_ERROR_ARGUMENT, "%s is %s, should be %sfrom %g to %g%s", name,
                    show_value(value, row, shown), zero ? "0 or " : "", row->min, row->max,
                    unset ? ", or SLV_UNSET" : "");
}

slv_result slv_check_number(slv_error *error, const slv_parameter *row, const char *name,
                            double value) {
    const bool valid = slv_is_between(value, row->min, row->max) ||
                       (row->has_none && value == row->none) || (row->also_zero && value == 0.0);
    return valid ? SLV_OK : refuse(error, row, name, value);
}

static slv_result check_vector(slv_error *error, const slv_parameter *row,
                               const double numbers[3]) {
    slv_result status = SLV_OK;
    for (int i = 0; status == SLV_OK && i < 3; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s[%d]", row->field, i);
        status = slv_check_number(error, row, name, numbers[i]);
    }
    return status;
}

int slv_count_choices(const slv_parameter *row) {
    int count = 0;
    while (row->choices && row->choices[count]) {
        count++;
    }
    return count;
}

static slv_result check_choice(slv_error *error, const slv_parameter *row, double value) {
    const double index = value - row->first_choice;
    const bool is_listed = index >= 0.0 && index < slv_count_choices(row) && index == floor(index);
    if (is_listed || (row->has_none && value == row->none)) {
        return SLV_OK;
    }
    return slv_fail(error, SLV_ERROR_ARGUMENT, "%s is %g, should be one of the %s values",
                    row->field, value, row->type);
}

static slv_result check_whole(slv_error *error, const slv_parameter *row, double value) {
    const bool within = (value >= row->min && value <= row->max) || // no rounding of a float
                        (row->has_none && value == row->none);
    return !within ? refuse(error, row, row->field, value)
           : value == floor(value)
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_ARGUMENT, "%s is %g, should be a whole number",
                          row->field, value);
}

static slv_result check_switch(slv_error *error, const slv_parameter *row, double value) {
    return value == 0.0 || value == 1.0 ? SLV_OK
                                        : slv_fail(error, SLV_ERROR_ARGUMENT,
                                                   "%s is %g, should be 0 or 1", row->field, value);
}

slv_result slv_check_numbers(slv_error *error, const slv_parameter *row, const double numbers[4]) {
    switch (row->kind) {
    case SLV_VALUE_FLOAT:
    case SLV_VALUE_DOUBLE:
        return slv_check_number(error, row, row->field, numbers[0]);
    case SLV_VALUE_COUNT:
        return check_whole(error, row, numbers[0]);
    case SLV_VALUE_SWITCH:
        return check_switch(error, row, numbers[0]);
    case SLV_VALUE_CHOICE:
        return check_choice(error, row, numbers[0]);
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_POSITION:
    case SLV_VALUE_GRAVITY:
        return check_vector(error, row, numbers);
    case SLV_VALUE_ROTATION:
        return slv_check_rotation(
            error, row->field,
            (float[4]){(float)numbers[0], (float)numbers[1], (float)numbers[2], (float)numbers[3]});
    default:
        return SLV_OK;
    }
}

static slv_result check_limits(slv_error *error, const slv_parameter *row,
                               const slv_garment_def *def) {
    slv_result status = SLV_OK;
    if (def->limit_count > 0 && !def->limits) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "limits is NULL, but limit_count is not 0");
    }
    for (uint32_t i = 0; status == SLV_OK && i < def->limit_count; i++) {
        const slv_limit_def *limit = &def->limits[i];
        status = slv_check_number(error, row, "max_distance", (double)limit->max_distance);
        if (status == SLV_OK) {
            status = slv_check_number(error, row, "backstop", (double)limit->backstop);
        }
    }
    return status;
}

static slv_result check_field(slv_error *error, const slv_parameter *row, const void *record) {
    double numbers[4] = {0};
    switch (row->kind) {
    case SLV_VALUE_LIMITS:
        return check_limits(error, row, record);
    case SLV_VALUE_PAINT:
        return slv_check_fields(error, &slv_paint_table, (const char *)record + row->offset);
    default:
        slv_read_numbers(row, record, numbers);
        return slv_check_numbers(error, row, numbers);
    }
}

slv_result slv_check_fields(slv_error *error, const slv_parameter_table *table,
                            const void *record) {
    slv_result status = SLV_OK;
    for (size_t i = 0; status == SLV_OK && i < table->count; i++) {
        status = check_field(error, &table->rows[i], record);
    }
    return status;
}

// --- Comparing and finding --------------------------------------------------------------------------

bool slv_fields_equal(const slv_parameter_table *table, const void *a, const void *b) {
    bool equal = true;
    for (size_t i = 0; equal && i < table->count; i++) {
        double left[4] = {0};
        double right[4] = {0};
        slv_read_numbers(&table->rows[i], a, left);
        slv_read_numbers(&table->rows[i], b, right);
        uint64_t bits[2][4]; // -0 is not 0
        memcpy(bits[0], left, sizeof left);
        memcpy(bits[1], right, sizeof right);
        equal = memcmp(bits[0], bits[1], sizeof bits[0]) == 0;
    }
    return equal;
}

const slv_parameter *slv_find_field(const slv_parameter_table *table, const char *field) {
    size_t i = 0;
    while (i < table->count &&
           (!table->rows[i].field || strcmp(table->rows[i].field, field) != 0)) {
        i++;
    }
    assert(i < table->count);
    return &table->rows[i];
}
