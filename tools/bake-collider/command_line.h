// SPDX-License-Identifier: MIT
// The command line of selvage-bake-collider.
#ifndef SLV_BAKE_COMMAND_LINE_H
#define SLV_BAKE_COMMAND_LINE_H

#include "tools/bake-collider/bake.h"
#include "tools/common/options.h"

// options holds the defaults before the call. Prints help or version where requested.
slv_result slv_bake_parse(int argc, char **argv, slv_bake_options *options,
                          slv_common_options *common, slv_error *error);

#endif
