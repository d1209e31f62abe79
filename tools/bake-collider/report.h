// SPDX-License-Identifier: MIT
// The report of a run as text or JSON. Both return false where standard output cannot be written.
#ifndef SLV_BAKE_REPORT_H
#define SLV_BAKE_REPORT_H

#include "tools/bake-collider/bake.h"

slv_result slv_bake_report_print(const slv_bake_options *options, const slv_bake_report *report,
                                 slv_error *error);
slv_result slv_bake_report_print_json(const slv_bake_options *options,
                                      const slv_bake_report *report, slv_error *error);

#endif
