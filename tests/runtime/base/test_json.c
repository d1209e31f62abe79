// SPDX-License-Identifier: MIT
#include "runtime/base/json.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static slv_json *parse(const char *text) {
    slv_json *json = NULL;
    slv_error error = {0};
    if (slv_json_parse(text, strlen(text), &json, &error) != SLV_OK) {
        fail_msg("%s: %s", text, error.text);
    }
    return json;
}

static void refuse(const char *text, size_t size, const char *expected) {
    slv_json *json = NULL;
    slv_error error = {0};
    assert_int_equal(slv_json_parse(text, size, &json, &error), SLV_ERROR_CONTENT);
    assert_null(json);
    if (strncmp(error.text, expected, strlen(expected)) != 0) {
        fail_msg("%.60s: said \"%s\", expected \"%s…\"", text, error.text, expected);
    }
}

static void values_have_type_text_line_and_column(void **state) {
    (void)state;
    slv_json *json = parse("{\n  \"a\": [1, -2.5e1, true],\n\t\"b\":\r\n null, \"c\": \"x\"\n}\n");
    const slv_json_value *root = slv_json_root(json);
    assert_int_equal(root->type, SLV_JSON_OBJECT);
    assert_int_equal(root->count, 3);
    const slv_json_value *list = slv_json_member(root, "a");
    assert_int_equal(list->count, 3);
    assert_int_equal(list->line, 2);
    assert_int_equal(list->column, 8);
    const slv_json_value *second = list->first->next;
    assert_true(second->number == -25.0);
    assert_string_equal(second->text, "-2.5e1");
    assert_int_equal(second->column, 12);
    assert_true(second->next->boolean);
    assert_null(second->next->next);
    const slv_json_value *nothing = slv_json_member(root, "b");
    assert_int_equal(nothing->type, SLV_JSON_NULL);
    assert_int_equal(nothing->name_line, 3);
    assert_int_equal(nothing->line, 4);
    assert_string_equal(slv_json_member(root, "c")->text, "x");
    assert_null(slv_json_member(root, "d"));
    assert_null(slv_json_member(list, "a"));
    slv_json_free(json);
}

static void whatever_rfc_8259_allows_is_read(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0",         "-0",      " [ ] ",     "{}",        "\"\"",           "true",
        "false",     "null",    "[[[[]]]]",  "1e5",       "1E+05",          "0.0e-0",
        "[1,\n2]",   "\t\r\n1", "{\"\":{}}", "\"\\/\"",   "\"\\u0000 \"",   "\"\x7f\"",
        "123456789", "1e-999",  "\"é☃😀\"",   "[\"a\",1]", "\xEF\xBB\xBF{}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        slv_json_free(parse(texts[i]));
    }
}

static void everything_else_is_refused_with_line_and_column(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "1:1: expected a value"},
        {" \n ", "2:2: expected a value"},
        {"{\"a\": 1,\n \"b\" 2}", "2:6: expected ':' after the key, not '2'"},
        {"[1, 2", "1:6: expected ',' or ']', but the text ends here"},
        {"[1 2]", "1:4: expected ',' or ']', not '2'"},
        {"[1,]", "1:4: expected a value"},
        {"[,1]", "1:2: expected a value"},
        {"{\"a\":1,}", "1:8: expected a key in double quotes, not '}'"},
        {"{a:1}", "1:2: expected a key in double quotes, not 'a'"},
        {"{'a':1}", "1:2: expected a key in double quotes, not '''"},
        {"{\"a\":1} x", "1:9: expected nothing after the value, not 'x'"},
        {"[1] // why", "1:5: expected nothing after the value, not '/'"},
        {"01", "1:1: this is no number"},
        {"+1", "1:1: expected a value"},
        {".5", "1:1: expected a value"},
        {"1.", "1:1: this is no number"},
        {"-", "1:1: this is no number"},
        {"1e", "1:1: this is no number"},
        {"0x10", "1:1: this is no number"},
        {"1_000", "1:1: this is no number"},
        {"-Infinity", "1:1: this is no number"},
        {"NaN", "1:1: expected a value"},
        {"[1e400]", "1:2: 1e400 is too large"},
        {"True", "1:1: expected a value"},
        {"nullx", "1:1: expected a value"},
        {"\"a", "1:1: the string that begins here has no end"},
        {"\"a\\\"", "1:1: the string that begins here has no end"},
        {"\"a\nb\"", "1:1: this string does not end on its line"},
        {"\"a\tb\"", "1:3: control characters must be escaped"},
        {"\"\\x\"", "1:2: unknown escape"},
        {"\"\\u12g4\"", "1:2: \\u needs four hexadecimal digits"},
        {"\"\\ud800\"", "1:2: half of a surrogate pair"},
        {"\"\\ud800\\u0041\"", "1:2: half of a surrogate pair"},
        {"\"\\udc00\"", "1:2: the second half"},
        {"\"\xff\"", "1:1: this string is not UTF-8"},
        {"\"\xed\xa0\x80\"", "1:1: this string is not UTF-8"},
        {"\"\xc0\xaf\"", "1:1: this string is not UTF-8"},
        {"[\x01]", "1:2: expected a value (number, string, true, false, null, array or object), "
                   "not byte 0x01"},
        {"{\"a\":1,\n\"b\":2,\n \"a\":3}", "3:2: the key \"a\" is given twice; first in line 1"},
        {"{\"a\":1,\"\\u0061\":3}", "1:8: the key \"a\" is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refuse(cases[i].text, strlen(cases[i].text), cases[i].message);
    }
    refuse("[1\0]", 4, "1:3: expected ',' or ']', not byte 0x00");
}

