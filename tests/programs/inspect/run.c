// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "tests/programs/inspect/run.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

void slv_run_enter_folder(void) {
    char folder[] = "/tmp/selvage-inspect-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

void slv_run_remove_folder(void) {
    char folder[4096];
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

char *slv_run_read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long end = ftell(file);
    assert_true(end >= 0);
    rewind(file);
    char *bytes = calloc((size_t)end + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)end, file), end);
    (void)fclose(file);
    *size = (size_t)end;
    return bytes;
}

void slv_run_write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// Runs the command, which leaves its words in out.txt and err.txt and its status in status.txt.
static slv_run run_shell(const char *command) {
    size_t size = 0;
    slv_run_write_file("out.txt", "", 0);
    assert_int_equal(system(command), 0);
    char *status = slv_run_read_file("status.txt", &size);
    slv_run run = {.status = (int)strtol(status, NULL, 10)};
    free(status);
    run.out = slv_run_read_file("out.txt", &run.out_size);
    run.err = slv_run_read_file("err.txt", &size);
    return run;
}

slv_run slv_run_inspect(const char *arguments) {
    char command[1024];
    int length =
        snprintf(command, sizeof command, ">out.txt 2>err.txt '%s' %s; echo $? >status.txt",
                 SLV_INSPECT_PROGRAM, arguments);
    assert_true(length > 0 && (size_t)length < sizeof command);
    return run_shell(command);
}

slv_run slv_run_inspect_unread(const char *arguments) {
    char command[1024];
    int length = snprintf(command, sizeof command,
                          "{ sleep 0.2; 2>err.txt '%s' %s; echo $? >status.txt; } | true",
                          SLV_INSPECT_PROGRAM, arguments);
    assert_true(length > 0 && (size_t)length < sizeof command);
    return run_shell(command);
}

void slv_run_free(slv_run *run) {
    free(run->out);
    free(run->err);
}
