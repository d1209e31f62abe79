// SPDX-License-Identifier: MIT
// selvage-voxelize: converts a mesh to a garment pack.
#include "tools/common/tool.h"
#include "tools/voxelize/command_line.h"
#include "tools/voxelize/report.h"

#include <stdlib.h>

typedef struct voxelize_job {
    slv_voxelize_options options;
    slv_voxelize_report report;
} voxelize_job;

static slv_result parse(void *job, int argc, char **argv, slv_common_options *common,
                        slv_error *error) {
    return slv_voxelize_parse(argc, argv, &((voxelize_job *)job)->options, common, error);
}

static slv_result work(void *job, slv_console *console, slv_output_files *files, slv_error *error) {
    voxelize_job *one = job;
    return slv_voxelize(&one->options, console, &one->report, files, error);
}

static slv_result print(const void *job, bool json, slv_error *error) {
    const voxelize_job *one = job;
    return (json ? slv_report_print_json : slv_report_print)(&one->options, &one->report, error);
}

int main(int argc, char **argv) {
    voxelize_job one = {.options = slv_default_voxelize_options()};
    const slv_tool tool = {.name = "selvage-voxelize",
                           .job = &one,
                           .parse = parse,
                           .work = work,
                           .print = print,
                           .error_source = &one.report.error_source};
    const int status = slv_tool_run(&tool, argc, argv);
    free(one.report.list);
    return status;
}
