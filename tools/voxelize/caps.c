// SPDX-License-Identifier: MIT
#include "tools/voxelize/caps.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUM_SHIFT = 6,      // keeps sums of 2^32 coordinates within 64 bits
    PIECE_CELLS = 4,    // longest edge of a piece
    MAX_PIECES = 200000 // more only where there are more caps
};

typedef struct piece { // connected component of the boundary
    int64_t sum[3];
    uint32_t point_count;
    uint32_t apex; // index of its point in the caps
} piece;

typedef struct capping {
    const slv_snapped *snapped;
    const slv_orientation *orientation;
    uint32_t *parent; // [point_count] union-find forest: points of one piece have the same root
    uint32_t *number; // [point_count] index in the caps; UINT32_MAX off the boundary
    piece *pieces;    // [point_count] at the root of each piece
    uint32_t cap_points;
    uint64_t cap_triangles;
} capping;

static uint32_t root_of(uint32_t *parent, uint32_t point) {
    while (parent[point] != point) {
        parent[point] = parent[parent[point]];
        point = parent[point];
    }
    return point;
}

static piece *piece_of(const capping *c, uint32_t point) {
    return &c->pieces[root_of(c->parent, point)];
}

static void join_edges(capping *c) {
    for (uint32_t p = 0; p < c->snapped->point_count; p++) {
        c->parent[p] = p;
        c->number[p] = UINT32_MAX;
    }
    for (uint32_t e = 0; e < c->orientation->boundary_count; e++) {
        const slv_boundary_edge *edge = &c->orientation->boundary[e];
        c->number[edge->from] = 0;
        c->number[edge->to] = 0;
        c->parent[root_of(c->parent, edge->from)] = root_of(c->parent, edge->to);
        c->cap_triangles += edge->times;
    }
}

// Boundary points first, then the apexes.
static void number_points(capping *c) {
    for (uint32_t p = 0; p < c->snapped->point_count; p++) {
        if (c->number[p] == UINT32_MAX) {
            continue;
        }
        c->number[p] = c->cap_points++;
        piece *of = piece_of(c, p);
        of->point_count++;
        for (int axis = 0; axis < 3; axis++) {
            of->sum[axis] += c->snapped->points[p][axis] >> SUM_SHIFT;
        }
    }
    for (uint32_t p = 0; p < c->snapped->point_count; p++) {
        if (c->pieces[p].point_count > 0) {
            c->pieces[p].apex = c->cap_points++;
        }
    }
}

// The apex is offset by odd fractions of a cell from the points, lines and planes of the lattice.
// Samples then rarely lie on a cap, even where the boundary runs along the lattice.
static void write_apex(const piece *of, unsigned bits, int64_t apex[3]) {
    static const int64_t aside[3] = {221, 367, 293}; // in 1024ths of a cell
    for (int axis = 0; axis < 3; axis++) {
        const int64_t mean = of->sum[axis] / of->point_count;
        const int64_t whole_cells = mean >> (bits - SUM_SHIFT);
        apex[axis] = whole_cells * ((int64_t)1 << bits) + (aside[axis] << (bits - 10)) + 1;
    }
}

static void write_caps(const capping *c, slv_snapped *caps) {
    for (uint32_t p = 0; p < c->snapped->point_count; p++) {
        if (c->number[p] != UINT32_MAX) {
            memcpy(caps->points[c->number[p]], c->snapped->points[p], sizeof caps->points[0]);
        }
        if (c->pieces[p].point_count > 0) {
            write_apex(&c->pieces[p], caps->fraction_bits, caps->points[c->pieces[p].apex]);
        }
    }
    uint32_t next = 0;
    for (uint32_t e = 0; e < c->orientation->boundary_count; e++) {
        const slv_boundary_edge *edge = &c->orientation->boundary[e];
        for (uint32_t k = 0; k < edge->times; k++) {
            uint32_t *triangle = caps->triangles[next++];
            triangle[0] = c->number[edge->to]; // opposite to the direction of the surface
            triangle[1] = c->number[edge->from];
            triangle[2] = piece_of(c, edge->from)->apex;
        }
    }
}

