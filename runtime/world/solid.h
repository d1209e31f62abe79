// SPDX-License-Identifier: MIT
// The inside of a character, which has only particles on its surface: what a flood through a grid of cells cannot
// reach from outside. Each particle covers a ball of `reach` metres, and together they cover the surface
// (slv_clip_report.coverage). Parts that are not thicker than two such balls and some cells have no inside; neither
// has a surface with a hole that is larger than a cell.
#ifndef SLV_RUNTIME_WORLD_SOLID_H
#define SLV_RUNTIME_WORLD_SOLID_H

#include "runtime/base/memory.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct slv_solid {
    slv_memory memory;
    const float *points; // [count][3], metres
    uint32_t count;
    float reach; // metres
    float low[3], cell;
    int32_t cells[3];
    uint8_t *kinds;    // of the cells, x fastest
    float *normals;    // [count][3], outwards; zeros where there is no inside near the point
    uint8_t *is_found; // [count]: its normal is
} slv_solid;

// The points must outlive it. false: out of memory.
bool slv_solid_make(slv_solid *solid, const float *points, uint32_t count, float reach,
                    slv_allocator allocator);
void slv_solid_free(slv_solid *solid);

// A way out of it: from a point of the surface along its normal.
typedef struct slv_solid_exit {
    uint32_t point;
    float normal[3];
    double depth; // metres behind the surface there
} slv_solid_exit;

// Whether a position is behind the surface by more than `margin` metres, and the exit that is nearest to it.
bool slv_solid_find_exit(slv_solid *solid, const float position[3], double margin,
                         slv_solid_exit *found);

#endif
