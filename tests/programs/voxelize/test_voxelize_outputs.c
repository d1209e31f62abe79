// SPDX-License-Identifier: MIT
// The files of a run appear together or not at all, and other files are not changed.
#define _XOPEN_SOURCE 700
#include "tests/common/folder.h"
#include "tests/programs/voxelize/run.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

// Runs and expects a status and a text in the messages.
static void expect(const char *arguments, int status, const char *words) {
    program_run run = run_voxelize(arguments);
    if (run.status != status || strstr(run.messages, words) == NULL) {
        fail_msg("'%s' ended with %d and said '%s'; expected %d and '%s'", arguments, run.status,
                 run.messages, status, words);
    }
    discard_run(&run);
}

static void one_output_file_by_two_names_is_rejected_before_it_exists(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    assert_int_equal(mkdir("out", 0700), 0);
    expect("cube.obj -o out/x.slv --sdf out/../out/x.slv", 1, "two outputs");
    expect("cube.obj -o x.slv --depfile ./x.slv", 1, "two outputs");
    expect("cube.obj -o out/../cube.obj", 1, "overwrite");
    expect_voxelize("cube.obj -o out/x.slv --sdf x.slv");
}

static void a_rule_that_cannot_be_written_leaves_old_files_unchanged(void **state) {
    (void)state;
    write_box_mesh("a\nb.obj", 0, 1);
    folder_write_text("old.sdf", "OLD");
    expect("a\nb.obj --sdf old.sdf -o new.slv --depfile d.d", 5, "line break");
    folder_expect_text("old.sdf", "OLD");
    assert_int_equal(count_files(), 2);
}

static void the_rule_names_every_file_made(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    expect_voxelize("cube.obj -o out.slv --sdf out.sdf --depfile both.d");
    folder_expect_text("both.d", "out.slv out.sdf: \\\n  cube.obj\n");
    expect_voxelize("cube.obj --sdf out.sdf --depfile one.d");
    folder_expect_text("one.d", "out.sdf: \\\n  cube.obj\n");
}

static void a_field_on_standard_output_has_no_other_text(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    expect_voxelize("cube.obj --sdf out.sdf");
    assert_int_equal(system("'" SLV_VOXELIZE "' cube.obj --sdf /dev/stdout | cat >piped.sdf"), 0);
    assert_true(have_same_bytes("piped.sdf", "out.sdf"));
    assert_int_equal(
        system("'" SLV_VOXELIZE "' cube.obj --json --sdf /dev/stdout | cat >piped.sdf"), 0);
    assert_true(have_same_bytes("piped.sdf", "out.sdf"));
}

static void a_summary_that_cannot_be_written_fails_the_run(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    folder_write_text("out.slv", "OLD");
    if (!has_file("/dev/full")) {
        print_message("skipped: there is no /dev/full\n");
        skip();
    }
    const int status =
        system("'" SLV_VOXELIZE "' cube.obj -o out.slv --sdf new.sdf >/dev/full 2>/dev/null");
    assert_int_equal(WEXITSTATUS(status), 2);
    folder_expect_text("out.slv", "OLD");
    assert_int_equal(count_files(), 2);
}

static void the_report_is_utf8_for_any_file_names(void **state) {
    (void)state;
    write_box_mesh("w\xFFrfel.obj", 0, 1);
    program_run run = run_voxelize("w\xFFrfel.obj --json -o \xC3\xA4\xE4.slv");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "\"w\xEF\xBF\xBDrfel.obj\""));
    assert_non_null(strstr(run.out, "\"\xC3\xA4\xEF\xBF\xBD.slv\""));
    discard_run(&run);
}

static void rest(void) {
    const struct timespec pause = {.tv_nsec = 2000000};
    (void)nanosleep(&pause, NULL);
}

// Waits until the program has opened its files, then sends the signal.
static void interrupted_runs_leave_no_files(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    write_box_mesh("cube.obj", 0, 1);
    for (size_t n = 0; n < sizeof signals / sizeof *signals; n++) {
        const pid_t child =
            start_voxelize("cube.obj --sdf out.sdf -o out.slv --mode surface --spacing 0.002");
        for (int wait = 0; count_files() < 3 && wait < 5000; wait++) {
            rest();
        }
        assert_true(count_files() >= 3);
        assert_int_equal(kill(child, signals[n]), 0);
        program_run run = end_voxelize(child);
        assert_int_equal(run.status, 128 + signals[n]);
        discard_run(&run);
        assert_int_equal(count_files(), 1);
    }
}

// At any time of the signal both files exist or neither does.
static void interrupted_runs_leave_all_files_or_none(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    for (long delay = 0; delay < 40; delay++) {
        const struct timespec pause = {.tv_nsec = delay * 500000};
        const pid_t child = start_voxelize("cube.obj --sdf out.sdf -o out.slv --spacing 0.05");
        (void)nanosleep(&pause, NULL);
        (void)kill(child, SIGTERM);
        program_run run = end_voxelize(child);
        discard_run(&run);
        assert_int_equal(has_file("out.sdf"), has_file("out.slv"));
        (void)remove("out.sdf");
        (void)remove("out.slv");
        assert_int_equal(count_files(), 1);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_enter, folder_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(one_output_file_by_two_names_is_rejected_before_it_exists),
        IN_FOLDER(a_rule_that_cannot_be_written_leaves_old_files_unchanged),
        IN_FOLDER(the_rule_names_every_file_made),
        IN_FOLDER(a_field_on_standard_output_has_no_other_text),
        IN_FOLDER(a_summary_that_cannot_be_written_fails_the_run),
        IN_FOLDER(the_report_is_utf8_for_any_file_names),
        IN_FOLDER(interrupted_runs_leave_no_files),
        IN_FOLDER(interrupted_runs_leave_all_files_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