static slv_result make_caps(capping *c, slv_snapped *caps, slv_error *error) {
    join_edges(c);
    number_points(c);
    if (c->cap_triangles >= UINT32_MAX / 3) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "%u boundary edges are too many",
                        c->orientation->boundary_count);
    }
    const slv_result result = slv_snapped_reserve(caps, c->snapped->fraction_bits, c->cap_points,
                                                  (uint32_t)c->cap_triangles, error);
    if (result == SLV_OK) {
        write_caps(c, caps);
    }
    return result;
}

slv_result slv_caps_create(const slv_snapped *snapped, const slv_orientation *orientation,
                           slv_snapped *caps, slv_error *error) {
    *caps = (slv_snapped){0};
    const size_t points = (size_t)snapped->point_count + 1;
    capping c = {.snapped = snapped,
                 .orientation = orientation,
                 .parent = malloc(points * sizeof *c.parent),
                 .number = malloc(points * sizeof *c.number),
                 .pieces = calloc(points, sizeof *c.pieces)};
    const slv_result result =
        c.parent == NULL || c.number == NULL || c.pieces == NULL
            ? slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u boundary edges",
                       orientation->boundary_count)
            : make_caps(&c, caps, error);
    free(c.parent);
    free(c.number);
    free(c.pieces);
    return result;
}

// --- pieces --------------------------------------------------------------------------------------

typedef struct division {
    double limit;        // longest allowed edge, units
    uint64_t count;      // pieces so far
    slv_snapped *pieces; // NULL to count only
} division;

static double edge_length(const int64_t a[3], const int64_t b[3]) {
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        square += (double)(b[axis] - a[axis]) * (double)(b[axis] - a[axis]);
    }
    return sqrt(square);
}

static void keep_piece(division *d, int64_t corners[3][3]) {
    if (d->pieces != NULL) {
        const uint32_t first = 3 * (uint32_t)d->count;
        for (uint32_t corner = 0; corner < 3; corner++) {
            memcpy(d->pieces->points[first + corner], corners[corner], sizeof corners[corner]);
            d->pieces->triangles[d->count][corner] = first + corner;
        }
    }
    d->count++;
}

// Bisects the longest edge recursively; 24 bisections bring 2^39 units down to one cell.
static void divide(division *d, int64_t corners[3][3]) {
    int longest = 0;
    for (int c = 1; c < 3; c++) {
        if (edge_length(corners[c], corners[(c + 1) % 3]) >
            edge_length(corners[longest], corners[(longest + 1) % 3])) {
            longest = c;
        }
    }
    const int64_t *from = corners[longest];
    const int64_t *to = corners[(longest + 1) % 3];
    if (d->count > MAX_PIECES || edge_length(from, to) <= d->limit) {
        keep_piece(d, corners);
        return;
    }
    int64_t halves[2][3][3];
    memcpy(halves[0], corners, sizeof halves[0]);
    memcpy(halves[1], corners, sizeof halves[1]);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t middle = from[axis] + (to[axis] - from[axis]) / 2;
        halves[0][(longest + 1) % 3][axis] = middle;
        halves[1][longest][axis] = middle;
    }
    divide(d, halves[0]);
    divide(d, halves[1]);
}

static void divide_all(division *d, const slv_snapped *caps) {
    d->count = 0;
    for (uint32_t t = 0; t < caps->triangle_count; t++) {
        int64_t corners[3][3];
        for (int corner = 0; corner < 3; corner++) {
            memcpy(corners[corner], slv_snapped_corner(caps, t, corner), sizeof corners[corner]);
        }
        divide(d, corners);
    }
}

slv_result slv_caps_divide(const slv_snapped *caps, slv_snapped *pieces, slv_error *error) {
    division d = {.limit = ldexp(PIECE_CELLS, (int)caps->fraction_bits)};
    divide_all(&d, caps);
    while (d.count > MAX_PIECES && d.count > caps->triangle_count) {
        d.limit *= 2.0;
        divide_all(&d, caps);
    }
    const slv_result result = slv_snapped_reserve(pieces, caps->fraction_bits,
                                                  3 * (uint32_t)d.count, (uint32_t)d.count, error);
    if (result == SLV_OK) {
        d.pieces = pieces;
        divide_all(&d, caps);
    }
    return result;
}
