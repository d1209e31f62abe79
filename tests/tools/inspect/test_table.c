// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/inspect/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Prints one table into a pipe and returns the output.
static void print(slv_table_format format, int rows, char *text, size_t room) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    slv_output *output = malloc(sizeof *output);
    assert_non_null(output);
    slv_table table;
    slv_error error;
    slv_output_start(output, ends[1]);
    slv_table_begin(&table, output, format, "number,text,none");
    for (int i = 0; i < rows; i++) {
        slv_table_float(&table, 0.5f);
        slv_table_word(&table, i == 0 ? "plain" : "a \"b\", c\n\\d");
        slv_table_none(&table);
    }
    assert_int_equal(slv_table_end(&table, &error), SLV_OK);
    assert_int_equal(slv_output_finish(output, &error), SLV_OK);
    free(output);
    (void)close(ends[1]);
    ssize_t size = read(ends[0], text, room - 1);
    assert_true(size >= 0);
    text[size] = '\0';
    (void)close(ends[0]);
}

static void csv_quotes_special_characters(void **state) {
    (void)state;
    char text[512];
    print(SLV_TABLE_CSV, 2, text, sizeof text);
    assert_string_equal(text, "number,text,none\n0.5,plain,\n0.5,\"a \"\"b\"\", c\n\\d\",\n");
}

static void json_escapes_special_characters(void **state) {
    (void)state;
    char text[512];
    print(SLV_TABLE_JSON, 2, text, sizeof text);
    assert_string_equal(
        text, "[\n{\"number\":0.5,\"text\":\"plain\",\"none\":null},\n"
              "{\"number\":0.5,\"text\":\"a \\\"b\\\", c\\u000a\\\\d\",\"none\":null}\n]\n");
}

static void an_empty_table_is_valid(void **state) {
    (void)state;
    char text[512];
    print(SLV_TABLE_CSV, 0, text, sizeof text);
    assert_string_equal(text, "number,text,none\n");
    print(SLV_TABLE_JSON, 0, text, sizeof text);
    assert_string_equal(text, "[]\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_quotes_special_characters),
        cmocka_unit_test(json_escapes_special_characters),
        cmocka_unit_test(an_empty_table_is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
