// SPDX-License-Identifier: MIT
// The command line of selvage-voxelize: one table that parses and explains.
#ifndef SLV_VOXELIZE_COMMAND_LINE_H
#define SLV_VOXELIZE_COMMAND_LINE_H

#include "tools/common/options.h"
#include "tools/voxelize/voxelize.h"

// Fills options over their defaults, and common. Where common->help or ->version is set, that has
// been printed and nothing else is left to do.
slv_result slv_voxelize_parse(int argc, char **argv, slv_voxelize_options *options,
                              slv_common_options *common, slv_error *error);

#endif
