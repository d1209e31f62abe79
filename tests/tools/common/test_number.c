// SPDX-License-Identifier: MIT
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/number.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// strtod of the C library is correctly rounded: the parser must give the same bits.
static void expect_like_strtod(const char *text) {
    double value = -1.0;
    const char *end = slv_parse_number(text, &value);
    if (end == NULL || *end != '\0' || bits_of(value) != bits_of(strtod(text, NULL))) {
        fail_msg("%s: read as %.17g, strtod says %.17g", text, value, strtod(text, NULL));
    }
}

static void plain_numbers_are_rounded_correctly(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "-1.5",
        "+2.25",
        ".5",
        "5.",
        "1e3",
        "1E+3",
        "1e-3",
        "0.1",
        "0.30000000000000004",
        "123456789012345678",
        "9007199254740993",
        "9007199254740992.5",
        "1e22",
        "1e23",
        "8.5e22",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "1.7976931348623157e308",
        "17976931348623157e292",
        "0.000000000000000000000000000000000000000000000000001",
        "1e-400",
        "0e999999999999",
        "100000000000000000000000000000000000000000000",
        "00000000000000000000000000001.25",
        "3.141592653589793238462643383279502884197169399375105820974944"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        expect_like_strtod(texts[i]);
    }
}

static void random_numbers_are_rounded_correctly(void **state) {
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 300000; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        char text[64];
        double value;
        memcpy(&value, &seed, sizeof value);
        if (value != value || value - value != 0.0) {
            continue;
        }
        static const char *const formats[] = {"%.17g", "%.6f", "%.9g", "%.20g"};
        // Small values for "%.6f": it would print hundreds of digits otherwise.
        double shown = i % 4 == 1 ? (double)(int64_t)seed / 1e14 : value;
        const char *format = formats[i % 4];
        (void)(format == formats[0]   ? snprintf(text, sizeof text, "%.17g", shown)
               : format == formats[1] ? snprintf(text, sizeof text, "%.6f", shown)
               : format == formats[2] ? snprintf(text, sizeof text, "%.9g", shown)
                                      : snprintf(text, sizeof text, "%.20g", shown));
        expect_like_strtod(text);
    }
}

// The midpoint between two doubles, exactly and with a difference a thousand digits later.
static void late_digits_decide_ties(void **state) {
    (void)state;
    char text[1200] = "9007199254740992.";
    size_t length = strlen(text);
    text[length++] = '9';
    memset(text + length, '9', 900);
    text[length + 900] = '\0';
    expect_like_strtod(text);

    char half[1200] = "9007199254740993."; // ties to even, 9007199254740992, without the last digit
    length = strlen(half);
    memset(half + length, '0', 1000);
    half[length + 1000] = '1'; // the array ends in zeros
    expect_like_strtod(half);
    double value = 0.0;
    assert_non_null(slv_parse_number(half, &value));
    assert_true(value == 9007199254740994.0);
}

static void text_that_is_not_a_finite_decimal_is_rejected(void **state) {
    (void)state;
    static const char *const texts[] = {"",      "-",   ".",   "e5",  "nan", "inf",  "-inf",
                                        "1e999", "abc", "+-1", "- 1", " 1",  "1e309"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 7.0;
        if (slv_parse_number(texts[i], &value) != NULL) {
            fail_msg("'%s' was read as %g", texts[i], value);
        }
    }
    double value;
    assert_false(slv_parse_whole_number("0x10", &value));
    assert_false(slv_parse_whole_number("1.5m", &value));
    assert_false(slv_parse_whole_number("1 ", &value));
    assert_false(slv_parse_whole_number("1e", &value));
}

static void the_returned_end_is_that_of_the_number(void **state) {
    (void)state;
    double value;
    const char *text = "12.5/3";
    assert_ptr_equal(slv_parse_number(text, &value), text + 4);
    text = "1e+x";
    assert_ptr_equal(slv_parse_number(text, &value), text + 1);
}

static void a_comma_locale_gives_the_same_numbers(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && set == NULL; i++) {
        set = setlocale(LC_ALL, names[i]);
    }
    if (set == NULL) {
        print_message("skipped: no locale with a decimal comma is installed\n");
        skip();
    }
    double value = 0.0;
    bool ok = slv_parse_whole_number("3.14159265358979323846264338", &value);
    (void)setlocale(LC_ALL, "C");
    assert_true(ok);
    assert_true(value == 3.14159265358979323846264338);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_numbers_are_rounded_correctly),
        cmocka_unit_test(random_numbers_are_rounded_correctly),
        cmocka_unit_test(late_digits_decide_ties),
        cmocka_unit_test(text_that_is_not_a_finite_decimal_is_rejected),
        cmocka_unit_test(the_returned_end_is_that_of_the_number),
        cmocka_unit_test(a_comma_locale_gives_the_same_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
