// SPDX-License-Identifier: MIT
// Unit and axes of a scene of Assimp.
#ifndef SLV_TOOLS_ASSIMP_SPACE_H
#define SLV_TOOLS_ASSIMP_SPACE_H

#include "tools/common/affine.h"
#include "tools/common/import_space.h"

#include <assimp/scene.h>
#include <stdbool.h>

slv_affine slv_from_assimp(const struct aiMatrix4x4 *m);

// What the file says of its unit and axes. True where the transform of the root node only repeats that and must be
// ignored; false where it belongs to the scene.
bool slv_assimp_space(const struct aiScene *scene, slv_import_space *space);

#endif
