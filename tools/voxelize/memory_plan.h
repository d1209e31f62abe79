// SPDX-License-Identifier: MIT
// Memory of a lattice and its garment, estimated before allocation, and a spacing that fits. Counts
// what grows with the grid, not the mesh itself.
#ifndef SLV_VOXELIZE_MEMORY_PLAN_H
#define SLV_VOXELIZE_MEMORY_PLAN_H

#include "formats/result.h"
#include "tools/common/mesh.h"

#include <stdbool.h>

#define SLV_SPACING_MAX 1e6 // metres, the widest that may be asked for

typedef struct slv_memory_plan {
    double min[3], max[3]; // bounds of the mesh, metres
    uint32_t padding;      // cells
    double volume;         // m³ filled by particles, one per cell
    double area;           // m² covered by particles, one per square of the spacing
    bool text, coded;      // distances are written as text, into the pack
    unsigned threads;
    uint64_t limit; // MiB
} slv_memory_plan;

// Enclosed volume (m³) and area of the triangles (m²). The volume is 0 where the area vectors do
// not cancel, which means that the mesh is open.
void slv_measure_mesh(const slv_mesh *mesh, double *volume, double *area);

// Bytes at a spacing; valid for any spacing > 0.
double slv_memory_needed(const slv_memory_plan *plan, double spacing);

// SLV_ERROR_ARGUMENT where the limit would be exceeded or the lattice would have 2^32 samples or
// more. The message gives the need and a spacing that fits, if there is one.
slv_result slv_memory_check(const slv_memory_plan *plan, double spacing, slv_error *error);

// Rounds value > 0 to three significant digits: up or down.
double slv_round_digits(double value, bool up);

#endif
