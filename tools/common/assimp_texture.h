// SPDX-License-Identifier: MIT
#ifndef SLV_TOOLS_ASSIMP_TEXTURE_H
#define SLV_TOOLS_ASSIMP_TEXTURE_H

#include "tools/common/assimp_files.h"
#include "tools/common/raw_mesh.h"

struct aiScene;

// The base-color texture of the scene's meshes, inside the file or beside it, into raw->texture; or a note.
// Fails without memory only.
slv_result slv_assimp_find_texture(const struct aiScene *scene, const char *path,
                                   slv_assimp_files *files, slv_raw_mesh *raw, slv_error *error);

#endif
