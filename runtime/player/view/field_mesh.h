// SPDX-License-Identifier: MIT
// Triangles for a collider that is a signed distance field in a pack.
#ifndef SLV_PLAYER_FIELD_MESH_H
#define SLV_PLAYER_FIELD_MESH_H

#include "formats/field.h"
#include "runtime/player/view/solid_mesh.h"

// The mesh from which the field was made if the pack has it, else the zero surface of the field.
slv_solid_mesh slv_field_mesh_make(const char *pack_path);

// Adds the zero surface of samples (x fastest) by surface nets. Each cell with a sign change has a vertex at the
// mean of its edge crossings; the four cells around a crossed edge make a quad.
void slv_field_mesh_add(slv_solid_mesh *mesh, const slv_field_info *info, const float *samples);

#endif
