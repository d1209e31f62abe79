// SPDX-License-Identifier: MIT
// A text summary of a pack on one or two screens.
#ifndef SLV_INSPECT_SUMMARY_H
#define SLV_INSPECT_SUMMARY_H

#include "tools/inspect/output.h"
#include "tools/inspect/subject.h"

// styled: bold headings, for terminals.
void slv_summary_print(const slv_subject *subject, bool styled, slv_output *output);

#endif
