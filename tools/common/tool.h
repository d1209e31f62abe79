// SPDX-License-Identifier: MIT
// Common main of a program that writes files: parses the command line, works, prints the report,
// and publishes the files last.
#ifndef SLV_TOOLS_TOOL_H
#define SLV_TOOLS_TOOL_H

#include "tools/common/console.h"
#include "tools/common/options.h"
#include "tools/common/output_files.h"

typedef struct slv_tool {
    const char *name; // "selvage-voxelize"
    void *job;        // data of the tool, passed to all functions below
    slv_result (*parse)(void *job, int argc, char **argv, slv_common_options *common,
                        slv_error *error);
    slv_result (*work)(void *job, slv_console *console, slv_output_files *files, slv_error *error);
    // Prints the report to standard output as JSON or text.
    slv_result (*print)(const void *job, bool json, slv_error *error);
    const char **error_source; // the file or option that an error is about
} slv_tool;

// Runs the tool; returns the exit status. The job is freed by the caller.
int slv_tool_run(const slv_tool *tool, int argc, char **argv);

#endif
