// SPDX-License-Identifier: MIT
#include "tools/common/polygon.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

// The corners are projected along the axis nearest to the polygon normal (Newell's method, which
// works for non-planar and concave polygons), oriented counterclockwise. Convex outlines become a
// fan from the first corner; others are triangulated by ear clipping. Degenerate triangles are
// avoided as long as possible: dropping them later would leave cracks.

#define AREA_TOLERANCE                                                                             \
    1e-12 // of the squared extent of the outline: smaller areas mean collinear corners

typedef struct plane_outline {
    const double *at; // [count][2]
    uint32_t count;
    double tolerance; // doubled areas up to this are zero
} plane_outline;

// Twice the signed area of the triangle of three corners.
static double doubled_area(const plane_outline *outline, uint32_t a, uint32_t b, uint32_t c) {
    const double *pa = outline->at + 2 * (size_t)a;
    const double *pb = outline->at + 2 * (size_t)b;
    const double *pc = outline->at + 2 * (size_t)c;
    return (pb[0] - pa[0]) * (pc[1] - pa[1]) - (pb[1] - pa[1]) * (pc[0] - pa[0]);
}

// --- into the plane ------------------------------------------------------------------------------

static void newell_normal(const double *corners, uint32_t count, double normal[3]) {
    normal[0] = normal[1] = normal[2] = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const double *p = corners + 3 * (size_t)i;
        const double *q = corners + 3 * (size_t)(i + 1 < count ? i + 1 : 0);
        double a[3];
        double b[3];
        for (int k = 0; k < 3;
             k++) { // relative to the first corner, for precision far from the origin
            a[k] = p[k] - corners[k];
            b[k] = q[k] - corners[k];
        }
        normal[0] += a[1] * b[2] - a[2] * b[1];
        normal[1] += a[2] * b[0] - a[0] * b[2];
        normal[2] += a[0] * b[1] - a[1] * b[0];
    }
}

static plane_outline project(const double *corners, uint32_t count, double *plane) {
    double normal[3];
    newell_normal(corners, count, normal);
    int axis = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    axis = fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
    int u = (axis + 1) % 3;
    int v = (axis + 2) % 3;
    if (normal[axis] < 0.0) {
        int swap = u;
        u = v;
        v = swap;
    }
    double extent = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const double *p = corners + 3 * (size_t)i;
        plane[2 * (size_t)i] = p[u] - corners[u];
        plane[2 * (size_t)i + 1] = p[v] - corners[v];
        extent = fmax(extent, fmax(fabs(p[u] - corners[u]), fabs(p[v] - corners[v])));
    }
    return (plane_outline){plane, count, AREA_TOLERANCE * extent * extent};
}

// --- fan -----------------------------------------------------------------------------------------

static void fan(uint32_t count, uint32_t *triangles) {
    for (uint32_t i = 0; i < count - 2; i++) {
        triangles[3 * (size_t)i] = 0;
        triangles[3 * (size_t)i + 1] = i + 1;
        triangles[3 * (size_t)i + 2] = i + 2;
    }
}

// All triangles of the fan have a positive area, and only the first corner may be reflex.
static bool fan_fits(const plane_outline *outline) {
    for (uint32_t i = 0; i < outline->count - 2; i++) {
        if (doubled_area(outline, 0, i + 1, i + 2) <= outline->tolerance ||
            doubled_area(outline, i, i + 1, i + 2) < 0.0) {
            return false;
        }
    }
    return true;
}

// --- ears ----------------------------------------------------------------------------------------

typedef struct corner_ring {
    const plane_outline *outline;
    uint32_t *next;
    uint32_t *previous;
    uint32_t left; // remaining corners
} corner_ring;

static bool same_position(const plane_outline *outline, uint32_t a, uint32_t b) {
    const double *pa = outline->at + 2 * (size_t)a;
    const double *pb = outline->at + 2 * (size_t)b;
    return pa[0] == pb[0] && pa[1] == pb[1];
}

// Whether a corner lies in or on triangle (a, b, c). Corners that coincide with a, b or c do not
// count: outlines with bridged holes contain such positions twice.
static bool holds(const plane_outline *outline, uint32_t a, uint32_t b, uint32_t c,
                  uint32_t corner) {
    return doubled_area(outline, a, b, corner) >= 0.0 &&
           doubled_area(outline, b, c, corner) >= 0.0 &&
           doubled_area(outline, c, a, corner) >= 0.0 && !same_position(outline, corner, a) &&
           !same_position(outline, corner, b) && !same_position(outline, corner, c);
}

