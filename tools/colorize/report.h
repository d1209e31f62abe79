// SPDX-License-Identifier: MIT
// What a run tells on standard output: a few lines for a person, or one JSON object for a program.
#ifndef SLV_COLORIZE_REPORT_H
#define SLV_COLORIZE_REPORT_H

#include "tools/colorize/colorize.h"

// Both return false where standard output cannot take it.
slv_result slv_colorize_print(const slv_colorize_options *options,
                              const slv_colorize_report *report, slv_error *error);
slv_result slv_colorize_print_json(const slv_colorize_options *options,
                                   const slv_colorize_report *report, slv_error *error);

#endif
