// SPDX-License-Identifier: MIT
// What a run tells on standard output: a few lines for a person, or one JSON object for a program.
#ifndef SLV_COLORIZE_REPORT_H
#define SLV_COLORIZE_REPORT_H

#include "tools/colorize/colorize.h"

// Both return false where standard output cannot take it.
bool slv_colorize_print(const slv_colorize_options *options, const slv_colorize_report *report);
bool slv_colorize_print_json(const slv_colorize_options *options,
                             const slv_colorize_report *report);

#endif
