// SPDX-License-Identifier: MIT
// Normals for vertices that have none.
#ifndef SLV_TOOLS_MESH_NORMALS_H
#define SLV_TOOLS_MESH_NORMALS_H

#include "tools/common/mesh.h"

#include <stdbool.h>

// Gives every vertex whose normal is zero the mean of the normals of the triangles around its point,
// each weighted by its angle there. Points, vertices and triangles must be complete. False: no memory.
bool slv_mesh_fill_normals(slv_mesh *mesh);

#endif
