// SPDX-License-Identifier: MIT
// The request of the command line and its execution.
#ifndef SLV_INSPECT_REQUEST_H
#define SLV_INSPECT_REQUEST_H

#include "formats/reader.h"
#include "tools/common/console.h"
#include "tools/inspect/picture.h"
#include "tools/inspect/table.h"

#include <stdbool.h>

typedef struct slv_request {
    const char *pack; // the file
    slv_open_mode open_mode;
    uint64_t memory_limit; // MiB; 0: the default of slv_limit_memory
    bool quiet;
    bool verify;              // prints only whether the pack is valid
    bool json;                // prints the JSON report
    const char *dump;         // a section's name, or NULL
    slv_table_format format;  // of the dump
    const char *picture_path; // or NULL
    slv_picture_options picture;
    const char *depfile; // or NULL
} slv_request;

// Writes results to standard output and errors to the console. Returns the exit status.
slv_result slv_request_run(const slv_request *request, slv_console *console);

#endif
