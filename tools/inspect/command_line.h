// SPDX-License-Identifier: MIT
#ifndef SLV_INSPECT_COMMAND_LINE_H
#define SLV_INSPECT_COMMAND_LINE_H

#include "tools/common/options.h"
#include "tools/inspect/request.h"

// Fills the request. For --help and --version prints the text and leaves request->pack NULL.
// SLV_ERROR_ARGUMENT names invalid combinations. common receives the options of every program.
slv_result slv_command_line_read(int argc, char **argv, slv_common_options *common,
                                 slv_request *request, slv_error *error);

#endif
