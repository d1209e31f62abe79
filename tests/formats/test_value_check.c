// SPDX-License-Identifier: MIT
// Searches for invalid values: the first one is found at every index, and none in valid arrays.
#include "formats/value_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

enum { COUNT = 3000 }; // a few blocks and a rest

static void the_first_bad_float_is_found_wherever_it_is(void **state) {
    (void)state;
    static float values[COUNT];
    const float bad[] = {NAN, INFINITY, -INFINITY};
    assert_int_equal(slv_find_not_finite(values, COUNT), COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = bad[i % 3];
        assert_int_equal(slv_find_not_finite(values, COUNT), i);
        values[COUNT - 1] = i < COUNT - 1 ? NAN : bad[i % 3]; // a later one changes nothing
        assert_int_equal(slv_find_outside(values, COUNT, 0, 0), i);
        values[i] = values[COUNT - 1] = 0;
    }
}

static void both_ends_of_a_range_belong_to_it(void **state) {
    (void)state;
    const float values[] = {-1, 1, FLT_MAX, nextafterf(1, 2), nextafterf(-1, -2), -0.0f};
    assert_int_equal(slv_find_outside(values, 2, -1, 1), 2);
    assert_int_equal(slv_find_outside(values + 2, 1, -FLT_MAX, FLT_MAX), 1);
    assert_int_equal(slv_find_outside(values + 3, 1, -1, 1), 0);
    assert_int_equal(slv_find_outside(values + 4, 1, -1, 1), 0);
    assert_int_equal(slv_find_outside(values + 5, 1, 0, 1), 1);
    assert_int_equal(slv_find_outside(values, 0, 5, 6), 0);
}

static void the_first_bad_number_is_found_wherever_it_is(void **state) {
    (void)state;
    static uint32_t a[COUNT];
    static uint32_t b[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        b[i] = 1;
    }
    assert_int_equal(slv_find_not_below(a, COUNT, 1), COUNT);
    assert_int_equal(slv_find_not_below(a, COUNT, 0), 0);
    assert_int_equal(slv_find_equal(a, b, COUNT), COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = i % 2 ? 7 : 0xFFFFFFFFu;
        assert_int_equal(slv_find_not_below(a, COUNT, 7), i);
        a[i] = 1;
        assert_int_equal(slv_find_equal(a, b, COUNT), i);
        a[i] = 0;
    }
}

static void only_zeros_pass_as_zeros(void **state) {
    (void)state;
    unsigned char bytes[100] = {0};
    assert_true(slv_all_zero(bytes, sizeof bytes));
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = 0x80;
        assert_false(slv_all_zero(bytes, sizeof bytes));
        assert_true(slv_all_zero(bytes, i));
        bytes[i] = 0;
    }
}

static bool is_utf8(const char *text) {
    return slv_is_utf8(text, strlen(text));
}

static void invalid_utf8_is_refused(void **state) {
    (void)state;
    const char *good[] = {"",
                          "plain",
                          "\x7F",
                          "\xC2\x80",
                          "\xDF\xBF",
                          "\xE0\xA0\x80",
                          "\xED\x9F\xBF",
                          "\xEE\x80\x80",
                          "\xEF\xBF\xBF",
                          "\xF0\x90\x80\x80",
                          "\xF4\x8F\xBF\xBF"};
    const char *bad[] = {"\x80",
                         "\xBF",
                         "\xC0\x80",
                         "\xC1\xBF",
                         "\xC2",
                         "\xC2\x7F",
                         "\xC2\xC0",
                         "\xE0\x9F\xBF",
                         "\xE1\x80",
                         "\xE1\x80\x7F",
                         "\xED\xA0\x80",
                         "\xED\xBF\xBF",
                         "\xF0\x8F\xBF\xBF",
                         "\xF4\x90\x80\x80",
                         "\xF5\x80\x80\x80",
                         "\xF1\x80\x80",
                         "\xF1\x80\x80\xC0",
                         "\xFF",
                         "ok\xFE"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(is_utf8(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(is_utf8(bad[i]));
    }
    assert_false(slv_is_utf8("a\0b", 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_bad_float_is_found_wherever_it_is),
        cmocka_unit_test(both_ends_of_a_range_belong_to_it),
        cmocka_unit_test(the_first_bad_number_is_found_wherever_it_is),
        cmocka_unit_test(only_zeros_pass_as_zeros),
        cmocka_unit_test(invalid_utf8_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
