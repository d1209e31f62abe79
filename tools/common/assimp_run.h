// SPDX-License-Identifier: MIT
// Shared by all uses of Assimp: limits of the child process and error messages.
#ifndef SLV_TOOLS_ASSIMP_RUN_H
#define SLV_TOOLS_ASSIMP_RUN_H

#include "formats/result.h"
#include "tools/common/assimp_files.h"
#include "tools/common/child_process.h"

#include <stdbool.h>

// Of the child that reads the file; allow_paths: and all files that it names.
slv_child_limits slv_assimp_limits(const char *path, bool allow_paths);

// SLV_ERROR_CONTENT for names without an importer and for files that would need unbounded time.
// Maps the file; call it in the child.
slv_result slv_assimp_check_file(const char *path, slv_error *error);

// Where C++ code has no memory left, the child ends: Assimp would report a damaged file, or hide it.
void slv_assimp_watch_memory(void);

// Why the import failed: a file that could not be opened, or the error text of Assimp on one line.
slv_result slv_assimp_explain(const slv_assimp_files *files, slv_error *error);

#endif
