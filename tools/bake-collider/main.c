// SPDX-License-Identifier: MIT
// selvage-bake-collider: an animated character becomes a collider pack.
#define _POSIX_C_SOURCE 200809L
#include "tools/bake-collider/command_line.h"
#include "tools/bake-collider/report.h"
#include "tools/common/signals.h"

// Nothing is said where it would mix with a file that goes to standard output.
static bool print_report(const slv_bake_options *options, const slv_common_options *common,
                         const slv_bake_report *report) {
    if (slv_is_standard_output(options->pack) || slv_is_standard_output(options->depfile)) {
        return true;
    }
    if (common->json) {
        return slv_bake_report_print_json(options, report);
    }
    return common->quiet || slv_bake_report_print(options, report);
}

int main(int argc, char **argv) {
    slv_bake_options options = slv_default_bake_options();
    slv_common_options common = {0};
    slv_bake_report report = {0};
    slv_output_files files = {0};
    slv_error error = {0};
    slv_console console = {.program = "selvage-bake-collider"};

    slv_signals_clean_up();
    slv_result result = slv_bake_parse(argc, argv, &options, &common, &error);
    if (result == SLV_OK && (common.help || common.version)) {
        return SLV_OK;
    }
    console.quiet = common.quiet;
    console.verbose = common.verbose;
    if (result == SLV_OK) {
        result = slv_bake(&options, &console, &report, &files, &error);
    }
    if (result == SLV_OK && !print_report(&options, &common, &report)) {
        slv_output_files_abandon(&files);
        report.subject = "standard output";
        result = slv_fail(&error, SLV_ERROR_FILE, "cannot be written");
    }
    if (result == SLV_OK) {
        result = slv_output_files_publish(&files, &report.subject, &error);
    }
    if (result != SLV_OK) {
        slv_console_error(&console, report.subject, "%s", error.text);
    }
    return (int)result;
}
