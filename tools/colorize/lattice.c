// SPDX-License-Identifier: MIT
#include "tools/colorize/lattice.h"

#include "kernels/types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AXES = 3,
    CORNERS = SLV_ARITY_MAX,
    REACH = 8,    // largest extent of a shape along an axis, cells
    SHAPES = 64,  // different ones; a mesh with more is treated as no lattice
    SAMPLE = 4096 // constraints measured to find the cell size
};

static const double TOLERANCE = 0.05; // cells: how far a corner may be from a lattice point
static const double CELLS_MAX = 1e6;  // along an axis; fits an int

// Corners of a shape relative to the first one, sorted by z, then y, then x.
typedef struct shape {
    int corner[CORNERS][AXES];
    int weight[AXES];
} shape;

typedef struct lattice {
    const float *const *axes;
    const uint32_t *stored_of_own;
    const uint32_t *const *ends;
    uint32_t arity, count;
    double origin[AXES]; // position of cell (0, 0, 0)
    double unit[AXES];   // size of a cell
    shape shapes[SHAPES];
    uint32_t shape_count;
} lattice;

static double coordinate(const lattice *l, uint32_t constraint, uint32_t corner, int d) {
    return (double)l->axes[d][l->stored_of_own[l->ends[corner][constraint]]];
}

static double extent_along(const lattice *l, uint32_t constraint, uint32_t corner, int d) {
    return coordinate(l, constraint, corner, d) - coordinate(l, constraint, 0, d);
}

// --- Cells ------------------------------------------------------------------------------------------

// The cell size along an axis: the smallest extent of a constraint above rounding error, refined as
// a mean over many extents. Positions are rounded, and an error in the unit would accumulate over
// many cells. Only a sample of the constraints is measured; find_cell rejects what is not a
// lattice.
static void find_unit(lattice *l, int d) {
    const uint32_t stride = l->count / SAMPLE + 1;
    double longest = 0;
    double shortest = HUGE_VAL;
    double cells = 0;
    double length = 0;
    for (uint32_t i = 0; i < l->count; i += stride) {
        for (uint32_t c = 1; c < l->arity; c++) {
            longest = fmax(longest, fabs(extent_along(l, i, c, d)));
        }
    }
    for (uint32_t i = 0; i < l->count; i += stride) {
        for (uint32_t c = 1; c < l->arity; c++) {
            const double reach = fabs(extent_along(l, i, c, d));
            shortest = reach > longest / (2 * REACH) ? fmin(shortest, reach) : shortest;
        }
    }
    for (uint32_t i = 0; i < l->count; i += stride) {
        for (uint32_t c = 1; c < l->arity; c++) {
            const double reach = fabs(extent_along(l, i, c, d));
            cells += floor(reach / shortest + 0.5);
            length += reach > shortest / 2 ? reach : 0;
        }
    }
    l->origin[d] = coordinate(l, 0, 0, d);
    l->unit[d] = cells > 0 ? length / cells : 1.0;
}

// False where the corner is not at a lattice point.
static bool find_cell(const lattice *l, uint32_t constraint, uint32_t corner, int cell[AXES]) {
    for (int d = 0; d < AXES; d++) {
        const double exact = (coordinate(l, constraint, corner, d) - l->origin[d]) / l->unit[d];
        const double whole = floor(exact + 0.5);
        if (!(fabs(exact - whole) < TOLERANCE) || !(fabs(whole) < CELLS_MAX)) {
            return false;
        }
        cell[d] = (int)whole;
    }
    return true;
}

// --- Shapes -----------------------------------------------------------------------------------------

static bool comes_before(const int a[AXES], const int b[AXES]) {
    for (int d = AXES - 1; d > 0; d--) {
        if (a[d] != b[d]) {
            return a[d] < b[d];
        }
    }
    return a[0] < b[0];
}

