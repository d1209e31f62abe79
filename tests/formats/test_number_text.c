// SPDX-License-Identifier: MIT
#include "formats/number_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_float(float value) {
    char text[SLV_NUMBER_TEXT];
    char expected[64];
    size_t length = slv_text_of_float(value, text);
    (void)snprintf(expected, sizeof expected, "%.9g", (double)value);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

static void floats_read_as_printf_prints_them(void **state) {
    (void)state;
    const float values[] = {0.0f,       -0.0f,      1.0f,  -1.0f,        0.1f,         0.5f,
                            100.0f,     123456.78f, 1e8f,  999999999.0f, 1000000000.f, 1e-4f,
                            0.0001001f, 1e-5f,      1e38f, 1.4e-45f,     16777216.0f,  33554434.0f};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        check_float(values[i]);
    }
}

// A stride coprime to the number of bit patterns visits exponents and mantissas alike.
static void a_million_bit_patterns_read_as_printf_prints_them(void **state) {
    (void)state;
    uint32_t bits = 1;
    for (int i = 0; i < 1000000; i++, bits += 2654435761u) {
        float value = 0.0f;
        memcpy(&value, &bits, sizeof value);
        if (value - value == 0.0f) { // finite
            check_float(value);
        }
    }
}

static void every_float_comes_back_exactly(void **state) {
    (void)state;
    uint32_t bits = 0x38000000u; // 3e-5 and up to 1e9: where our own formatting works
    for (; bits < 0x4F000000u; bits += 997) {
        float value = 0.0f;
        char text[SLV_NUMBER_TEXT];
        memcpy(&value, &bits, sizeof value);
        slv_text_of_float(value, text);
        float back = strtof(text, NULL);
        assert_memory_equal(&back, &value, sizeof value);
    }
}

static void whole_numbers_reach_their_limits(void **state) {
    (void)state;
    char text[SLV_NUMBER_TEXT];
    assert_int_equal(slv_text_of_uint(0, text), 1);
    assert_string_equal(text, "0");
    assert_int_equal(slv_text_of_uint(UINT64_MAX, text), 20);
    assert_string_equal(text, "18446744073709551615");
    slv_text_of_int(INT64_MIN, text);
    assert_string_equal(text, "-9223372036854775808");
    slv_text_of_int(-1, text);
    assert_string_equal(text, "-1");
    slv_text_of_hash(0xABCu, text);
    assert_string_equal(text, "0000000000000abc");
}

static void doubles_are_short_where_they_can_be(void **state) {
    (void)state;
    char text[SLV_NUMBER_TEXT];
    slv_text_of_double(0.1, text);
    assert_string_equal(text, "0.1");
    slv_text_of_double(0.1 + 0.2, text);
    assert_string_equal(text, "0.30000000000000004");
}

static void limits_read_as_documents_write_them(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},         {1e-6, "1e-6"},       {-1e6, "-1e6"},  {1.999, "1.999"},
                 {0.002, "0.002"}, {123456.0, "123456"}, {10000, "10000"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SLV_NUMBER_TEXT];
        assert_string_equal(slv_text_of_limit(cases[i].value, text), cases[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_read_as_printf_prints_them),
        cmocka_unit_test(a_million_bit_patterns_read_as_printf_prints_them),
        cmocka_unit_test(every_float_comes_back_exactly),
        cmocka_unit_test(whole_numbers_reach_their_limits),
        cmocka_unit_test(doubles_are_short_where_they_can_be),
        cmocka_unit_test(limits_read_as_documents_write_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
