// SPDX-License-Identifier: MIT
// The descriptions of parameters: every field that is a number, with its default, at both ends of its range.
#include "runtime/include/selvage/selvage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef union any_struct {
    slv_parameters parameters;
    slv_world_def world;
    slv_garment_def garment;
    slv_paint_def paint;
    slv_collider_def collider;
    slv_clip_def clip;
    slv_scene_settings scene;
    slv_lock_def lock;
} any_struct;

static any_struct make_default(slv_parameter_group group) {
    any_struct record;
    memset(&record, 0, sizeof record);
    switch (group) {
    case SLV_GROUP_PARAMETERS:
        record.parameters = slv_default_world_def().parameters;
        break;
    case SLV_GROUP_WORLD:
        record.world = slv_default_world_def();
        break;
    case SLV_GROUP_GARMENT:
        record.garment = slv_default_garment_def();
        break;
    case SLV_GROUP_COLLIDER:
        record.collider = slv_default_collider_def();
        break;
    case SLV_GROUP_CLIP:
        record.clip = slv_default_clip_def();
        break;
    case SLV_GROUP_LOCK:
        record.lock = slv_default_lock_def();
        break;
    default: // a scene has defaults only when it is read
        break;
    }
    return record;
}

static void defaults_are_those_of_the_structs(void **state) {
    (void)state;
    for (int g = 0; g < SLV_GROUP_COUNT; g++) {
        if (g == SLV_GROUP_SCENE) {
            continue;
        }
        const any_struct record = make_default((slv_parameter_group)g);
        slv_parameter_info info;
        for (uint32_t i = 0; slv_get_parameter_info((slv_parameter_group)g, i, &info); i++) {
            double values[4] = {0};
            assert_int_equal(slv_get_parameter_values(&info, &record, values), SLV_OK);
            for (uint32_t n = 0; n < info.count; n++) {
                const double initial =
                    info.type == SLV_TYPE_FLOAT ? (double)(float)info.initial[n] : info.initial[n];
                if (values[n] != initial) {
                    fail_msg("%s is %g, not %g", info.name, values[n], initial);
                }
            }
        }
    }
}

static void fields_are_where_the_offsets_say(void **state) {
    (void)state;
    slv_parameter_info info;
    slv_parameters parameters = slv_default_world_def().parameters;
    assert_true(slv_find_parameter_info(SLV_GROUP_PARAMETERS, "wind", &info));
    assert_true(info.offset == offsetof(slv_parameters, wind));
    assert_int_equal(info.count, 3);
    assert_string_equal(info.unit, "m/s");
    assert_string_equal(info.key, "wind");
    assert_int_equal(slv_set_parameter_values(&info, &parameters, (double[4]){1, 2, 3}), SLV_OK);
    assert_true(parameters.wind[0] == 1 && parameters.wind[1] == 2 && parameters.wind[2] == 3);

    assert_true(slv_find_parameter_info(SLV_GROUP_PARAMETERS, "solver", &info));
    assert_int_equal(info.type, SLV_TYPE_ENUM);
    assert_string_equal(info.choices[0], "AUTO");
    assert_string_equal(info.choices[SLV_PBD_GS - SLV_SOLVER_AUTO], "PBD_GS");
    assert_true(info.min == SLV_SOLVER_AUTO && info.max == SLV_SOLVER_COUNT - 1);
    assert_true(slv_find_parameter_info(SLV_GROUP_WORLD, "threads", &info));
    assert_true(info.key == NULL && info.type == SLV_TYPE_UINT32);
    assert_true(slv_find_parameter_info(SLV_GROUP_GARMENT, "strain_limit", &info));
    assert_true(info.has_none && info.none == (double)SLV_UNSET && info.zero_is_off);
    assert_true(slv_find_parameter_info(SLV_GROUP_SCENE, "steps_per_frame", &info));
    assert_true(info.offset == offsetof(slv_scene_settings, steps_per_frame));
}

static void expect_set(const slv_parameter_info *info, double value, slv_result expected) {
    any_struct record = make_default(info->group);
    const any_struct before = record;
    double values[4] = {value, value, value, value};
    if (slv_set_parameter_values(info, &record, values) != expected) {
        fail_msg("%s = %g", info->name, value);
    }
    if (expected != SLV_OK) {
        assert_memory_equal(&record, &before, sizeof record);
        return;
    }
    double again[4] = {0};
    assert_int_equal(slv_get_parameter_values(info, &record, again), SLV_OK);
    const double stored = info->type == SLV_TYPE_FLOAT ? (double)(float)value : value;
    assert_true(again[0] == stored && again[info->count - 1] == stored);
}

