// SPDX-License-Identifier: MIT
// Checks of option combinations.
#ifndef SLV_VOXELIZE_OPTION_CHECK_H
#define SLV_VOXELIZE_OPTION_CHECK_H

#include "tools/common/console.h"
#include "tools/voxelize/voxelize_options.h"

// Message about the first pair of options that exclude each other; NULL where there is none.
const char *slv_find_option_conflict(const slv_voxelize_options *options);

void slv_warn_of_unused_options(const slv_voxelize_options *options, slv_console *console);

#endif
