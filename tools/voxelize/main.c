// SPDX-License-Identifier: MIT
// selvage-voxelize: any mesh becomes a garment pack.
#include "tools/common/console.h"
#include "tools/voxelize/command_line.h"
#include "tools/voxelize/report.h"

static bool print_report(const slv_voxelize_options *options, const slv_common_options *common,
                         const slv_voxelize_report *report) {
    if (common->json) {
        return slv_report_print_json(options, report);
    }
    return common->quiet || slv_report_print(options, report);
}

int main(int argc, char **argv) {
    slv_voxelize_options options = slv_default_voxelize_options();
    slv_common_options common = {0};
    slv_voxelize_report report = {0};
    slv_error error = {0};
    slv_console console = {.program = "selvage-voxelize"};

    slv_result result = slv_voxelize_parse(argc, argv, &options, &common, &error);
    if (result == SLV_OK && (common.help || common.version)) {
        return SLV_OK;
    }
    console.quiet = common.quiet;
    console.verbose = common.verbose;
    if (result == SLV_OK) {
        result = slv_voxelize(&options, &console, &report, &error);
    }
    if (result != SLV_OK) {
        slv_console_error(&console, report.subject, "%s", error.text);
        return (int)result;
    }
    if (!print_report(&options, &common, &report)) {
        slv_console_error(&console, "standard output", "cannot be written");
        return SLV_ERROR_FILE;
    }
    return SLV_OK;
}
