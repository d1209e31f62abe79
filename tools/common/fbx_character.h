// SPDX-License-Identifier: MIT
// The content of an FBX file as a character.
#ifndef SLV_TOOLS_FBX_CHARACTER_H
#define SLV_TOOLS_FBX_CHARACTER_H

#include "tools/common/assimp_files.h"
#include "tools/common/character_build.h"
#include "tools/common/fbx_scene.h"

// Nodes with their pivots, unit and axes, meshes with skins and blend shapes at their static weights, and all clips. What would
// be placed wrongly is refused with the reason; a clip that cannot be evaluated is marked as refused.
slv_result slv_fbx_character(const slv_fbx_scene *scene, slv_character_build *build,
                             slv_error *error);

// The base color texture of the materials, or a note why there is none. Fails only where memory is short.
slv_result slv_fbx_find_texture(const slv_fbx_scene *scene, const char *path,
                                slv_assimp_files *files, slv_mesh_texture *texture,
                                slv_error *error);

#endif
