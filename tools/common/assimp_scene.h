// SPDX-License-Identifier: MIT
// Converts a scene of Assimp to one flat mesh.
#ifndef SLV_TOOLS_ASSIMP_SCENE_H
#define SLV_TOOLS_ASSIMP_SCENE_H

#include "formats/result.h"
#include "tools/common/raw_mesh.h"

#include <assimp/scene.h>

// Every mesh of every node, transformed by the node, in depth-first order; y up, in metres where
// the file defines its unit. Skinned meshes are in bind pose, morphed ones in their base shape.
// Points and lines are ignored. raw must be empty.
slv_result slv_assimp_flatten(const struct aiScene *scene, slv_raw_mesh *raw, slv_error *error);

#endif
