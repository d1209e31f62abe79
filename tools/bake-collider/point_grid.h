// SPDX-License-Identifier: MIT
// Points in space by cells of a cube grid, of which only those that hold points take memory.
#ifndef SLV_BAKE_POINT_GRID_H
#define SLV_BAKE_POINT_GRID_H

#include <stdbool.h>
#include <stdint.h>

typedef struct slv_point_grid {
    double cell;          // metres
    uint32_t *buckets;    // one more than the first point's number, 0 = empty
    uint32_t bucket_mask; // their number, a power of two, less one
    uint32_t *next;       // [capacity] likewise, of the following point in a bucket
    int32_t *cells;       // [capacity][3]
    uint32_t capacity;
} slv_point_grid;

// For points of numbers below capacity. False: no memory.
bool slv_point_grid_create(slv_point_grid *grid, uint32_t capacity);
void slv_point_grid_free(slv_point_grid *grid); // zeroes it
void slv_point_grid_clear(slv_point_grid *grid, double cell);

void slv_point_grid_add(slv_point_grid *grid, uint32_t number, const double at[3]);

// The nearest of the added points, whose places stand in places[number][3], within `reach`, which is at
// most half a cell; UINT32_MAX where there is none. *squared is its distance squared.
uint32_t slv_point_grid_nearest(const slv_point_grid *grid, const double *places,
                                const double at[3], double reach, double *squared);

// Calls visit for every point in cells up to `rings` away.
void slv_point_grid_visit(const slv_point_grid *grid, const double at[3], int rings,
                          void (*visit)(void *context, uint32_t number), void *context);

#endif
