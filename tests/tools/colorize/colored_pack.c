// SPDX-License-Identifier: MIT
#include "tests/tools/colorize/colored_pack.h"

#include "tests/tools/common/cmocka_all.h"

void write_colored(const char *input, const char *output, slv_scheme scheme) {
    slv_colorize_options options = slv_default_colorize_options();
    slv_console console = {.program = "test", .quiet = true};
    slv_colorize_report report;
    slv_output_files files = {0};
    slv_error error = {0};
    options.input = input;
    options.output = output;
    options.scheme = scheme;
    assert_int_equal(slv_colorize(&options, &console, &report, &files, &error), SLV_OK);
    assert_int_equal(slv_output_files_publish(&files, &report.error_source, &error), SLV_OK);
    assert_true(scheme != SLV_SCHEME_PHANTOM || report.phantom_particles > 0);
    slv_colorize_report_free(&report);
}
