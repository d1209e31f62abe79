// SPDX-License-Identifier: MIT
// What the command line asks for, and doing it.
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
    bool quiet;
    bool verify;              // a verdict in place of the summary
    bool json;                // the report for programs
    const char *dump;         // a section's name, or NULL
    slv_table_format format;  // of the dump
    const char *picture_path; // or NULL
    slv_picture_options picture;
    const char *depfile; // or NULL
} slv_request;

// Standard output gets what was asked for, the console the failures. Returns the exit status.
slv_result slv_request_run(const slv_request *request, slv_console *console);

#endif
