// SPDX-License-Identifier: MIT
// Converts a glTF file to a character.
#ifndef SLV_TOOLS_GLTF_CHARACTER_H
#define SLV_TOOLS_GLTF_CHARACTER_H

#include "tools/common/character_build.h"
#include "tools/common/gltf_file.h"

// The nodes and meshes of the default scene in depth-first order, skins with any number of
// influences, morph targets, and all clips.
slv_result slv_gltf_character(const slv_gltf *gltf, slv_character_build *build, slv_error *error);

// Adds the clips only; number_of[node of the file] is its number in the character, or SLV_NO_NODE.
slv_result slv_gltf_clips(const slv_gltf *gltf, const uint32_t *number_of,
                          slv_character_build *build, slv_error *error);

// Texture coordinates and material of a primitive, with build->shaded also normals and colors, for the last part.
slv_result slv_gltf_add_attributes(const slv_gltf *gltf, const cJSON *primitive,
                                   slv_character_build *build, slv_error *error);

// The texture info of a material's base color; NULL where it has none.
const cJSON *slv_gltf_base_color(const cJSON *material);

// The base color texture of the meshes, or a note why there is none. Fails only where memory is short.
slv_result slv_gltf_find_texture(const slv_gltf *gltf, const char *path, slv_assimp_files *files,
                                 slv_mesh_texture *texture, slv_error *error);

#endif
