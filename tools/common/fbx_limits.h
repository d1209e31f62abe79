// SPDX-License-Identifier: MIT
// What Assimp reads from FBX files without a word, and wrong: such files are refused.
#ifndef SLV_TOOLS_FBX_LIMITS_H
#define SLV_TOOLS_FBX_LIMITS_H

#include "formats/result.h"
#include "tools/common/character.h"

#include <assimp/scene.h>

// Skins that are not blended linearly. SLV_OK for files of other formats.
slv_result slv_fbx_check_limits(const void *bytes, size_t size, slv_error *error);

// Nodes that do not inherit the scale of their parents as all others do (segment scale compensation), where a parent has
// a scale: refused at rest, and marked in the clips that have such a scale. nodes: of the scene, by their number in the character.
slv_result slv_fbx_check_inheritance(slv_character *character, const struct aiNode *const *nodes,
                                     slv_error *error);

#endif
