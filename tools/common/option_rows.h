// SPDX-License-Identifier: MIT
// Shared by parsing and help: the common rows and the end of a table.
#ifndef SLV_TOOLS_OPTION_ROWS_H
#define SLV_TOOLS_OPTION_ROWS_H

#include "tools/common/option.h"

#include <stddef.h>

#define SLV_COMMON_OPTION_ROWS 9 // heading and last row included

// Options of slv_common_options, and a help text that depends on the program.
typedef struct slv_common_rows {
    slv_option rows[SLV_COMMON_OPTION_ROWS];
    char threads_help[160];
} slv_common_rows;
void slv_common_option_rows(const slv_program *program, slv_common_rows *out);

static inline bool slv_option_is_last(const slv_option *row) {
    return row->name == NULL && row->type == SLV_OPTION_FLAG;
}

#endif
