// SPDX-License-Identifier: MIT
// Mesh formats without a reader of our own, by Assimp in a child process.
#ifndef SLV_TOOLS_ASSIMP_IMPORT_H
#define SLV_TOOLS_ASSIMP_IMPORT_H

#include "formats/result.h"
#include "tools/common/file_list.h"
#include "tools/common/raw_mesh.h"

// Forks; call it while the process has one thread. On success every index in raw is in range, files
// (may be NULL) lists what Assimp read, in order, and *hash is the XXH3-64 of the bytes.
// allow_paths: the file may name files outside of its folder.
slv_result slv_assimp_import(const char *path, bool allow_paths, slv_raw_mesh *raw,
                             slv_file_list *files, uint64_t *hash, slv_error *error);

#endif
