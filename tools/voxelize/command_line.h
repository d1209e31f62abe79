// SPDX-License-Identifier: MIT
// The command line of selvage-voxelize, from one table for parsing and help.
#ifndef SLV_VOXELIZE_COMMAND_LINE_H
#define SLV_VOXELIZE_COMMAND_LINE_H

#include "tools/common/options.h"
#include "tools/voxelize/voxelize.h"

// Fills options, which hold the defaults, and common. Where common->help or ->version is set, the
// text has been printed and the program ends.
slv_result slv_voxelize_parse(int argc, char **argv, slv_voxelize_options *options,
                              slv_common_options *common, slv_error *error);

#endif
