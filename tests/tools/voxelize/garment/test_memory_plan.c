// SPDX-License-Identifier: MIT
#include "tests/tools/voxelize/garment/meshes.h"
#include "tools/voxelize/memory_plan.h"

#include <math.h>

static slv_memory_plan unit_cube(uint64_t limit) {
    return (slv_memory_plan){
        .max = {1, 1, 1}, .padding = 2, .volume = 1, .threads = 2, .limit = limit};
}

static double suggested(const slv_error *error) {
    const char *text = strstr(error->text, "--spacing ");
    assert_non_null(text);
    return strtod(text + strlen("--spacing "), NULL);
}

static void the_suggested_spacing_fits_and_is_not_far_too_wide(void **state) {
    (void)state;
    const double spacings[] = {1e-3, 1e-4, 1e-6, 1e-30, 1e-300};
    for (uint64_t limit = 1; limit <= 100000; limit *= 10) {
        for (size_t n = 0; n < sizeof spacings / sizeof *spacings; n++) {
            const slv_memory_plan plan = unit_cube(limit);
            slv_error error = {0};
            if (slv_memory_check(&plan, spacings[n], &error) == SLV_OK) {
                continue;
            }
            assert_int_equal(error.code, SLV_ERROR_ARGUMENT);
            const double fitting = suggested(&error);
            assert_int_equal(slv_memory_check(&plan, fitting, &error), SLV_OK);
            const bool too_wide = slv_memory_check(&plan, fitting / 1.1, &error) == SLV_OK;
            assert_false(too_wide);
        }
    }
}

static void the_message_names_need_and_limit(void **state) {
    (void)state;
    const slv_memory_plan plan = unit_cube(10);
    slv_error error = {0};
    assert_int_equal(slv_memory_check(&plan, 0.01, &error), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "MiB"));
    assert_non_null(strstr(error.text, "--memory-limit 10"));
}

static void needs_are_given_in_a_fitting_unit(void **state) {
    (void)state;
    const slv_memory_plan plan = unit_cube(1);
    slv_error error = {0};
    assert_int_equal(slv_memory_check(&plan, 2e-3, &error), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, " GiB, more"));
    assert_int_equal(slv_memory_check(&plan, 1e-5, &error), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, " TiB, more"));
    assert_int_equal(slv_memory_check(&plan, 1e-300, &error), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "2^32 samples"));
    assert_null(strstr(error.text, "iB"));
}

static void where_no_spacing_fits_the_padding_is_named(void **state) {
    (void)state;
    slv_memory_plan plan = unit_cube(1000);
    slv_error error = {0};
    plan.padding = 1000;
    assert_int_equal(slv_memory_check(&plan, 0.1, &error), SLV_ERROR_ARGUMENT);
    assert_null(strstr(error.text, "--spacing"));
    assert_non_null(strstr(error.text, "--padding 1000"));
}

static void text_and_section_need_their_buffers(void **state) {
    (void)state;
    slv_memory_plan plan = unit_cube(1000);
    const double plain = slv_memory_needed(&plan, 0.01);
    plan.text = true;
    const double text = slv_memory_needed(&plan, 0.01);
    plan.coded = true;
    assert_true(plain < text && text < slv_memory_needed(&plan, 0.01));
}

static void volume_and_area_of_a_mesh_are_measured(void **state) {
    (void)state;
    double volume = -1;
    double area = -1;
    slv_mesh mesh = mesh_tetrahedron();
    slv_measure_mesh(&mesh, &volume, &area);
    assert_true(fabs(volume - 1.0 / 6) < 1e-12);
    assert_true(fabs(area - (1.5 + sqrt(3) / 2)) < 1e-12);
    mesh.triangle_count = 3; // open: the enclosed volume would depend on the origin
    slv_measure_mesh(&mesh, &volume, &area);
    assert_true(volume == 0);
    slv_mesh_free(&mesh);
    mesh = mesh_square();
    slv_measure_mesh(&mesh, &volume, &area);
    assert_true(volume == 0 && fabs(area - 1) < 1e-12);
    slv_mesh_free(&mesh);
}

static void rounding_to_three_digits_goes_in_the_given_direction(void **state) {
    (void)state;
    const double values[] = {1, 0.99951, 1.0001, 123456, 9.999e-7, 0.0123456, 1.235e20, 5e-300};
    for (size_t n = 0; n < sizeof values / sizeof *values; n++) {
        const double up = slv_round_digits(values[n], true);
        const double down = slv_round_digits(values[n], false);
        assert_true(up >= values[n] && up <= 1.02 * values[n]);
        assert_true(down <= values[n] && down >= 0.98 * values[n]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_suggested_spacing_fits_and_is_not_far_too_wide),
        cmocka_unit_test(the_message_names_need_and_limit),
        cmocka_unit_test(needs_are_given_in_a_fitting_unit),
        cmocka_unit_test(where_no_spacing_fits_the_padding_is_named),
        cmocka_unit_test(text_and_section_need_their_buffers),
        cmocka_unit_test(volume_and_area_of_a_mesh_are_measured),
        cmocka_unit_test(rounding_to_three_digits_goes_in_the_given_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
