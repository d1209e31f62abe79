// SPDX-License-Identifier: MIT
#include "tools/voxelize/caps.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RING_CELLS = 4 }; // width wished for

typedef struct piece { // of the boundary
    int64_t sum[3];
    uint32_t point_count;
    int64_t apex[3];
    uint32_t ring_count;
    uint32_t apex_number; // of the apex, among the caps' points
} piece;

// Boundary point p of a piece with rings r has the points number[p] … number[p] + r - 1 among the
// caps': itself, and r - 1 on its way to the apex.
typedef struct capping {
    const slv_snapped *snapped;
    const slv_orientation *orientation;
    uint32_t ring_limit;
    uint32_t *parent; // [point_count] a forest: points of one piece have the same root
    uint32_t *number; // [point_count]
    bool *bounding;   // [point_count] lies on the boundary
    piece *pieces;    // [point_count] at the root of each piece
    uint64_t cap_points, cap_triangles;
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
    }
    for (uint32_t e = 0; e < c->orientation->boundary_count; e++) {
        const slv_boundary_edge *edge = &c->orientation->boundary[e];
        c->bounding[edge->from] = true;
        c->bounding[edge->to] = true;
        c->parent[root_of(c->parent, edge->from)] = root_of(c->parent, edge->to);
    }
}

// The apex keeps away from the lattice's points, lines and planes by odd fractions of a cell, so that
// samples hardly ever lie on a cap, not even where the boundary runs along the lattice.
static void place_apexes(capping *c) {
    static const int64_t aside[3] = {221, 367, 293}; // in 1024ths of a cell
    const unsigned bits = c->snapped->fraction_bits;
    for (uint32_t p = 0; p < c->snapped->point_count; p++) {
        for (int axis = 0; c->bounding[p] && axis < 3; axis++) {
            piece_of(c, p)->sum[axis] += c->snapped->points[p][axis] >> 6;
        }
        piece_of(c, p)->point_count += c->bounding[p];
    }
    for (uint32_t p = 0; p < c->snapped->point_count; p++) {
        piece *of = &c->pieces[p];
        for (int axis = 0; of->point_count > 0 && axis < 3; axis++) {
            // Shifts of negative numbers round down with gcc and clang.
            const int64_t mean = of->sum[axis] / of->point_count;
            of->apex[axis] =
                (mean >> (bits - 6)) * ((int64_t)1 << bits) + (aside[axis] << (bits - 10)) + 1;
        }
    }
}

static uint32_t rings_for(const capping *c, uint32_t p) {
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double spoke = (double)(c->snapped->points[p][axis] - piece_of(c, p)->apex[axis]);
        square += spoke * spoke;
    }
    const double cells = ldexp(sqrt(square), -(int)c->snapped->fraction_bits);
    return (uint32_t)fmin(c->ring_limit, ceil(cells / RING_CELLS));
}

static void count_caps(capping *c) {
    for (uint32_t p = 0; p < c->snapped->point_count; p++) {
        if (c->bounding[p]) {
            piece *of = piece_of(c, p);
            const uint32_t rings = rings_for(c, p);
            of->ring_count = rings > of->ring_count ? rings : of->ring_count;
        }
    }
    for (uint32_t p = 0; p < c->snapped->point_count; p++) {
        if (c->bounding[p]) {
            c->number[p] = (uint32_t)c->cap_points;
            c->cap_points += piece_of(c, p)->ring_count;
        }
    }
    for (uint32_t p = 0; p < c->snapped->point_count; p++) {
        if (c->pieces[p].point_count > 0) {
            c->pieces[p].apex_number = (uint32_t)c->cap_points++;
        }
    }
    for (uint32_t e = 0; e < c->orientation->boundary_count; e++) {
        const slv_boundary_edge *edge = &c->orientation->boundary[e];
        c->cap_triangles += (uint64_t)edge->times * (2 * piece_of(c, edge->from)->ring_count - 1);
    }
}

static void write_points(const capping *c, slv_snapped *caps) {
    for (uint32_t p = 0; p < c->snapped->point_count; p++) {
        const piece *of = piece_of(c, p);
        for (uint32_t ring = 0; c->bounding[p] && ring < of->ring_count; ring++) {
            for (int axis = 0; axis < 3; axis++) {
                const int64_t from = c->snapped->points[p][axis];
                caps->points[c->number[p] + ring][axis] =
                    from + (of->apex[axis] - from) * (int64_t)ring / (int64_t)of->ring_count;
            }
        }
        if (c->pieces[p].point_count > 0) {
            memcpy(caps->points[c->pieces[p].apex_number], c->pieces[p].apex, sizeof of->apex);
        }
    }
}

static void write_triangle(slv_snapped *caps, uint32_t *next, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *triangle = caps->triangles[(*next)++];
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

// Against the surface's own use of each edge.
static void write_triangles(const capping *c, slv_snapped *caps) {
    uint32_t next = 0;
    for (uint32_t e = 0; e < c->orientation->boundary_count; e++) {
        const slv_boundary_edge *edge = &c->orientation->boundary[e];
        const piece *of = piece_of(c, edge->from);
        for (uint32_t k = 0; k < edge->times; k++) {
            uint32_t from = c->number[edge->from];
            uint32_t to = c->number[edge->to];
            for (uint32_t ring = 1; ring < of->ring_count; ring++, from++, to++) {
                write_triangle(caps, &next, to, from, from + 1);
                write_triangle(caps, &next, to, from + 1, to + 1);
            }
            write_triangle(caps, &next, to, from, of->apex_number);
        }
    }
}

static slv_result make_caps(capping *c, slv_snapped *caps, slv_error *error) {
    join_edges(c);
    place_apexes(c);
    count_caps(c);
    if (c->cap_triangles >= UINT32_MAX / 3 || c->cap_points >= UINT32_MAX) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "%u boundary edges are too many",
                        c->orientation->boundary_count);
    }
    const slv_result result =
        slv_snapped_reserve(caps, c->snapped->fraction_bits, (uint32_t)c->cap_points,
                            (uint32_t)c->cap_triangles, error);
    if (result == SLV_OK) {
        write_points(c, caps);
        write_triangles(c, caps);
    }
    return result;
}

slv_result slv_caps_create(const slv_snapped *snapped, const slv_orientation *orientation,
                           uint32_t ring_limit, slv_snapped *caps, slv_error *error) {
    *caps = (slv_snapped){0};
    const size_t points = (size_t)snapped->point_count + 1;
    capping c = {.snapped = snapped,
                 .orientation = orientation,
                 .ring_limit = ring_limit,
                 .parent = malloc(points * sizeof *c.parent),
                 .number = malloc(points * sizeof *c.number),
                 .bounding = calloc(points, sizeof *c.bounding),
                 .pieces = calloc(points, sizeof *c.pieces)};
    const slv_result result =
        c.parent == NULL || c.number == NULL || c.bounding == NULL || c.pieces == NULL
            ? slv_fail(error, SLV_ERROR_INTERNAL, "out of memory for %u boundary edges",
                       orientation->boundary_count)
            : make_caps(&c, caps, error);
    free(c.parent);
    free(c.number);
    free(c.bounding);
    free(c.pieces);
    return result;
}
