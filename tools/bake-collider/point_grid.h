// SPDX-License-Identifier: MIT
// Spatial hash of points with cubic cells; only occupied cells need memory.
#ifndef SLV_BAKE_POINT_GRID_H
#define SLV_BAKE_POINT_GRID_H

#include <stdbool.h>
#include <stdint.h>

typedef struct slv_point_grid {
    double cell;          // metres
    uint32_t *buckets;    // number of the first point plus one; 0 = empty
    uint32_t bucket_mask; // number of buckets, a power of two, minus one
    uint32_t *next;       // [capacity] number of the next point of the bucket plus one; 0 = end
    int32_t *cells;       // [capacity][3]
    uint32_t capacity;
} slv_point_grid;

// Point numbers are below capacity. False: out of memory.
bool slv_point_grid_create(slv_point_grid *grid, uint32_t capacity);
void slv_point_grid_free(slv_point_grid *grid); // zeroes it
void slv_point_grid_clear(slv_point_grid *grid, double cell);

void slv_point_grid_add(slv_point_grid *grid, uint32_t number, const double at[3]);

// The nearest added point within `reach`, at most half a cell; UINT32_MAX where there is none.
// positions[number][3] are those of the points. *squared is the squared distance.
uint32_t slv_point_grid_nearest(const slv_point_grid *grid, const double *positions,
                                const double at[3], double reach, double *squared);

// Whether there is an added point within `reach`, at most half a cell.
bool slv_point_grid_has(const slv_point_grid *grid, const double *positions, const double at[3],
                        double reach);

// Calls visit for every point in cells at most `rings` cells away.
void slv_point_grid_visit(const slv_point_grid *grid, const double at[3], int rings,
                          void (*visit)(void *context, uint32_t number), void *context);

#endif
