// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/tool.h"

#include "tools/common/memory_limit.h"
#include "tools/common/signals.h"

#include <stdio.h>
#include <unistd.h>

static bool goes_to_standard_output(const slv_output_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        if (slv_is_standard_output(files->paths[i])) {
            return true;
        }
    }
    return false;
}

// No report is printed where it would mix with an output file on standard output.
static slv_result print(const slv_tool *tool, const slv_common_options *common,
                        const slv_output_files *files, slv_error *error) {
    const bool silent = goes_to_standard_output(files) || (common->quiet && !common->json);
    return silent ? SLV_OK : tool->print(tool->job, common->json, error);
}

// A buffer of its own: where the C library cannot allocate one, printing fails.
static void buffer_standard_output(void) {
    static char buffer[BUFSIZ];
    (void)setvbuf(stdout, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof buffer);
}

int slv_tool_run(const slv_tool *tool, int argc, char **argv) {
    slv_common_options common = {0};
    slv_output_files files = {0};
    slv_error error = {0};
    slv_console console = {.program = tool->name};

    buffer_standard_output();
    slv_signals_clean_up();
    slv_result result = tool->parse(tool->job, argc, argv, &common, &error);
    if (result == SLV_OK && (common.help || common.version)) {
        return SLV_OK;
    }
    console.quiet = common.quiet;
    console.verbose = common.verbose;
    if (result == SLV_OK) {
        result = tool->work(tool->job, &console, &files, &error);
    }
    if (result == SLV_OK) {
        result = print(tool, &common, &files, &error);
        if (result != SLV_OK) {
            slv_output_files_abandon(&files);
            *tool->error_source = "standard output";
        } else {
            result = slv_output_files_publish(&files, tool->error_source, &error);
        }
    }
    if (result != SLV_OK) {
        slv_console_error(&console, *tool->error_source, "%s%s", error.text,
                          slv_memory_limit_hint(result));
    }
    return (int)result;
}
