// SPDX-License-Identifier: MIT
// Runs selvage-inspect as a shell would, in a folder of the test's own.
#ifndef SLV_TEST_INSPECT_RUN_H
#define SLV_TEST_INSPECT_RUN_H

#include <stddef.h>

typedef struct slv_run {
    int status; // exit status; above 128 where a signal ended it
    char *out;  // standard output, terminated
    size_t out_size;
    char *err; // standard error, terminated
} slv_run;

// Makes a new temporary folder and works in it from now on.
void slv_run_enter_folder(void);
void slv_run_remove_folder(void);

// arguments as typed in a shell; redirections of standard output are possible. Free with slv_run_free.
slv_run slv_run_inspect(const char *arguments);
// The same, with standard output a pipe that nobody reads any more.
slv_run slv_run_inspect_unread(const char *arguments);
void slv_run_free(slv_run *run);

// Whole files, terminated with an extra zero; the test fails where that is impossible.
char *slv_run_read_file(const char *path, size_t *size);
void slv_run_write_file(const char *path, const void *bytes, size_t size);

#endif
