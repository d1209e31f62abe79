// SPDX-License-Identifier: MIT
// --dump: any section as a table for other programs. Particle numbers are always in own order,
// whatever order the pack stores.
#ifndef SLV_INSPECT_DUMP_H
#define SLV_INSPECT_DUMP_H

#include "tools/inspect/inspected_pack.h"
#include "tools/inspect/output.h"
#include "tools/inspect/table.h"

typedef struct slv_dump {
    const char *name;     // argument of --dump: "particles"
    const char *sections; // the sections it shows, separated by spaces, the required one first
    const char *columns;  // the CSV header
    void (*print)(const slv_inspected_pack *inspected, slv_table *table); // NULL for constraints
    uint32_t constraint_kind; // without print: the kind to show, 0 for all kinds
} slv_dump;

// The table of all dumps, ended by a row without a name.
extern const slv_dump slv_dumps[];

// Checks that name is a dump or could be a section (four capitals or digits), before any file is
// open. SLV_ERROR_ARGUMENT lists the valid names.
slv_result slv_dump_check_name(const char *name, slv_error *error);

// Prints a dump. SLV_ERROR_CONTENT where the pack has no such section. The caller finishes the
// output.
slv_result slv_dump_print(const slv_inspected_pack *inspected, const char *name,
                          slv_table_format format, slv_output *output, slv_error *error);

#endif
