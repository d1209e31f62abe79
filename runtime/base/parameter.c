// SPDX-License-Identifier: MIT
#include "runtime/base/parameter.h"

#include "runtime/base/parameters/rows.h"

#include <assert.h>
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

const slv_parameter_table slv_parameters_table = TABLE(parameters_rows);
const slv_parameter_table slv_world_table = TABLE(world_rows);
const slv_parameter_table slv_garment_table = TABLE(garment_rows);
const slv_parameter_table slv_paint_table = TABLE(paint_rows);
const slv_parameter_table slv_collider_table = TABLE(collider_rows);
const slv_parameter_table slv_clip_table = TABLE(clip_rows);

// --- Defaults ---------------------------------------------------------------------------------------

static void fill_floats(float *target, const double *initial, int count) {
    for (int i = 0; i < count; i++) {
        target[i] = (float)initial[i];
    }
}

static void fill_default(const slv_parameter *parameter, void *target) {
    const double *initial = parameter->initial;
    switch (parameter->kind) {
    case SLV_VALUE_FLOAT:
        fill_floats(target, initial, 1);
        break;
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_GRAVITY:
        fill_floats(target, initial, 3);
        break;
    case SLV_VALUE_ROTATION:
        fill_floats(target, initial, 4);
        break;
    case SLV_VALUE_DOUBLE:
        memcpy(target, initial, sizeof(double));
        break;
    case SLV_VALUE_COUNT:
        *(uint32_t *)target = (uint32_t)initial[0];
        break;
    case SLV_VALUE_SWITCH:
        *(bool *)target = initial[0] != 0.0;
        break;
    case SLV_VALUE_CHOICE:
        *(int *)target = (int)initial[0];
        break;
    case SLV_VALUE_COLOR:
        for (int i = 0; i < 3; i++) {
            ((uint8_t *)target)[i] = (uint8_t)initial[i];
        }
        break;
    case SLV_VALUE_TEXT:
        *(const char **)target = parameter->text;
        break;
    default: // the record was zero
        break;
    }
}

void slv_fill_defaults(const slv_parameter_table *table, void *record) {
    for (size_t i = 0; i < table->count; i++) {
        fill_default(&table->rows[i], (char *)record + table->rows[i].offset);
    }
}

// --- Checks -----------------------------------------------------------------------------------------

static slv_result refuse(slv_error *error, const slv_parameter *parameter, const char *name,
                         double value) {
    const bool unset = parameter->has_none && parameter->none == (double)SLV_UNSET;
    const bool zero = parameter->also_zero || (parameter->has_none && parameter->none == 0.0);
    return slv_fail(error, SLV_ERROR_ARGUMENT, "%s is %g, should be %sfrom %g to %g%s", name, value,
                    zero ? "0 or " : "", parameter->min, parameter->max,
                    unset ? ", or SLV_UNSET" : "");
}

static slv_result check_number(slv_error *error, const slv_parameter *parameter, const char *name,
                               double value) {
    const bool valid = slv_is_between(value, parameter->min, parameter->max) ||
                       (parameter->has_none && value == parameter->none) ||
                       (parameter->also_zero && value == 0.0);
    return valid ? SLV_OK : refuse(error, parameter, name, value);
}

static slv_result check_floats(slv_error *error, const slv_parameter *parameter,
                               const float *values) {
    slv_result status = SLV_OK;
    for (int i = 0; status == SLV_OK && i < 3; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s[%d]", parameter->field, i);
        status = check_number(error, parameter, name, (double)values[i]);
    }
    return status;
}

static slv_result check_choice(slv_error *error, const slv_parameter *parameter, int value) {
    int count = 0;
    while (parameter->choices[count]) {
        count++;
    }
    const int index = value - parameter->first_choice;
    if ((index >= 0 && index < count) || (parameter->has_none && value == (int)parameter->none)) {
        return SLV_OK;
    }
    return slv_fail(error, SLV_ERROR_ARGUMENT, "%s is %d, should be one of the %s values",
                    parameter->field, value, parameter->type);
}

static slv_result check_limits(slv_error *error, const slv_parameter *parameter,
                               const slv_garment_def *def) {
    slv_result status = SLV_OK;
    if (def->limit_count > 0 && !def->limits) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "limits is NULL, but limit_count is not 0");
    }
    for (uint32_t i = 0; status == SLV_OK && i < def->limit_count; i++) {
        const slv_limit_def *limit = &def->limits[i];
        status = check_number(error, parameter, "max_distance", (double)limit->max_distance);
        if (status == SLV_OK) {
            status = check_number(error, parameter, "backstop", (double)limit->backstop);
        }
    }
    return status;
}

static slv_result check_field(slv_error *error, const slv_parameter *parameter,
                              const void *record) {
    const void *value = (const char *)record + parameter->offset;
    switch (parameter->kind) {
    case SLV_VALUE_FLOAT:
        return check_number(error, parameter, parameter->field, (double)*(const float *)value);
    case SLV_VALUE_DOUBLE:
        return check_number(error, parameter, parameter->field, *(const double *)value);
    case SLV_VALUE_COUNT:
        return check_number(error, parameter, parameter->field, *(const uint32_t *)value);
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_GRAVITY:
        return check_floats(error, parameter, value);
    case SLV_VALUE_ROTATION:
        return slv_check_rotation(error, parameter->field, value);
    case SLV_VALUE_CHOICE:
        return check_choice(error, parameter, *(const int *)value);
    case SLV_VALUE_LIMITS:
        return check_limits(error, parameter, record);
    case SLV_VALUE_PAINT:
        return slv_check_fields(error, &slv_paint_table, value);
    default:
        return SLV_OK;
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

static size_t size_of(slv_value_kind kind) {
    switch (kind) {
    case SLV_VALUE_FLOAT:
        return sizeof(float);
    case SLV_VALUE_DOUBLE:
        return sizeof(double);
    case SLV_VALUE_COUNT:
        return sizeof(uint32_t);
    case SLV_VALUE_SWITCH:
        return sizeof(bool);
    case SLV_VALUE_CHOICE:
        return sizeof(int);
    case SLV_VALUE_VECTOR:
    case SLV_VALUE_GRAVITY:
        return sizeof(float[3]);
    case SLV_VALUE_ROTATION:
        return sizeof(float[4]);
    default:
        return 0;
    }
}

bool slv_fields_equal(const slv_parameter_table *table, const void *a, const void *b) {
    bool equal = true;
    for (size_t i = 0; equal && i < table->count; i++) {
        const slv_parameter *row = &table->rows[i];
        equal = memcmp((const char *)a + row->offset, (const char *)b + row->offset,
                       size_of(row->kind)) == 0;
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
