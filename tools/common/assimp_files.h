// SPDX-License-Identifier: MIT
// The file system as Assimp sees it: every file that it reads is recorded and hashed, only regular files are
// opened, none is written. Names that do not exist are tried percent-decoded: glTF names files by URIs.
// Files are mapped, so this is for child processes (see input_file.h).
#ifndef SLV_TOOLS_ASSIMP_FILES_H
#define SLV_TOOLS_ASSIMP_FILES_H

#include "tools/common/input_file.h"
#include "tools/common/mesh_import.h"

#include <assimp/cfileio.h>
#include <stdint.h>

typedef struct slv_assimp_files slv_assimp_files;

slv_assimp_files *slv_assimp_files_create(void); // NULL: out of memory
void slv_assimp_files_destroy(slv_assimp_files *files);

// To hand to aiImportFileEx; lives as long as files.
struct aiFileIO *slv_assimp_files_io(slv_assimp_files *files);

// The bytes of a file, noted like those that Assimp reads; NULL where it cannot be read.
const slv_input_file *slv_assimp_files_load(slv_assimp_files *files, const char *path);

// Why a file could not be read, which Assimp takes for an empty one; SLV_OK where none was.
slv_result slv_assimp_files_error(const slv_assimp_files *files, slv_error *error);

// The files of which at least a byte was read, in the order of first reading, each once; and the
// XXH3-64 of all their bytes in that order. The list is the caller's to free. Fails where one of them
// could not be read.
slv_result slv_assimp_files_report(slv_assimp_files *files, slv_file_list *list, uint64_t *hash,
                                   slv_error *error);

#endif
