// SPDX-License-Identifier: MIT
// How much memory a lattice and the garment on it will take, known before it is allocated; and which
// spacing would fit. Counts what grows with the grid, not the mesh itself.
#ifndef SLV_VOXELIZE_MEMORY_PLAN_H
#define SLV_VOXELIZE_MEMORY_PLAN_H

#include "formats/result.h"
#include "tools/common/mesh.h"

#include <stdbool.h>

#define SLV_SPACING_MAX 1e6 // metres, the widest that may be asked for

typedef struct slv_memory_plan {
    double min[3], max[3]; // bounds of the mesh, metres
    uint32_t padding;      // cells
    double volume;         // m³ that particles fill: as many as fit, one a cell
    double area;           // m² that particles cover, one a square of the spacing
    bool text, coded;      // distances will be written as text, into the pack
    unsigned threads;
    uint64_t limit; // MiB
} slv_memory_plan;

// What the mesh encloses (m³; 0 where its triangles face one way more than the other, so that it is
// evidently open) and the area of its triangles (m²).
void slv_measure_mesh(const slv_mesh *mesh, double *volume, double *area);

// Bytes at a spacing, however fine.
double slv_memory_needed(const slv_memory_plan *plan, double spacing);

// SLV_ERROR_ARGUMENT, naming the need and a spacing that fits (if one does), where the limit would be exceeded or the
// lattice would have 2^32 samples or more.
slv_result slv_memory_check(const slv_memory_plan *plan, double spacing, slv_error *error);

// value > 0 with three significant digits: up, not below it; else not above.
double slv_round_digits(double value, bool up);

#endif