// The shape of a constraint and the cell of its first corner. False where it is not on the lattice.
static bool find_shape(const lattice *l, uint32_t constraint, shape *found, int base[AXES]) {
    int cells[CORNERS][AXES] = {{0}};
    for (uint32_t c = 0; c < l->arity; c++) {
        int cell[AXES];
        if (!find_cell(l, constraint, c, cell)) {
            return false;
        }
        uint32_t at = c;
        for (; at > 0 && comes_before(cell, cells[at - 1]); at--) {
            memcpy(cells[at], cells[at - 1], sizeof cell);
        }
        memcpy(cells[at], cell, sizeof cell);
    }
    memcpy(base, cells[0], sizeof cells[0]);
    memset(found, 0, sizeof *found);
    for (uint32_t c = 0; c < l->arity; c++) {
        for (int d = 0; d < AXES; d++) {
            found->corner[c][d] = cells[c][d] - base[d];
            if (abs(found->corner[c][d]) > REACH) {
                return false;
            }
        }
    }
    return true;
}

static int residue(const int weight[AXES], const int cell[AXES], uint32_t arity) {
    const int sum = weight[0] * cell[0] + weight[1] * cell[1] + weight[2] * cell[2];
    const int rest = sum % (int)arity;
    return rest < 0 ? rest + (int)arity : rest;
}

// Tries all weights: at most SLV_ARITY_MAX³.
static bool find_weights(shape *s, uint32_t arity) {
    const int k = (int)arity;
    for (int n = 0; n < k * k * k; n++) {
        const int weight[AXES] = {n % k, n / k % k, n / k / k};
        unsigned met = 0;
        for (uint32_t c = 0; c < arity; c++) {
            met |= 1u << residue(weight, s->corner[c], arity);
        }
        if (met == (1u << arity) - 1) {
            memcpy(s->weight, weight, sizeof weight);
            return true;
        }
    }
    return false;
}

// The number of a shape, added if new; SHAPES where there are too many or no weights exist.
static uint32_t number_shape(lattice *l, shape *wanted) {
    for (uint32_t s = 0; s < l->shape_count; s++) {
        if (memcmp(l->shapes[s].corner, wanted->corner, sizeof wanted->corner) == 0) {
            return s;
        }
    }
    if (l->shape_count == SHAPES || !find_weights(wanted, l->arity)) {
        return SHAPES;
    }
    l->shapes[l->shape_count] = *wanted;
    return l->shape_count++;
}

// --- Colors ----------------------------------------------------------------------------------------

static bool color_all(lattice *l, uint32_t *color) {
    for (uint32_t i = 0; i < l->count; i++) {
        shape found;
        int base[AXES];
        const uint32_t number =
            find_shape(l, i, &found, base) ? number_shape(l, &found) : (uint32_t)SHAPES;
        if (number == SHAPES) {
            return false;
        }
        color[i] = number * l->arity + (uint32_t)residue(l->shapes[number].weight, base, l->arity);
    }
    return true;
}

// Renumbers the colors that occur.
static void close_gaps(slv_coloring *coloring, uint32_t colors) {
    uint32_t renamed[SHAPES * CORNERS] = {0};
    for (uint32_t i = 0; i < coloring->element_count; i++) {
        renamed[coloring->color[i]] = 1;
    }
    for (uint32_t c = 0; c < colors; c++) {
        const uint32_t number = coloring->color_count;
        coloring->color_count += renamed[c];
        renamed[c] = number;
    }
    for (uint32_t i = 0; i < coloring->element_count; i++) {
        coloring->color[i] = renamed[coloring->color[i]];
    }
}

bool slv_color_lattice(const float *const axes[3], const uint32_t *stored_of_own,
                       const uint32_t *const *ends, uint32_t arity, uint32_t count,
                       slv_coloring *coloring) {
    *coloring = (slv_coloring){.element_count = count};
    lattice *l = calloc(1, sizeof *l);
    uint32_t *color = calloc((size_t)count + 1, sizeof *color);
    if (!l || !color) {
        free(l);
        free(color);
        return false;
    }
    l->axes = axes;
    l->stored_of_own = stored_of_own;
    l->ends = ends;
    l->arity = arity;
    l->count = count;
    for (int d = 0; count > 0 && d < AXES; d++) {
        find_unit(l, d);
    }
    if (color_all(l, color)) {
        coloring->color = color;
        close_gaps(coloring, l->shape_count * arity);
    } else {
        free(color);
    }
    free(l);
    return true;
}
