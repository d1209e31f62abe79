// SPDX-License-Identifier: MIT
// What was baked, for a person or a program. Both are false where standard output cannot be written.
#ifndef SLV_BAKE_REPORT_H
#define SLV_BAKE_REPORT_H

#include "tools/bake-collider/bake.h"

bool slv_bake_report_print(const slv_bake_options *options, const slv_bake_report *report);
bool slv_bake_report_print_json(const slv_bake_options *options, const slv_bake_report *report);

#endif
