// SPDX-License-Identifier: MIT
// Triangles for the colliders of a scene.
#ifndef SLV_PLAYER_COLLIDER_MESH_H
#define SLV_PLAYER_COLLIDER_MESH_H

#include "runtime/include/selvage/selvage.h"
#include "runtime/player/view/solid_mesh.h"

// The shape of a collider definition, in the collider's own frame: its pose is not applied.
slv_solid_mesh slv_collider_mesh_make(const slv_collider_def *shape);

#endif
