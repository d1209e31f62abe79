// SPDX-License-Identifier: MIT
// Converts a scene of Assimp to a character.
#ifndef SLV_TOOLS_ASSIMP_CHARACTER_H
#define SLV_TOOLS_ASSIMP_CHARACTER_H

#include "tools/common/character_build.h"

#include <assimp/scene.h>

slv_result slv_assimp_character(const struct aiScene *scene, slv_character_build *build,
                                slv_error *error);

// Adds the clips only; nodes of the scene by their number in the character.
slv_result slv_assimp_clips(const struct aiScene *scene, const struct aiNode *const *nodes,
                            slv_character_build *build, slv_error *error);

// The node of that name; SLV_NO_NODE where there is none.
uint32_t slv_assimp_find_node(const struct aiNode *const *nodes, uint32_t count, const char *name);

#endif
