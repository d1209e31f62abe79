// SPDX-License-Identifier: MIT
// Runs selvage-inspect as a shell would, in the folder of the test.
#ifndef SLV_TEST_INSPECT_RUN_H
#define SLV_TEST_INSPECT_RUN_H

#include <stddef.h>

typedef struct slv_run {
    int status; // exit status; above 128 where a signal ended it
    char *out;  // standard output, terminated
    size_t out_size;
    char *err; // standard error, terminated
} slv_run;

// arguments as typed in a shell; redirections of standard output are possible. Free with slv_run_free.
slv_run slv_run_inspect(const char *arguments);
// The same, with standard output a pipe whose reading end is closed.
slv_run slv_run_inspect_unread(const char *arguments);
void slv_run_free(slv_run *run);

#endif
