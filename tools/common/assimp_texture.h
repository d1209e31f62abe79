// SPDX-License-Identifier: MIT
#ifndef SLV_TOOLS_ASSIMP_TEXTURE_H
#define SLV_TOOLS_ASSIMP_TEXTURE_H

#include "tools/common/assimp_files.h"
#include "tools/common/mesh_texture.h"

struct aiScene;

// Finds the base color texture of the meshes, embedded or in a file, and stores it in *texture;
// otherwise stores a note. Fails only where memory is short.
slv_result slv_assimp_find_texture(const struct aiScene *scene, const char *path,
                                   slv_assimp_files *files, slv_mesh_texture *texture,
                                   slv_error *error);

// Takes a texture that a file names: relative to its folder, or directly in it, for paths from other machines. A note where there
// is none; false where memory is short.
bool slv_texture_take_beside(const char *path, const char *name, slv_assimp_files *files,
                             slv_mesh_texture *texture);

#endif
