// SPDX-License-Identifier: MIT
// A summary of a pack for a person, on one or two screens.
#ifndef SLV_INSPECT_SUMMARY_H
#define SLV_INSPECT_SUMMARY_H

#include "tools/inspect/output.h"
#include "tools/inspect/subject.h"

// styled: headings in bold, for terminals.
void slv_summary_print(const slv_subject *subject, bool styled, slv_output *output);

#endif
