// SPDX-License-Identifier: MIT
// Reads untrusted character files in a child process with limits. glTF has a reader of our own;
// Assimp reads the other formats.
#ifndef SLV_TOOLS_CHARACTER_IMPORT_H
#define SLV_TOOLS_CHARACTER_IMPORT_H

#include "tools/common/character.h"
#include "tools/common/mesh_import.h"

// Forks; call it while the process has one thread. On success the character passes
// slv_character_check and has at least one triangle; files (may be NULL) lists what was read. The
// message does not contain the file name.
// allow_paths: the file may name files outside of its folder.
slv_result slv_character_import(const char *path, bool allow_paths, slv_character *character,
                                slv_file_list *files, slv_error *error);

#endif
