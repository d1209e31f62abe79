// SPDX-License-Identifier: MIT
// Assimp's door to the file system: every file it reads is noted and hashed, only regular files are
// opened, none is written.
#ifndef SLV_TOOLS_ASSIMP_FILES_H
#define SLV_TOOLS_ASSIMP_FILES_H

#include "tools/common/mesh_import.h"

#include <assimp/cfileio.h>
#include <stdint.h>

typedef struct slv_assimp_files slv_assimp_files;

slv_assimp_files *slv_assimp_files_create(void); // NULL: out of memory
void slv_assimp_files_destroy(slv_assimp_files *files);

// To hand to aiImportFileEx; lives as long as files.
struct aiFileIO *slv_assimp_files_io(slv_assimp_files *files);

// The files of which at least a byte was read, in the order of first reading, each once; and the
// XXH3-64 of all their bytes in that order. The list is the caller's to free. False: out of memory.
bool slv_assimp_files_report(slv_assimp_files *files, slv_file_list *list, uint64_t *hash);

#endif
