// SPDX-License-Identifier: MIT
// selvage-colorize: colors the particles and constraints of a garment pack.
#include "tools/colorize/command_line.h"
#include "tools/colorize/report.h"
#include "tools/common/memory_limit.h"
#include "tools/common/tool.h"

typedef struct colorize_job {
    slv_colorize_options options;
    slv_colorize_report report;
} colorize_job;

static slv_result parse(void *job, int argc, char **argv, slv_common_options *common,
                        slv_error *error) {
    return slv_colorize_parse(argc, argv, &((colorize_job *)job)->options, common, error);
}

static slv_result work(void *job, slv_console *console, slv_output_files *files, slv_error *error) {
    colorize_job *one = job;
    (void)slv_limit_memory(one->options.memory_limit, one->options.input, 0, 0);
    return slv_colorize(&one->options, console, &one->report, files, error);
}

static slv_result print(const void *job, bool json, slv_error *error) {
    const colorize_job *one = job;
    return (json ? slv_colorize_print_json : slv_colorize_print)(&one->options, &one->report,
                                                                 error);
}

int main(int argc, char **argv) {
    colorize_job one = {.options = slv_default_colorize_options()};
    const slv_tool tool = {.name = "selvage-colorize",
                           .job = &one,
                           .parse = parse,
                           .work = work,
                           .print = print,
                           .error_source = &one.report.error_source};
    const int status = slv_tool_run(&tool, argc, argv);
    slv_colorize_report_free(&one.report);
    return status;
}
