// SPDX-License-Identifier: MIT
// Work on an untrusted file in a child process: a crash, a hang or a lack of memory there becomes an error
// message here.
#ifndef SLV_TOOLS_CHILD_PROCESS_H
#define SLV_TOOLS_CHILD_PROCESS_H

#include "formats/result.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct slv_child_limits {
    unsigned processor_seconds;
    uint64_t
        memory; // bytes of address space; not held in builds with sanitizers, which need terabytes
} slv_child_limits;

typedef struct slv_child {
    pid_t pid;
    FILE *output; // what the child writes, for the parent to read
} slv_child;

// Runs work(out, context) in a forked child, its standard streams closed, and gives the
// parent the other end of `out`. Call it while the process has one thread.
slv_result slv_child_start(const slv_child_limits *limits, void (*work)(FILE *out, void *context),
                           void *context, slv_child *child, slv_error *error);

// Waits for the child's end. `complete` says that the parent has read all that it wanted; otherwise
// the child is killed where it still runs. SLV_ERROR_CONTENT where it crashed or met a limit.
slv_result slv_child_finish(slv_child *child, bool complete, slv_error *error);

#endif
