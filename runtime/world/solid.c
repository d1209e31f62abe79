// SPDX-License-Identifier: MIT
#include "runtime/world/solid.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { UNKNOWN = 0, SHELL = 1, OUTSIDE = 2 }; // kinds of a cell; what stays unknown is inside
enum { BORDER = 2 };                          // cells around the balls on each side

static const double finest = 1.0 / 3.0;   // width of a cell, in reaches
static const double most_cells = 1 << 23; // of the grid; larger characters have wider cells
static const double wider = 1.25;         // from a width of cells that are too many to the next
static const double normal_cells = 3.0;   // a normal is found from cells so far behind the ball

// --- The grid ---------------------------------------------------------------------------------------

static void bound(const slv_solid *solid, double low[3], double high[3]) {
    for (int d = 0; d < 3; d++) {
        low[d] = DBL_MAX;
        high[d] = -DBL_MAX;
    }
    for (uint32_t i = 0; i < solid->count; i++) {
        for (int d = 0; d < 3; d++) {
            const double at = (double)solid->points[3 * (size_t)i + (size_t)d];
            low[d] = at < low[d] ? at : low[d]; // GCC 12 for AArch64 fails on a reduction by fmin
            high[d] = at > high[d] ? at : high[d];
        }
    }
}

// Cells as wide as they must be for the grid to have few enough; false where it cannot.
static bool lay_grid(slv_solid *solid) {
    double low[3];
    double high[3];
    double cell = finest * (double)solid->reach;
    bound(solid, low, high);
    for (int round = 0; round < 64; round++) {
        double cells = 1.0;
        for (int d = 0; d < 3; d++) {
            const double margin = (double)solid->reach + BORDER * cell;
            const double count = ceil((high[d] - low[d] + 2.0 * margin) / cell) + 1.0;
            solid->low[d] = (float)(low[d] - margin);
            solid->cells[d] = (int32_t)fmin(count, most_cells);
            cells *= count;
        }
        solid->cell = (float)cell;
        if (cells <= most_cells) {
            return true;
        }
        cell *= wider;
    }
    return false;
}

static size_t cell_at(const slv_solid *solid, int32_t x, int32_t y, int32_t z) {
    return (size_t)x + (size_t)solid->cells[0] * ((size_t)y + (size_t)solid->cells[1] * (size_t)z);
}

// The cells within `radius` of a point along each axis, within the grid.
typedef struct slv_cell_box {
    int32_t low[3], end[3];
} slv_cell_box;

static slv_cell_box cells_around(const slv_solid *solid, const float point[3], double radius) {
    slv_cell_box box;
    for (int d = 0; d < 3; d++) {
        const double at = (double)point[d] - (double)solid->low[d];
        const double low = floor((at - radius) / (double)solid->cell);
        const double end = ceil((at + radius) / (double)solid->cell) + 1.0;
        box.low[d] = low > 0.0 ? (int32_t)fmin(low, solid->cells[d]) : 0;
        box.end[d] = end < solid->cells[d] ? (int32_t)fmax(end, 0.0) : solid->cells[d];
    }
    return box;
}

// From a point to the center of a cell, metres.
static double offset_to(const slv_solid *solid, const float point[3], const int32_t cell[3],
                        double offset[3]) {
    for (int d = 0; d < 3; d++) {
        offset[d] =
            (double)solid->low[d] + (cell[d] + 0.5) * (double)solid->cell - (double)point[d];
    }
    return sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
}

// A path from cell to cell that crosses the surface passes a center within half a cell of it, so the shell is closed.
static void mark_shell(slv_solid *solid) {
    const double radius = (double)solid->reach + 0.51 * (double)solid->cell;
    for (uint32_t i = 0; i < solid->count; i++) {
        const float *point = solid->points + 3 * (size_t)i;
        const slv_cell_box box = cells_around(solid, point, radius);
        int32_t at[3];
        double offset[3];
        for (at[2] = box.low[2]; at[2] < box.end[2]; at[2]++) {
            for (at[1] = box.low[1]; at[1] < box.end[1]; at[1]++) {
                for (at[0] = box.low[0]; at[0] < box.end[0]; at[0]++) {
                    if (offset_to(solid, point, at, offset) <= radius) {
                        solid->kinds[cell_at(solid, at[0], at[1], at[2])] = SHELL;
                    }
                }
            }
        }
    }
}

// Marks the cells of a row of x that lie beside marked ones; true where it marked any.
static bool flood_row(slv_solid *solid, int32_t y, int32_t z) {
    const int32_t width = solid->cells[0];
    uint8_t *row = solid->kinds + cell_at(solid, 0, y, z);
    const ptrdiff_t up = width;
    const ptrdiff_t far = (ptrdiff_t)width * solid->cells[1];
    bool any = false;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t n = 0; n < width; n++) {
            const int32_t x = pass ? width - 1 - n : n;
            if (row[x] == UNKNOWN &&
                ((x > 0 && row[x - 1] == OUTSIDE) || (x + 1 < width && row[x + 1] == OUTSIDE) ||
                 (y > 0 && row[x - up] == OUTSIDE) ||
                 (y + 1 < solid->cells[1] && row[x + up] == OUTSIDE) ||
                 (z > 0 && row[x - far] == OUTSIDE) ||
                 (z + 1 < solid->cells[2] && row[x + far] == OUTSIDE))) {
                row[x] = OUTSIDE;
                any = true;
            }
        }
    }
    return any;
}

