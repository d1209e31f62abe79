// SPDX-License-Identifier: MIT
// Processes an untrusted file in a child process: a crash, a hang or exhausted memory there becomes
// an error message here.
#ifndef SLV_TOOLS_CHILD_PROCESS_H
#define SLV_TOOLS_CHILD_PROCESS_H

#include "formats/result.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct slv_child_limits {
    unsigned processor_seconds;
    // Bytes of address space. Not enforced in sanitizer builds, which need terabytes.
    uint64_t memory;
    const char *input; // the only file it may read, with those in its folder and below; NULL: none
    bool any_file;     // it may read every file
} slv_child_limits;

typedef struct slv_child {
    pid_t pid;
    FILE *output;      // output of the child, read by the parent
    char buffer[4096]; // of `output`
} slv_child;

// Runs work(out, context) in a forked child with its standard streams closed, confined (confine.h); the parent gets the
// reading end of `out`. The child must stay in its place. Call it while the process has one thread.
slv_result slv_child_start(const slv_child_limits *limits, void (*work)(FILE *out, void *context),
                           void *context, slv_child *child, slv_error *error);

// Ends the child where it has no memory left; slv_child_finish then says so.
_Noreturn void slv_child_out_of_memory(void);

// Waits for the end of the child. complete: the parent has read all it needs; otherwise a running
// child is killed. SLV_ERROR_CONTENT where it crashed or exceeded its time; SLV_ERROR_MEMORY where it
// ran out of memory, or where errno says that the parent did while reading.
slv_result slv_child_finish(slv_child *child, bool complete, slv_error *error);

#endif
