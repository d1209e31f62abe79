// SPDX-License-Identifier: MIT
#ifndef SLV_INSPECT_COMMAND_LINE_H
#define SLV_INSPECT_COMMAND_LINE_H

#include "tools/common/options.h"
#include "tools/inspect/request.h"

// Fills the request. Where --help or --version was given, prints that and leaves request->pack NULL.
// SLV_ERROR_ARGUMENT says what makes no sense. common has what every program has.
slv_result slv_command_line_read(int argc, char **argv, slv_common_options *common,
                                 slv_request *request, slv_error *error);

#endif
