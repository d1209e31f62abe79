// SPDX-License-Identifier: MIT
// Reads untrusted files of meshes and characters in a child process with limits: a crash of the importer becomes an error
// message. glTF has a reader of our own; Assimp reads the other formats but OBJ (see mesh_import.h).
#ifndef SLV_TOOLS_CHARACTER_IMPORT_H
#define SLV_TOOLS_CHARACTER_IMPORT_H

#include "tools/common/character.h"
#include "tools/common/file_list.h"
#include "tools/common/import_options.h"

// Forks; call it while the process has one thread. On success the character passes
// slv_character_check and has at least one triangle; files (may be NULL) lists what was read. The
// message does not contain the file name.
// Values stay in units and axes of the file; character->space says which those are, before options override them.
// Triangles of mirrored parts are turned round. Without options->undrawn the character has normals, colors and a texture.
slv_result slv_character_import(const char *path, const slv_import_options *options,
                                slv_character *character, slv_file_list *files, slv_error *error);

#endif
