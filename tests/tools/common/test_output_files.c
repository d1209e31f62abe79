// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/output_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/selvage-outputs-XXXXXX";

static int enter_folder(void **state) {
    (void)state;
    return mkdtemp(folder) != NULL && chdir(folder) == 0 && mkdir("sub", 0700) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir("sub") == 0 && chdir("/") == 0 ? rmdir(folder) : -1;
}

static slv_result check(const char *output, const char *other, const char *input) {
    const char *const outputs[] = {output, NULL, other};
    const char *subject = NULL;
    return slv_output_files_check(outputs, 3, &input, 1, &subject, NULL);
}

static void files_that_would_replace_each_other_are_refused(void **state) {
    (void)state;
    assert_int_equal(check("a", "b", "c"), SLV_OK);
    assert_int_equal(check("a", "sub/a", "sub/../b"), SLV_OK);
    assert_int_equal(check("a", "sub/../a", "c"), SLV_ERROR_USAGE);
    assert_int_equal(check("sub/a", "sub/../sub/a", "c"), SLV_ERROR_USAGE);
    assert_int_equal(check("/dev/null", "/dev/null", "/dev/null"), SLV_OK);
    assert_int_equal(symlink("a", "link"), 0); // to nothing yet
    assert_int_equal(check("link", "./a", "c"), SLV_ERROR_USAGE);
    FILE *file = fopen("a", "wb");
    assert_non_null(file);
    (void)fclose(file);
    assert_int_equal(check("link", "b", "sub/../a"), SLV_ERROR_USAGE);
    assert_int_equal(check("b", "link", "a"), SLV_ERROR_USAGE);
    (void)unlink("link");
    (void)unlink("a");
}

static void places_that_cannot_be_written_are_refused(void **state) {
    (void)state;
    assert_int_equal(check("", "b", "c"), SLV_ERROR_USAGE);
    assert_int_equal(check("sub", "b", "c"), SLV_ERROR_FILE);
    assert_int_equal(check("a", "none/b", "c"), SLV_ERROR_FILE);
}

static void files_appear_when_published_and_not_when_abandoned(void **state) {
    (void)state;
    const char *subject = NULL;
    for (int round = 0; round < 2; round++) {
        slv_output_files list = {0};
        slv_atomic_file *file = NULL;
        assert_int_equal(slv_output_files_open(&list, "a", &file, NULL), SLV_OK);
        assert_int_equal(slv_atomic_write(file, "1234", 4, NULL), SLV_OK);
        assert_int_equal(slv_output_files_size(&list, list.paths[0]), 4);
        assert_int_equal(slv_output_files_open(&list, "b", &file, NULL), SLV_OK);
        assert_int_equal(slv_output_files_flush(&list, &subject, NULL), SLV_OK);
        assert_int_not_equal(access("a", F_OK), 0);
        if (round == 0) {
            slv_output_files_abandon(&list);
        } else {
            assert_int_equal(slv_output_files_publish(&list, &subject, NULL), SLV_OK);
        }
        assert_int_equal(list.count, 0);
        assert_int_equal(access("a", F_OK), round == 0 ? -1 : 0);
        assert_int_equal(access("b", F_OK), round == 0 ? -1 : 0);
    }
    assert_int_equal(unlink("a"), 0);
    assert_int_equal(unlink("b"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_would_replace_each_other_are_refused),
        cmocka_unit_test(places_that_cannot_be_written_are_refused),
        cmocka_unit_test(files_appear_when_published_and_not_when_abandoned),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
