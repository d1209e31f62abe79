// SPDX-License-Identifier: MIT
// The surface of a posed character as the raw content of a mesh file.
#ifndef SLV_TOOLS_CHARACTER_MESH_H
#define SLV_TOOLS_CHARACTER_MESH_H

#include "tools/common/character.h"
#include "tools/common/raw_mesh.h"

#include <stdbool.h>

// Positions are in units and axes of the file, one for each vertex of the character, in its order. Each node with a mesh
// is a group. clip_start: the pose at the start of the first clip where there is one; otherwise the pose of the file
// without a clip. The texture moves from the character to raw, which must be empty.
slv_result slv_character_mesh(slv_character *character, bool clip_start, slv_raw_mesh *raw,
                              slv_error *error);

#endif
