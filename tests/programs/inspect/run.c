// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "tests/programs/inspect/run.h"

#include "tests/common/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Runs the command; its output is in out.txt and err.txt, its status in status.txt.
static slv_run run_shell(const char *command) {
    size_t size = 0;
    folder_write("out.txt", "", 0);
    assert_int_equal(system(command), 0);
    char *status = folder_read("status.txt", &size);
    slv_run run = {.status = (int)strtol(status, NULL, 10)};
    free(status);
    run.out = folder_read("out.txt", &run.out_size);
    run.err = folder_read("err.txt", &size);
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