static void both_ends_of_every_range_hold(void **state) {
    (void)state;
    for (int g = 0; g < SLV_GROUP_COUNT; g++) {
        slv_parameter_info info;
        uint32_t count = 0;
        for (; slv_get_parameter_info((slv_parameter_group)g, count, &info); count++) {
            assert_true(info.index == count && info.group == (slv_parameter_group)g);
            assert_true(info.name && info.doc && info.unit && info.min < info.max);
            assert_true((info.choices != NULL) == (info.type == SLV_TYPE_ENUM));
            if (info.count < 4) { // four numbers are a rotation, of length 1
                expect_set(&info, info.min, SLV_OK);
                expect_set(&info, info.max, SLV_OK);
            }
            const double more = fmax(1.0, fabs(info.max) / 1000.0);
            expect_set(&info, info.max + more, SLV_ERROR_ARGUMENT);
            expect_set(&info, info.min - 1.5 * fmax(1.0, fabs(info.min)), SLV_ERROR_ARGUMENT);
            expect_set(&info, (double)NAN, SLV_ERROR_ARGUMENT);
            expect_set(&info, (double)INFINITY, SLV_ERROR_ARGUMENT);
            if (info.type != SLV_TYPE_FLOAT && info.type != SLV_TYPE_DOUBLE) {
                expect_set(&info, info.min + 0.5, SLV_ERROR_ARGUMENT);
            }
        }
        assert_true(count > 0);
    }
}

static void expect_line(slv_parameter_group group, const char *name, const char *expected) {
    slv_parameter_info info;
    char text[SLV_PARAMETER_LINE];
    assert_true(slv_find_parameter_info(group, name, &info));
    slv_describe_parameter(&info, text, sizeof text);
    assert_string_equal(text, expected);
}

static void a_line_describes_a_parameter(void **state) {
    (void)state;
    expect_line(SLV_GROUP_WORLD, "time_step", "Length of a step. From 1e-6 to 1 s.");
    expect_line(SLV_GROUP_GARMENT, "shear_stiffness",
                "Stiffness of the diagonals of a grid. 0, or from 1e-6 to 1e12 N/m.");
    expect_line(SLV_GROUP_PARAMETERS, "integrate", "Integrate gravity and velocity.");
    expect_line(SLV_GROUP_COLLIDER, "high",
                "Highest y of a funnel; at least low. From -1e6 to 1e6 m.");
    expect_line(SLV_GROUP_COLLIDER, "kind",
                "Shape. plane, sphere, capsule, box, wedge, funnel or field.");
    for (int g = 0; g < SLV_GROUP_COUNT; g++) { // all fit
        slv_parameter_info info;
        for (uint32_t i = 0; slv_get_parameter_info((slv_parameter_group)g, i, &info); i++) {
            char text[SLV_PARAMETER_LINE];
            slv_describe_parameter(&info, text, sizeof text);
            assert_true(strlen(text) + 1 < sizeof text && text[strlen(text) - 1] == '.');
            char little[8];
            slv_describe_parameter(&info, little, sizeof little);
            assert_true(strlen(little) == 7 && strncmp(little, text, 7) == 0);
        }
    }
    char text[SLV_PARAMETER_LINE] = "before";
    slv_describe_parameter(NULL, text, sizeof text);
    assert_string_equal(text, "");
    slv_describe_parameter(NULL, NULL, 0);
}

static void what_does_not_exist_is_refused(void **state) {
    (void)state;
    slv_parameter_info info = {.name = "untouched"};
    slv_parameters parameters = slv_default_world_def().parameters;
    double values[4] = {0};
    assert_false(slv_get_parameter_info(SLV_GROUP_COUNT, 0, &info));
    assert_false(slv_get_parameter_info((slv_parameter_group)-1, 0, &info));
    assert_false(slv_get_parameter_info(SLV_GROUP_WORLD, UINT32_MAX, &info));
    assert_false(slv_get_parameter_info(SLV_GROUP_WORLD, 0, NULL));
    assert_false(slv_find_parameter_info(SLV_GROUP_PARAMETERS, "winds", &info));
    assert_false(slv_find_parameter_info(SLV_GROUP_PARAMETERS, NULL, &info));
    assert_false(slv_find_parameter_info(SLV_GROUP_GARMENT, "pack_path", &info));
    assert_false(slv_find_parameter_info(SLV_GROUP_WORLD, "time_step", NULL));
    assert_string_equal(info.name, "untouched");
    assert_true(slv_find_parameter_info(SLV_GROUP_PARAMETERS, "wind", &info));
    assert_int_equal(slv_get_parameter_values(NULL, &parameters, values), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_get_parameter_values(&info, NULL, values), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_set_parameter_values(&info, &parameters, NULL), SLV_ERROR_ARGUMENT);
    info.index = UINT32_MAX;
    assert_int_equal(slv_set_parameter_values(&info, &parameters, values), SLV_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_structs),
        cmocka_unit_test(fields_are_where_the_offsets_say),
        cmocka_unit_test(both_ends_of_every_range_hold),
        cmocka_unit_test(a_line_describes_a_parameter),
        cmocka_unit_test(what_does_not_exist_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
