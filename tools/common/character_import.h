// SPDX-License-Identifier: MIT
// Reading untrusted character files, in a child process with limits. glTF is read by our own reader,
// everything else by Assimp.
#ifndef SLV_TOOLS_CHARACTER_IMPORT_H
#define SLV_TOOLS_CHARACTER_IMPORT_H

#include "tools/common/character.h"
#include "tools/common/mesh_import.h"

// Forks; call it while the process has one thread. On success the character is sound (see character.h)
// and has at least one triangle; files (may be NULL) lists what was read. The message does not name
// the file.
slv_result slv_character_import(const char *path, slv_character *character, slv_file_list *files,
                                slv_error *error);

#endif