static bool is_ear(const corner_ring *ring, uint32_t tip) {
    uint32_t a = ring->previous[tip];
    uint32_t c = ring->next[tip];
    if (doubled_area(ring->outline, a, tip, c) <= ring->outline->tolerance) {
        return false;
    }
    for (uint32_t i = ring->next[c]; i != a; i = ring->next[i]) {
        // Only a reflex corner can lie inside the ear.
        if (doubled_area(ring->outline, ring->previous[i], i, ring->next[i]) <=
                ring->outline->tolerance &&
            holds(ring->outline, a, tip, c, i)) {
            return false;
        }
    }
    return true;
}

// Without ears the outline intersects itself or is degenerate: the corner of the largest area is
// cut.
static uint32_t widest_corner(const corner_ring *ring, uint32_t start) {
    uint32_t best = start;
    double best_turn = -HUGE_VAL;
    uint32_t i = start;
    do {
        double area = doubled_area(ring->outline, ring->previous[i], i, ring->next[i]);
        if (area > best_turn) {
            best_turn = area;
            best = i;
        }
        i = ring->next[i];
    } while (i != start);
    return best;
}

static void cut_ears(corner_ring *ring, uint32_t *triangles) {
    uint32_t at = 0;
    uint32_t refused = 0; // consecutive corners that are not ears
    while (ring->left >= 3) {
        if (ring->left > 3 && refused < ring->left && !is_ear(ring, at)) {
            at = ring->next[at];
            refused++;
            continue;
        }
        uint32_t tip = ring->left > 3 && refused == ring->left ? widest_corner(ring, at) : at;
        uint32_t a = ring->previous[tip];
        uint32_t c = ring->next[tip];
        *triangles++ = a;
        *triangles++ = tip;
        *triangles++ = c;
        ring->next[a] = c;
        ring->previous[c] = a;
        ring->left--;
        // Skipping a corner after each cut gives better shaped triangles.
        at = ring->next[c];
        refused = 0;
    }
}

// --- all together --------------------------------------------------------------------------------

static void free_rings(slv_polygon_scratch *scratch) {
    free(scratch->plane);
    free(scratch->next);
    free(scratch->previous);
    scratch->plane = NULL;
    scratch->next = scratch->previous = NULL;
    scratch->capacity = 0;
}

void slv_polygon_scratch_free(slv_polygon_scratch *scratch) {
    free_rings(scratch);
    free(scratch->outline);
    free(scratch->split);
    *scratch = (slv_polygon_scratch){.plane = NULL};
}

bool slv_polygon_reserve(slv_polygon_scratch *scratch, uint32_t count) {
    if (count <= scratch->reserved) {
        return true;
    }
    double *outline = realloc(scratch->outline, (size_t)count * 3 * sizeof *outline);
    scratch->outline = outline ? outline : scratch->outline;
    uint32_t *split = realloc(scratch->split, (size_t)count * 3 * sizeof *split);
    scratch->split = split ? split : scratch->split;
    scratch->reserved = outline && split ? count : scratch->reserved;
    return outline && split;
}

static bool reserve(slv_polygon_scratch *scratch, uint32_t count) {
    if (count <= scratch->capacity) {
        return true;
    }
    free_rings(scratch);
    uint32_t capacity = count < 64 ? 64 : count;
    scratch->plane = calloc(capacity, 2 * sizeof *scratch->plane);
    scratch->next = calloc(capacity, sizeof *scratch->next);
    scratch->previous = calloc(capacity, sizeof *scratch->previous);
    scratch->capacity = capacity;
    if (scratch->plane && scratch->next && scratch->previous) {
        return true;
    }
    free_rings(scratch);
    return false;
}

slv_result slv_polygon_split(const double *corners, uint32_t count, uint32_t *triangles,
                             slv_polygon_scratch *scratch, slv_error *error) {
    if (count <= 3) {
        fan(3, triangles);
        return SLV_OK;
    }
    if (!reserve(scratch, count)) {
        return slv_no_memory(error);
    }
    plane_outline outline = project(corners, count, scratch->plane);
    if (fan_fits(&outline)) {
        fan(count, triangles);
        return SLV_OK;
    }
    if (count > SLV_MAX_CONCAVE_CORNERS) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "a concave face has %u corners; at most %u can be split", count,
                        SLV_MAX_CONCAVE_CORNERS);
    }
    for (uint32_t i = 0; i < count; i++) {
        scratch->next[i] = i + 1 < count ? i + 1 : 0;
        scratch->previous[i] = i > 0 ? i - 1 : count - 1;
    }
    corner_ring ring = {&outline, scratch->next, scratch->previous, count};
    cut_ears(&ring, triangles);
    return SLV_OK;
}
