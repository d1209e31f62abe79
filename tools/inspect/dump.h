// SPDX-License-Identifier: MIT
// --dump: any section as a table that other programs can check. Particle numbers are always the
// object's own order, whatever order the pack stores.
#ifndef SLV_INSPECT_DUMP_H
#define SLV_INSPECT_DUMP_H

#include "tools/inspect/output.h"
#include "tools/inspect/subject.h"
#include "tools/inspect/table.h"

typedef struct slv_dump {
    const char *name;     // what a person types: "particles"
    const char *sections; // the sections it shows, separated by spaces, the one it needs first
    const char *columns;  // the CSV header
    void (*print)(const slv_subject *subject, slv_table *table); // NULL for constraints
    uint32_t constraint_kind; // of those without print: the kind they show, 0 for all kinds
} slv_dump;

// The table of all dumps, ended by a row without a name.
extern const slv_dump slv_dumps[];

// Is this a dump's name, or could it be that of a section (four capitals or digits)? Can be asked
// before any file is open. SLV_ERROR_ARGUMENT lists the names there are.
slv_result slv_dump_check_name(const char *name, slv_error *error);

// Prints it. SLV_ERROR_CONTENT where the pack has no such section. The output is not finished.
slv_result slv_dump_print(const slv_subject *subject, const char *name, slv_table_format format,
                          slv_output *output, slv_error *error);

#endif
