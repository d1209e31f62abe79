// SPDX-License-Identifier: MIT
#ifndef SLV_COLORIZE_COMMAND_LINE_H
#define SLV_COLORIZE_COMMAND_LINE_H

#include "tools/colorize/colorize.h"
#include "tools/common/options.h"

// Fills options, or prints help or version where requested.
slv_result slv_colorize_parse(int argc, char **argv, slv_colorize_options *options,
                              slv_common_options *common, slv_error *error);

#endif
