// SPDX-License-Identifier: MIT
// Computes missing vertex normals.
#ifndef SLV_TOOLS_MESH_NORMALS_H
#define SLV_TOOLS_MESH_NORMALS_H

#include "tools/common/mesh.h"

#include <stdbool.h>

// Gives every vertex with a zero normal the mean of the triangle normals around its point, weighted
// by angle. Points, vertices and triangles must be complete. False: out of memory.
bool slv_mesh_fill_normals(slv_mesh *mesh);

#endif
