// SPDX-License-Identifier: MIT
// selvage-colorize: work of a garment pack that can be done at once gets one colour.
#define _POSIX_C_SOURCE 200809L
#include "tools/colorize/command_line.h"
#include "tools/colorize/report.h"
#include "tools/common/console.h"
#include "tools/common/signals.h"

// Nothing is said where it would mix with a file that goes to standard output.
static bool print_report(const slv_colorize_options *options, const slv_common_options *common,
                         const slv_colorize_report *report) {
    if (slv_is_standard_output(options->output) || slv_is_standard_output(options->svg) ||
        slv_is_standard_output(options->depfile)) {
        return true;
    }
    if (common->json) {
        return slv_colorize_print_json(options, report);
    }
    return common->quiet || slv_colorize_print(options, report);
}

int main(int argc, char **argv) {
    slv_colorize_options options = slv_default_colorize_options();
    slv_common_options common = {0};
    slv_colorize_report report = {0};
    slv_output_files files = {0};
    slv_error error = {0};
    slv_console console = {.program = "selvage-colorize"};

    slv_signals_clean_up();
    slv_result result = slv_colorize_parse(argc, argv, &options, &common, &error);
    if (result == SLV_OK && (common.help || common.version)) {
        return SLV_OK;
    }
    console.quiet = common.quiet;
    console.verbose = common.verbose;
    if (result == SLV_OK) {
        result = slv_colorize(&options, &console, &report, &files, &error);
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
    slv_colorize_report_free(&report);
    return (int)result;
}
