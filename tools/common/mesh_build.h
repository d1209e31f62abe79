// SPDX-License-Identifier: MIT
// Builds a mesh with the guarantees of mesh.h from the raw content of a file.
#ifndef SLV_TOOLS_MESH_BUILD_H
#define SLV_TOOLS_MESH_BUILD_H

#include "tools/common/import_space.h"
#include "tools/common/mesh.h"
#include "tools/common/raw_mesh.h"

// Scales, converts to y up, welds, triangulates, drops degenerate and unused elements, computes
// missing normals unless undrawn. Every index in raw must be in range; everything else is checked here. input_hash
// is set by the caller.
slv_result slv_mesh_build(const slv_raw_mesh *raw, const slv_import_space *space, bool undrawn,
                          slv_mesh *mesh, slv_error *error);

#endif
