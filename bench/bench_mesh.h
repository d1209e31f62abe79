// SPDX-License-Identifier: MIT
// A generated mesh for benchmarks: closed, smooth, with any number of triangles, the same on every machine.
#ifndef SLV_BENCH_MESH_H
#define SLV_BENCH_MESH_H

#include "tools/common/mesh.h"

// 12 * divisions^2 triangles, about 1.28 x 1.26 x 1.00 metres. Free it with slv_mesh_free.
slv_result slv_bench_mesh_create(uint32_t divisions, slv_mesh *mesh, slv_error *error);

enum { SLV_BENCH_DIVISIONS = 76 }; // 69,312 triangles

// Positions and triangles as an OBJ file.
slv_result slv_bench_mesh_write_obj(const slv_mesh *mesh, const char *path, slv_error *error);

#endif