static void escapes_become_utf8(void **state) {
    (void)state;
    slv_json *json =
        parse("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u2603\\ud83d\\uDE00\", "
              "\"a\\u0000b\"]");
    const slv_json_value *item = slv_json_root(json)->first;
    assert_string_equal(item->text, "\"\\/\b\f\n\r\t");
    assert_string_equal(item->next->text, "Aé☃😀");
    const slv_json_value *zero = item->next->next;
    assert_int_equal(zero->length, 3);
    assert_memory_equal(zero->text, "a\0b", 4);
    slv_json_free(json);
}

static void check_numbers(void) {
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0.1", 0.1},
        {"0.002", 0.002},
        {"1e22", 1e22},
        {"1e23", 1e23},
        {"9007199254740993", 9007199254740992.0}, // half way: to even
        {"9007199254740993.0000000000000000000001", 9007199254740994.0},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"4.9e-324", 4.9e-324},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"-3.14159265358979323846264338327950288", -3.14159265358979323846},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        slv_json *json = parse(cases[i].text);
        assert_true(slv_json_root(json)->number == cases[i].value);
        slv_json_free(json);
    }
    slv_json *json = parse("-0");
    assert_true(signbit(slv_json_root(json)->number));
    slv_json_free(json);
}

static void numbers_are_correctly_rounded_in_every_locale(void **state) {
    (void)state;
    check_numbers();
    static const char *const commas[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "sv_SE.UTF-8"};
    for (size_t i = 0; i < sizeof commas / sizeof *commas; i++) {
        if (setlocale(LC_ALL, commas[i])) {
            check_numbers();
            assert_true(strtod("0,5", NULL) == 0.5); // the caller's locale is back
            (void)setlocale(LC_ALL, "C");
            return;
        }
    }
    print_message("skipped: no locale with a decimal comma is installed here\n");
}

static void nesting_ends_at_the_limit(void **state) {
    (void)state;
    char text[2 * SLV_JSON_MAX_DEPTH + 3];
    for (size_t depth = SLV_JSON_MAX_DEPTH; depth <= SLV_JSON_MAX_DEPTH + 1; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        text[2 * depth] = '\0';
        if (depth == SLV_JSON_MAX_DEPTH) {
            slv_json_free(parse(text));
        } else {
            refuse(text, 2 * depth, "1:65: more than 64 arrays and objects inside one another");
        }
    }
    // Depth counts what is open, not what there was.
    char many[3 * (SLV_JSON_MAX_DEPTH + 1) + 2] = "["; // and a zero
    for (size_t i = 0; i <= SLV_JSON_MAX_DEPTH; i++) {
        (void)snprintf(many + 1 + 3 * i, 4, "[],");
    }
    many[3 * (SLV_JSON_MAX_DEPTH + 1)] = ']'; // over the last comma
    slv_json_free(parse(many));
}

static void a_text_cut_short_is_refused_at_every_length(void **state) {
    (void)state;
    static const char text[] = "{\"a\": [1.5e3, true, null], \"b\": {\"c\": \"\\u00e9\\n\"}}";
    for (size_t size = 0; size + 1 < sizeof text; size++) {
        char *exact = malloc(size + 1); // a reader that looks further is caught by the sanitizer
        assert_non_null(exact);
        memcpy(exact, text, size);
        slv_json *json = NULL;
        slv_error error = {0};
        assert_int_equal(slv_json_parse(exact, size, &json, &error), SLV_ERROR_CONTENT);
        free(exact);
    }
    slv_json_free(parse(text));
}

// Comparing every key with every other would take minutes here.
static void many_keys_are_compared_quickly(void **state) {
    (void)state;
    enum { KEYS = 200000 };
    char *text = malloc((size_t)KEYS * 16 + 32);
    assert_non_null(text);
    size_t used = 0;
    text[used++] = '{';
    for (int i = 0; i < KEYS; i++) {
        used += (size_t)sprintf(text + used, "\"k%06d\":1,\n", i);
    }
    (void)sprintf(text + used, "\"k000007\":2}");
    refuse(text, strlen(text), "200001:1: the key \"k000007\" is given twice; first in line 8");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_type_text_line_and_column),
        cmocka_unit_test(whatever_rfc_8259_allows_is_read),
        cmocka_unit_test(everything_else_is_refused_with_line_and_column),
        cmocka_unit_test(escapes_become_utf8),
        cmocka_unit_test(numbers_are_correctly_rounded_in_every_locale),
        cmocka_unit_test(nesting_ends_at_the_limit),
        cmocka_unit_test(a_text_cut_short_is_refused_at_every_length),
        cmocka_unit_test(many_keys_are_compared_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