// Sweeps to and fro until nothing changes: few rounds, for any but a labyrinth.
static void flood(slv_solid *solid) {
    solid->kinds[0] = OUTSIDE;
    bool any = true;
    for (bool back = false; any; back = !back) {
        any = false;
        for (int32_t k = 0; k < solid->cells[2]; k++) {
            for (int32_t j = 0; j < solid->cells[1]; j++) {
                const int32_t z = back ? solid->cells[2] - 1 - k : k;
                const int32_t y = back ? solid->cells[1] - 1 - j : j;
                any = flood_row(solid, y, z) || any;
            }
        }
    }
}

bool slv_solid_make(slv_solid *solid, const float *points, uint32_t count, float reach,
                    slv_allocator allocator) {
    *solid = (slv_solid){
        .memory = {.allocator = allocator}, .points = points, .count = count, .reach = reach};
    if (count == 0 || !(reach > 0.0f) || !lay_grid(solid)) {
        solid->count = 0;
        return true;
    }
    const size_t cells =
        (size_t)solid->cells[0] * (size_t)solid->cells[1] * (size_t)solid->cells[2];
    solid->kinds = slv_memory_take(&solid->memory, cells, sizeof *solid->kinds);
    solid->normals = slv_memory_take(&solid->memory, 3 * (size_t)count, sizeof *solid->normals);
    solid->is_found = slv_memory_take(&solid->memory, count, sizeof *solid->is_found);
    if (!solid->kinds || !solid->normals || !solid->is_found) {
        slv_solid_free(solid);
        return false;
    }
    mark_shell(solid);
    flood(solid);
    return true;
}

void slv_solid_free(slv_solid *solid) {
    slv_memory_release(&solid->memory);
    *solid = (slv_solid){.memory = solid->memory};
}

// --- Normals ----------------------------------------------------------------------------------------

// From the cells inside to those outside around a point.
static void find_normal(slv_solid *solid, uint32_t number) {
    const float *point = solid->points + 3 * (size_t)number;
    const double radius = (double)solid->reach + normal_cells * (double)solid->cell;
    const slv_cell_box box = cells_around(solid, point, radius);
    double sum[3] = {0.0, 0.0, 0.0};
    bool inside = false;
    bool outside = false;
    int32_t at[3];
    for (at[2] = box.low[2]; at[2] < box.end[2]; at[2]++) {
        for (at[1] = box.low[1]; at[1] < box.end[1]; at[1]++) {
            for (at[0] = box.low[0]; at[0] < box.end[0]; at[0]++) {
                double offset[3];
                const int kind = solid->kinds[cell_at(solid, at[0], at[1], at[2])];
                const double length = offset_to(solid, point, at, offset);
                if (kind == SHELL || length > radius || !(length > 0.0)) {
                    continue;
                }
                inside = inside || kind == UNKNOWN;
                outside = outside || kind == OUTSIDE;
                for (int d = 0; d < 3; d++) {
                    sum[d] += (kind == OUTSIDE ? 1.0 : -1.0) * offset[d] / length;
                }
            }
        }
    }
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (size_t d = 0; d < 3 && inside && outside && length > 0.0; d++) {
        solid->normals[3 * (size_t)number + d] = (float)(sum[d] / length);
    }
    solid->is_found[number] = 1;
}

static const float *normal_of(slv_solid *solid, uint32_t number) {
    const float *normal = solid->normals + 3 * (size_t)number;
    if (!solid->is_found[number]) {
        find_normal(solid, number);
    }
    return normal[0] != 0.0f || normal[1] != 0.0f || normal[2] != 0.0f ? normal : NULL;
}

// --- Ways out ---------------------------------------------------------------------------------------

// The kind of the cell of a position; OUTSIDE beyond the grid.
static int kind_at(const slv_solid *solid, const float position[3]) {
    int32_t cell[3];
    for (int d = 0; d < 3; d++) {
        const double at = ((double)position[d] - (double)solid->low[d]) / (double)solid->cell;
        if (!(at >= 0.0 && at < solid->cells[d])) {
            return OUTSIDE;
        }
        cell[d] = (int32_t)at;
    }
    return solid->kinds[cell_at(solid, cell[0], cell[1], cell[2])];
}

// Positions in the shell may be on either side of it: the nearest point with a normal says on which.
bool slv_solid_find_exit(slv_solid *solid, const float position[3], double margin,
                         slv_solid_exit *found) {
    const int kind = solid->count > 0 ? kind_at(solid, position) : OUTSIDE;
    if (kind == OUTSIDE) {
        return false;
    }
    const double reach = (double)solid->reach + 2.0 * (double)solid->cell;
    double best = kind == SHELL ? reach * reach : DBL_MAX;
    bool any = false;
    for (uint32_t i = 0; i < solid->count; i++) {
        double offset[3];
        double square = 0.0;
        for (size_t d = 0; d < 3; d++) {
            offset[d] = (double)solid->points[3 * (size_t)i + d] - (double)position[d];
            square += offset[d] * offset[d];
        }
        const float *normal = square < best ? normal_of(solid, i) : NULL;
        if (!normal) {
            continue;
        }
        best = square;
        any = true;
        memcpy(found->normal, normal, sizeof found->normal);
        found->point = i;
        found->depth = offset[0] * (double)normal[0] + offset[1] * (double)normal[1] +
                       offset[2] * (double)normal[2];
    }
    return any && found->depth > margin;
}
