// SPDX-License-Identifier: MIT
// From Assimp's scene to one flat mesh.
#ifndef SLV_TOOLS_ASSIMP_SCENE_H
#define SLV_TOOLS_ASSIMP_SCENE_H

#include "formats/result.h"
#include "tools/common/raw_mesh.h"

#include <assimp/scene.h>

// Every mesh of every node, placed by the node's transform, in the order of a walk through the tree;
// y up, metres where the file says what its unit is. Skinned meshes lie in their bind pose, morphed
// ones in their base shape. Points and lines are left out. raw must be empty.
slv_result slv_assimp_flatten(const struct aiScene *scene, slv_raw_mesh *raw, slv_error *error);

#endif
