// SPDX-License-Identifier: MIT
// selvage-bake-collider: converts an animated character to a collider pack.
#include "tools/bake-collider/command_line.h"
#include "tools/bake-collider/report.h"
#include "tools/common/tool.h"

#include <stdlib.h>

typedef struct bake_job {
    slv_bake_options options;
    slv_bake_report report;
} bake_job;

static slv_result parse(void *job, int argc, char **argv, slv_common_options *common,
                        slv_error *error) {
    return slv_bake_parse(argc, argv, &((bake_job *)job)->options, common, error);
}

static slv_result work(void *job, slv_console *console, slv_output_files *files, slv_error *error) {
    bake_job *one = job;
    return slv_bake(&one->options, console, &one->report, files, error);
}

static slv_result print(const void *job, bool json, slv_error *error) {
    const bake_job *one = job;
    return (json ? slv_bake_report_print_json : slv_bake_report_print)(&one->options, &one->report,
                                                                       error);
}

int main(int argc, char **argv) {
    bake_job one = {.options = slv_default_bake_options()};
    const slv_tool tool = {.name = "selvage-bake-collider",
                           .job = &one,
                           .parse = parse,
                           .work = work,
                           .print = print,
                           .error_source = &one.report.error_source};
    const int status = slv_tool_run(&tool, argc, argv);
    free(one.report.list);
    return status;
}
