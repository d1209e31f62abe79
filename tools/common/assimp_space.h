// SPDX-License-Identifier: MIT
// Unit, axes and properties of nodes in a scene of Assimp.
#ifndef SLV_TOOLS_ASSIMP_SPACE_H
#define SLV_TOOLS_ASSIMP_SPACE_H

#include "tools/common/affine.h"
#include "tools/common/import_space.h"

#include <assimp/scene.h>
#include <stdbool.h>

slv_affine slv_from_assimp(const struct aiMatrix4x4 *m);

bool slv_assimp_is_fbx(const struct aiScene *scene);

// What the file says of its unit and axes. True where the transform of the root node only repeats that and must be
// ignored; false where it belongs to the scene.
bool slv_assimp_space(const struct aiScene *scene, slv_import_space *space);

// A number under a key of metadata; `otherwise` where there is none.
double slv_assimp_number(const struct aiMetadata *data, const char *key, double otherwise);

// FBX: Show is false or Visibility is 0.
bool slv_assimp_is_hidden(const struct aiNode *node);

#endif
