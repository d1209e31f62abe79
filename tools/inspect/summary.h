// SPDX-License-Identifier: MIT
// A text summary of a pack on one or two screens.
#ifndef SLV_INSPECT_SUMMARY_H
#define SLV_INSPECT_SUMMARY_H

#include "tools/inspect/inspected_pack.h"
#include "tools/inspect/output.h"

// styled: bold headings, for terminals.
void slv_summary_print(const slv_inspected_pack *inspected, bool styled, slv_output *output);

#endif
