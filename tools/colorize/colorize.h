// SPDX-License-Identifier: MIT
// The program as a function: options in, files and a report out. main.c only parses and prints.
#ifndef SLV_COLORIZE_COLORIZE_H
#define SLV_COLORIZE_COLORIZE_H

#include "tools/colorize/colorize_options.h"
#include "tools/colorize/colorize_report.h"
#include "tools/common/console.h"
#include "tools/common/output_files.h"

// Writes the files that the options name, all or none. They are in *files (zeroed before) and are
// published or abandoned by the caller. The report must be freed in any case.
slv_result slv_colorize(const slv_colorize_options *options, slv_console *console,
                        slv_colorize_report *report, slv_output_files *files, slv_error *error);

#endif
