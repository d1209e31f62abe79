// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "tests/common/folder.h"
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/output_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int enter_folder(void **state) {
    return folder_enter(state) == 0 ? mkdir("sub", 0700) : -1;
}

static slv_result check(const char *output, const char *other, const char *input) {
    const char *const outputs[] = {output, NULL, other};
    const char *error_source = NULL;
    return slv_output_files_check(outputs, 3, &input, 1, &error_source, NULL);
}

static void files_that_would_replace_each_other_are_rejected(void **state) {
    (void)state;
    assert_int_equal(check("a", "b", "c"), SLV_OK);
    assert_int_equal(check("a", "sub/a", "sub/../b"), SLV_OK);
    assert_int_equal(check("a", "sub/../a", "c"), SLV_ERROR_ARGUMENT);
    assert_int_equal(check("sub/a", "sub/../sub/a", "c"), SLV_ERROR_ARGUMENT);
    assert_int_equal(check("/dev/null", "/dev/null", "/dev/null"), SLV_OK);
    assert_int_equal(symlink("a", "link"), 0); // dangling
    assert_int_equal(check("link", "./a", "c"), SLV_ERROR_ARGUMENT);
    folder_write_text("a", "");
    assert_int_equal(check("link", "b", "sub/../a"), SLV_ERROR_ARGUMENT);
    assert_int_equal(check("b", "link", "a"), SLV_ERROR_ARGUMENT);
    (void)unlink("link");
    (void)unlink("a");
}

static void paths_that_cannot_be_written_are_rejected(void **state) {
    (void)state;
    assert_int_equal(check("", "b", "c"), SLV_ERROR_ARGUMENT);
    assert_int_equal(check("sub", "b", "c"), SLV_ERROR_FILE);
    assert_int_equal(check("a", "none/b", "c"), SLV_ERROR_FILE);
}

static void files_appear_when_published_and_not_when_abandoned(void **state) {
    (void)state;
    const char *error_source = NULL;
    for (int round = 0; round < 2; round++) {
        slv_output_files list = {0};
        slv_atomic_file *file = NULL;
        assert_int_equal(slv_output_files_open(&list, "a", &file, NULL), SLV_OK);
        assert_int_equal(slv_atomic_write(file, "1234", 4, NULL), SLV_OK);
        assert_int_equal(slv_output_files_size(&list, list.paths[0]), 4);
        assert_int_equal(slv_output_files_open(&list, "b", &file, NULL), SLV_OK);
        assert_int_equal(slv_output_files_flush(&list, &error_source, NULL), SLV_OK);
        assert_int_not_equal(access("a", F_OK), 0);
        if (round == 0) {
            slv_output_files_abandon(&list);
        } else {
            assert_int_equal(slv_output_files_publish(&list, &error_source, NULL), SLV_OK);
        }
        assert_int_equal(list.count, 0);
        assert_int_equal(access("a", F_OK), round == 0 ? -1 : 0);
        assert_int_equal(access("b", F_OK), round == 0 ? -1 : 0);
    }
    assert_int_equal(unlink("a"), 0);
    assert_int_equal(unlink("b"), 0);
}

static void a_failed_publication_removes_the_other_files(void **state) {
    (void)state;
    static const char *const names[] = {"old", "new", "last"};
    const char *error_source = NULL;
    folder_write_text("old", "before");
    for (int round = 0; round < 2; round++) {
        slv_output_files list = {0};
        for (size_t i = 0; i < 3; i++) {
            slv_atomic_file *file = NULL;
            assert_int_equal(slv_output_files_open(&list, names[i], &file, NULL), SLV_OK);
            assert_int_equal(slv_atomic_write(file, "after", 5, NULL), SLV_OK);
        }
        assert_int_equal(slv_output_files_flush(&list, &error_source, NULL), SLV_OK);
        if (round == 0) { // a folder takes its path
            assert_int_equal(mkdir("last", 0700), 0);
            assert_int_equal(slv_output_files_publish(&list, &error_source, NULL), SLV_ERROR_FILE);
            assert_string_equal(error_source, "last");
            folder_expect_text("old", "before");
            assert_int_equal(folder_count(), 3); // sub, old, last
            assert_int_equal(rmdir("last"), 0);
        } else {
            assert_int_equal(slv_output_files_publish(&list, &error_source, NULL), SLV_OK);
            for (size_t i = 0; i < 3; i++) {
                folder_expect_text(names[i], "after");
            }
            assert_int_equal(folder_count(), 4);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_would_replace_each_other_are_rejected),
        cmocka_unit_test(paths_that_cannot_be_written_are_rejected),
        cmocka_unit_test(files_appear_when_published_and_not_when_abandoned),
        cmocka_unit_test(a_failed_publication_removes_the_other_files),
    };
    return cmocka_run_group_tests(tests, enter_folder, folder_leave);
}
