// SPDX-License-Identifier: MIT
// The report of a run on standard output: a few lines of text, or one JSON object. Both return
// false where standard output cannot be written.
#ifndef SLV_VOXELIZE_REPORT_H
#define SLV_VOXELIZE_REPORT_H

#include "tools/voxelize/voxelize.h"

// Both return false where standard output cannot take it.
slv_result slv_report_print(const slv_voxelize_options *options, const slv_voxelize_report *report,
                            slv_error *error);
slv_result slv_report_print_json(const slv_voxelize_options *options,
                                 const slv_voxelize_report *report, slv_error *error);

#endif
