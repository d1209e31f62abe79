// SPDX-License-Identifier: MIT
#include "tools/bake-collider/point_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool slv_point_grid_create(slv_point_grid *grid, uint32_t capacity) {
    uint32_t buckets = 64;
    while (buckets < 2 * (uint64_t)capacity && buckets < (UINT32_C(1) << 30)) {
        buckets *= 2;
    }
    *grid = (slv_point_grid){.cell = 1.0, .bucket_mask = buckets - 1, .capacity = capacity};
    grid->buckets = calloc(buckets, sizeof *grid->buckets);
    grid->next = calloc((size_t)capacity + 1, sizeof *grid->next);
    grid->cells = calloc((size_t)capacity + 1, 3 * sizeof *grid->cells);
    if (!grid->buckets || !grid->next || !grid->cells) {
        slv_point_grid_free(grid);
        return false;
    }
    return true;
}

void slv_point_grid_free(slv_point_grid *grid) {
    free(grid->buckets);
    free(grid->next);
    free(grid->cells);
    *grid = (slv_point_grid){0};
}

void slv_point_grid_clear(slv_point_grid *grid, double cell) {
    grid->cell = cell;
    memset(grid->buckets, 0, ((size_t)grid->bucket_mask + 1) * sizeof *grid->buckets);
}

// Coordinates are clamped to the range of a cell index. Clamped cells are slower and still correct.
static void cell_of(const slv_point_grid *grid, const double at[3], int32_t cell[3]) {
    for (int d = 0; d < 3; d++) {
        const double index = floor(at[d] / grid->cell);
        cell[d] = index < -1e9 ? -1000000000 : index > 1e9 ? 1000000000 : (int32_t)index;
    }
}

static uint32_t *bucket_of(const slv_point_grid *grid, const int32_t cell[3]) {
    uint32_t hash = (uint32_t)cell[0] * 73856093u ^ (uint32_t)cell[1] * 19349663u ^
                    (uint32_t)cell[2] * 83492791u;
    hash ^= hash >> 15;
    return &grid->buckets[hash & grid->bucket_mask];
}

void slv_point_grid_add(slv_point_grid *grid, uint32_t number, const double at[3]) {
    int32_t *cell = grid->cells + 3 * (size_t)number;
    cell_of(grid, at, cell);
    uint32_t *bucket = bucket_of(grid, cell);
    grid->next[number] = *bucket;
    *bucket = number + 1;
}

static bool same_cell(const int32_t *a, const int32_t *b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

uint32_t slv_point_grid_nearest(const slv_point_grid *grid, const double *positions,
                                const double at[3], double reach, double *squared) {
    uint32_t best = UINT32_MAX;
    int32_t low[3]; // lower of the two cells per axis that the search radius overlaps
    const double corner[3] = {at[0] - 0.5 * grid->cell, at[1] - 0.5 * grid->cell,
                              at[2] - 0.5 * grid->cell};
    cell_of(grid, corner, low);
    *squared = reach * reach;
    for (int n = 0; n < 8; n++) {
        const int32_t cell[3] = {low[0] + (n & 1), low[1] + (n >> 1 & 1), low[2] + (n >> 2)};
        for (uint32_t i = *bucket_of(grid, cell); i != 0; i = grid->next[i - 1]) {
            if (!same_cell(grid->cells + 3 * (size_t)(i - 1), cell)) {
                continue;
            }
            const double *p = positions + 3 * (size_t)(i - 1);
            const double x = p[0] - at[0];
            const double y = p[1] - at[1];
            const double z = p[2] - at[2];
            const double distance = x * x + y * y + z * z;
            if (distance < *squared || (distance == *squared && i - 1 < best)) {
                *squared = distance;
                best = i - 1;
            }
        }
    }
    return best;
}

// The cell of the point first: it has one in most cases.
bool slv_point_grid_has(const slv_point_grid *grid, const double *positions, const double at[3],
                        double reach) {
    int32_t own[3];
    int32_t low[3];
    const double corner[3] = {at[0] - 0.5 * grid->cell, at[1] - 0.5 * grid->cell,
                              at[2] - 0.5 * grid->cell};
    cell_of(grid, at, own);
    cell_of(grid, corner, low);
    const int first = (own[0] != low[0]) | (own[1] != low[1]) << 1 | (own[2] != low[2]) << 2;
    for (int k = 0; k < 8; k++) {
        const int n = k ^ first;
        const int32_t cell[3] = {low[0] + (n & 1), low[1] + (n >> 1 & 1), low[2] + (n >> 2)};
        for (uint32_t i = *bucket_of(grid, cell); i != 0; i = grid->next[i - 1]) {
            const double *p = positions + 3 * (size_t)(i - 1);
            const double x = p[0] - at[0];
            const double y = p[1] - at[1];
            const double z = p[2] - at[2];
            const double squared = x * x + y * y + z * z;
            if (same_cell(grid->cells + 3 * (size_t)(i - 1), cell) && squared <= reach * reach) {
                return true;
            }
        }
    }
    return false;
}

void slv_point_grid_visit(const slv_point_grid *grid, const double at[3], int rings,
                          void (*visit)(void *context, uint32_t number), void *context) {
    int32_t own[3];
    cell_of(grid, at, own);
    for (int z = -rings; z <= rings; z++) {
        for (int y = -rings; y <= rings; y++) {
            for (int x = -rings; x <= rings; x++) {
                const int32_t cell[3] = {own[0] + x, own[1] + y, own[2] + z};
                for (uint32_t i = *bucket_of(grid, cell); i != 0; i = grid->next[i - 1]) {
                    if (same_cell(grid->cells + 3 * (size_t)(i - 1), cell)) {
                        visit(context, i - 1);
                    }
                }
            }
        }
    }
}
