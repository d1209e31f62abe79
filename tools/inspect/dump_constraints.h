// SPDX-License-Identifier: MIT
// --dump constraints, or one kind of them: one row per constraint, in stored order.
#ifndef SLV_INSPECT_DUMP_CONSTRAINTS_H
#define SLV_INSPECT_DUMP_CONSTRAINTS_H

#include "formats/garment.h"
#include "tools/inspect/table.h"

enum { SLV_CONSTRAINT_COLUMNS = 32 }; // bytes of the header

// The CSV header with a column for each end of the largest kind in the pack, at least two. Returns
// text.
const char *slv_dump_constraint_columns(const slv_garment *garment,
                                        char text[SLV_CONSTRAINT_COLUMNS]);

// The rows of one kind (SLV_CONSTRAINT_…), or of all kinds where kind is 0.
void slv_dump_constraints(const slv_garment *garment, uint32_t kind, slv_table *table);

#endif
