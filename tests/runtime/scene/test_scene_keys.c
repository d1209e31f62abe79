// SPDX-License-Identifier: MIT
// Every row of the parameter tables: its range holds in the definition and in scene files, its default is in
// range, and it is documented.
#include "runtime/scene/scene_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- Definitions ------------------------------------------------------------------------------------

typedef union any_definition {
    slv_parameters parameters;
    slv_world_def world;
    slv_garment_def garment;
    slv_paint_def paint;
    slv_collider_def collider;
    slv_clip_def clip;
    slv_lock_def lock;
} any_definition;

enum { TABLE_COUNT = 7, LIST_COUNT = 5 };
static const slv_parameter_table *const tables[TABLE_COUNT] = {
    &slv_parameters_table, &slv_world_table, &slv_garment_table, &slv_paint_table,
    &slv_collider_table,   &slv_clip_table,  &slv_lock_table};

static void set_number(const slv_parameter *row, any_definition *record, double number) {
    char *target = (char *)record + row->offset;
    switch (row->kind) {
    case SLV_VALUE_DOUBLE:
    case SLV_VALUE_POSITION: // the first of three
        memcpy(target, &number, sizeof number);
        break;
    case SLV_VALUE_COUNT:
        memcpy(target, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
        break;
    default: // a float, or the first of several
        memcpy(target, &(float){(float)number}, sizeof(float));
        break;
    }
}

static bool is_number(const slv_parameter *row) {
    return row->kind == SLV_VALUE_FLOAT || row->kind == SLV_VALUE_DOUBLE ||
           row->kind == SLV_VALUE_COUNT || row->kind == SLV_VALUE_VECTOR ||
           row->kind == SLV_VALUE_POSITION || row->kind == SLV_VALUE_GRAVITY;
}

static void expect_in_definition(const slv_parameter_table *table, const slv_parameter *row,
                                 double number, slv_result expected) {
    any_definition record;
    memset(&record, 0, sizeof record);
    slv_fill_defaults(table, &record);
    set_number(row, &record, number);
    slv_error error = {.text = ""};
    if (slv_check_fields(&error, table, &record) != expected) {
        fail_msg("%s = %g: %s", row->field, number, error.text);
    }
    assert_true(expected == SLV_OK || strstr(error.text, row->field) == error.text);
}

// Beyond a limit by a thousandth of it; half below 0, since -1 may stand for "not given".
static double below(const slv_parameter *row) {
    return row->min - (row->min == 0.0 ? 0.5 : fabs(row->min) / 1000.0);
}

static double above(const slv_parameter *row) {
    return row->max + (row->kind == SLV_VALUE_COUNT ? 1.0 : fabs(row->max) / 1000.0);
}

static void ranges_hold_in_definitions(void **state) {
    (void)state;
    for (int t = 0; t < TABLE_COUNT; t++) {
        for (size_t i = 0; i < tables[t]->count; i++) {
            const slv_parameter *row = &tables[t]->rows[i];
            if (!is_number(row)) {
                continue;
            }
            assert_true(row->min < row->max);
            expect_in_definition(tables[t], row, row->min, SLV_OK);
            expect_in_definition(tables[t], row, row->max, SLV_OK);
            expect_in_definition(tables[t], row, above(row), SLV_ERROR_ARGUMENT);
            if (row->kind != SLV_VALUE_COUNT) {
                expect_in_definition(tables[t], row, below(row), SLV_ERROR_ARGUMENT);
                expect_in_definition(tables[t], row, (double)NAN, SLV_ERROR_ARGUMENT);
            }
            if (row->has_none) {
                expect_in_definition(tables[t], row, row->none, SLV_OK);
            }
        }
    }
}

static void defaults_are_in_range(void **state) {
    (void)state;
    for (int t = 0; t < TABLE_COUNT; t++) {
        any_definition record;
        memset(&record, 0, sizeof record);
        slv_fill_defaults(tables[t], &record);
        slv_error error = {.text = ""};
        if (slv_check_fields(&error, tables[t], &record) != SLV_OK) {
            fail_msg("%s", error.text);
        }
    }
}

// --- Scene files ------------------------------------------------------------------------------------

// "1.5", or "[1.5, 1.5, 1.5]" where the row has three numbers.
static void write_value(const slv_parameter *row, double number, char *text, size_t size) {
    if (row->kind == SLV_VALUE_VECTOR || row->kind == SLV_VALUE_POSITION ||
        row->kind == SLV_VALUE_COLOR) {
        (void)snprintf(text, size, "[%.17g, %.17g, %.17g]", number, number, number);
    } else {
        (void)snprintf(text, size, "%.17g", number);
    }
}

// The key at the top of a scene, or in an object of it.
static void expect_in_scene(const slv_key_list *list, const slv_parameter *row, double number,
                            slv_result expected) {
    char value[120];
    char text[300];
    write_value(row, number, value, sizeof value);
    (void)snprintf(text, sizeof text,
                   list == &slv_scene_keys ? "{\"softObjects\": [], \"%s\": %s}"
                                           : "{\"softObjects\": [{\"src\": \"a\", \"%s\": %s}]}",
                   row->key, value); // NOLINT: both take two strings
    slv_error error = {.text = ""};
    slv_scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene->path = "scene.json";
    assert_int_equal(slv_json_parse(text, strlen(text), &scene->json, &error), SLV_OK);
    if (slv_scene_read(scene, &error) != expected) {
        fail_msg("%s: %s", text, error.text);
    }
    slv_scene_destroy(scene);
}

static void check_ranges_of(const slv_key_list *list) {
    slv_key key = slv_key_at(list, 0);
    for (size_t i = 1; key.row; key = slv_key_at(list, i++)) {
        const slv_parameter *row = key.row;
        if (!is_number(row) && row->kind != SLV_VALUE_COLOR) {
            continue;
        }
        expect_in_scene(list, row, row->min, SLV_OK);
        expect_in_scene(list, row, row->max, SLV_OK);
        expect_in_scene(list, row, below(row), SLV_ERROR_CONTENT);
        expect_in_scene(list, row, above(row), SLV_ERROR_CONTENT);
        if (row->zero_in_scene) {
            expect_in_scene(list, row, 0.0, SLV_OK);
        }
        if (row->has_none) {
            expect_in_scene(list, row, row->none, row->none_in_scene ? SLV_OK : SLV_ERROR_CONTENT);
        }
    }
}

static void ranges_hold_in_scene_files(void **state) {
    (void)state;
    check_ranges_of(&slv_scene_keys);
    check_ranges_of(&slv_object_keys);
}

static void keys_differ_and_are_documented(void **state) {
    (void)state;
    const slv_key_list *const lists[LIST_COUNT] = {
        &slv_scene_keys, &slv_object_keys, &slv_collider_keys, &slv_paint_keys, &slv_lock_keys};
    for (int l = 0; l < LIST_COUNT; l++) {
        slv_key key = slv_key_at(lists[l], 0);
        for (size_t i = 1; key.row; key = slv_key_at(lists[l], i++)) {
            const slv_key found = slv_find_key(lists[l], key.row->key);
            assert_true(found.row == key.row && found.offset == key.offset);
            assert_true(key.row->doc && key.row->doc[strlen(key.row->doc) - 1] == '.');
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_hold_in_definitions),
        cmocka_unit_test(defaults_are_in_range),
        cmocka_unit_test(ranges_hold_in_scene_files),
        cmocka_unit_test(keys_differ_and_are_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
