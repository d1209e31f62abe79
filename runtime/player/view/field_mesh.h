// SPDX-License-Identifier: MIT
// Triangles for a collider that is a signed distance field in a pack.
#ifndef SLV_PLAYER_FIELD_MESH_H
#define SLV_PLAYER_FIELD_MESH_H

#include "formats/field.h"
#include "runtime/player/view/solid_mesh.h"

// The mesh that the field was made from, where the pack has it; otherwise the surface of the field.
slv_solid_mesh slv_field_mesh_make(const char *pack_path);

// Where samples (x fastest) change their sign, by surface nets: a vertex in every cell that the surface
// passes through, in the middle of where it cuts the cell's edges, and four cells round a cut edge
// make a face.
void slv_field_mesh_add(slv_solid_mesh *mesh, const slv_field_info *info, const float *samples);

#endif
