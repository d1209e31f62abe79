// SPDX-License-Identifier: MIT
// The frame of a program that makes files: reads the command line, works, says what it did, and only then
// lets the files appear.
#ifndef SLV_TOOLS_TOOL_H
#define SLV_TOOLS_TOOL_H

#include "tools/common/console.h"
#include "tools/common/options.h"
#include "tools/common/output_files.h"

typedef struct slv_tool {
    const char *name; // "selvage-voxelize"
    void *job;        // the tool's own, handed to all below
    slv_result (*parse)(void *job, int argc, char **argv, slv_common_options *common,
                        slv_error *error);
    slv_result (*work)(void *job, slv_console *console, slv_output_files *files, slv_error *error);
    // To standard output, for a program or a person. False: it could not be written.
    bool (*print)(const void *job, bool json);
    const char **subject; // the file or option that an error is about
} slv_tool;

// All of main; returns the exit status. The job is the caller's to free.
int slv_tool_run(const slv_tool *tool, int argc, char **argv);

#endif
