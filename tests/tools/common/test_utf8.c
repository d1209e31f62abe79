// SPDX-License-Identifier: MIT
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/utf8.h"

#include <stdlib.h>

static void expect_copy(const char *bytes, const char *expected) {
    char *copy = slv_utf8_copy(bytes);
    assert_non_null(copy);
    assert_string_equal(copy, expected);
    free(copy);
}

static void valid_text_is_unchanged(void **state) {
    (void)state;
    expect_copy("", "");
    expect_copy("plain.obj", "plain.obj");
    expect_copy("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x91\x95", "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x91\x95");
}

static void every_other_byte_becomes_the_replacement_character(void **state) {
    (void)state;
    expect_copy("a\xFF"
                "b",
                "a\xEF\xBF\xBD"
                "b");
    expect_copy("\xE4.obj", "\xEF\xBF\xBD.obj");
    expect_copy("\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD");                 // overlong
    expect_copy("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); // a surrogate
    expect_copy("cut \xE2\x82", "cut \xEF\xBF\xBD\xEF\xBF\xBD");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_text_is_unchanged),
        cmocka_unit_test(every_other_byte_becomes_the_replacement_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
