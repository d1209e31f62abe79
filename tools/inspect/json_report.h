// SPDX-License-Identifier: MIT
// The summary as one JSON object. Floats are printed so that they read back exactly, checksums as
// hexadecimal text.
#ifndef SLV_INSPECT_JSON_REPORT_H
#define SLV_INSPECT_JSON_REPORT_H

#include "tools/inspect/inspected_pack.h"
#include "tools/inspect/output.h"

slv_result slv_json_report_print(const slv_inspected_pack *inspected, slv_output *output,
                                 slv_error *error);

// --verify --json: {"file": …, "ok": …} and, where failure is not NULL, its code and message.
slv_result slv_json_verdict_print(const char *path, const slv_error *failure, slv_output *output,
                                  slv_error *error);

#endif
