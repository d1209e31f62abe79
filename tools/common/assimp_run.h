// SPDX-License-Identifier: MIT
// What every use of Assimp shares: limits for the child it runs in, and what to say when it fails.
#ifndef SLV_TOOLS_ASSIMP_RUN_H
#define SLV_TOOLS_ASSIMP_RUN_H

#include "formats/result.h"
#include "tools/common/child_process.h"

slv_child_limits slv_assimp_limits(const char *path);

// SLV_ERROR_CONTENT for a name without an importer and for files that would take it unbounded time. Maps
// the file, so this is for the child.
slv_result slv_assimp_check_file(const char *path, slv_error *error);

// Fails with Assimp's own reason, on one line.
slv_result slv_assimp_explain(slv_error *error);

#endif
