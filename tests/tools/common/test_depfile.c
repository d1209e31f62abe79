// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/common/folder.h"
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/depfile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "rule.d";

static slv_result put_rule(const char *output, const char *const *inputs, size_t count) {
    const slv_depfile_rule rule = {&output, 1, inputs, count};
    slv_atomic_file *file = NULL;
    assert_int_equal(slv_atomic_open(path, &file, NULL), SLV_OK);
    slv_error error = {.code = SLV_OK};
    const slv_result result = slv_depfile_put(&rule, file, &error);
    if (result != SLV_OK) {
        slv_atomic_abandon(file);
        return result;
    }
    return slv_atomic_commit(file, &error);
}

static void expect_rule(const char *output, const char *const *inputs, size_t count,
                        const char *rule) {
    assert_int_equal(put_rule(output, inputs, count), SLV_OK);
    folder_expect_text(path, rule);
}

static void a_rule_names_output_and_inputs(void **state) {
    (void)state;
    const char *inputs[] = {"a.gltf", "dir/b.bin"};
    expect_rule("out.slv", inputs, 2, "out.slv: \\\n  a.gltf \\\n  dir/b.bin\n");
    expect_rule("out.slv", NULL, 0, "out.slv:\n");
}

static void special_characters_of_make_are_escaped(void **state) {
    (void)state;
    const char *inputs[] = {"my mesh.obj", "a#1", "$x", "c:d", "back\\slash", "odd\\ one"};
    expect_rule(
        "o p", inputs, 6,
        "o\\ p: \\\n  my\\ mesh.obj \\\n  a\\#1 \\\n  $$x \\\n  c\\:d \\\n  back\\slash \\\n"
        "  odd\\\\\\ one\n");
}

static void a_line_break_in_a_name_is_rejected(void **state) {
    (void)state;
    const char *inputs[] = {"a\nb"};
    assert_int_equal(put_rule("o", inputs, 1), SLV_ERROR_UNSUPPORTED);
    assert_int_equal(put_rule("o\r", NULL, 0), SLV_ERROR_UNSUPPORTED);
}

// Make itself must find the files of the rule.
static void make_finds_every_file_of_the_rule(void **state) {
    (void)state;
    if (system("make --version >/dev/null 2>&1") != 0) {
        print_message("skipped: there is no make\n");
        skip();
    }
    const char *const inputs[] = {"my mesh.obj", "a#1", "$x", "c:d", "back\\slash", "odd\\ one"};
    for (size_t i = 0; i < 6; i++) {
        folder_write_text(inputs[i], "");
    }
    assert_int_equal(put_rule("o p", inputs, 6), SLV_OK);
    // -n: no recipe is needed; a missing prerequisite would make it fail.
    const char command[] = "make -rR -n -f rule.d >/dev/null 2>&1";
    int found = system(command);
    assert_int_equal(unlink(inputs[0]), 0);
    int missed = system(command);
    assert_int_equal(found, 0);
    assert_int_not_equal(missed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_names_output_and_inputs),
        cmocka_unit_test(special_characters_of_make_are_escaped),
        cmocka_unit_test(a_line_break_in_a_name_is_rejected),
        cmocka_unit_test(make_finds_every_file_of_the_rule),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
