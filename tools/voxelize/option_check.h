// SPDX-License-Identifier: MIT
// Options that contradict each other, and options that do nothing here.
#ifndef SLV_VOXELIZE_OPTION_CHECK_H
#define SLV_VOXELIZE_OPTION_CHECK_H

#include "tools/voxelize/voxelize.h"

// What is wrong and what would be right; NULL where nothing is.
const char *slv_find_contradiction(const slv_voxelize_options *options);

void slv_warn_of_idle_options(const slv_voxelize_options *options, slv_console *console);

#endif
