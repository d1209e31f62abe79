// SPDX-License-Identifier: MIT
// Shared by parsing and help: the common rows and the end of a table.
#ifndef SLV_TOOLS_OPTIONS_INTERNAL_H
#define SLV_TOOLS_OPTIONS_INTERNAL_H

#include "tools/common/options.h"

#define SLV_COMMON_OPTION_ROWS 9 // heading and last row included

// Fills rows with the options of slv_common_options.
void slv_common_option_rows(slv_common_options *common, slv_option rows[SLV_COMMON_OPTION_ROWS]);

static inline bool slv_option_is_last(const slv_option *row) {
    return row->name == NULL && row->type == SLV_OPTION_FLAG;
}

#endif
