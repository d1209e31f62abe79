// SPDX-License-Identifier: MIT
#include "tools/voxelize/cover.h"

#include "tools/voxelize/raster_triangle.h"

#include <math.h>
#include <stdbool.h>

// Separating axis theorem for a triangle and a cube, in integers. The axes are the three of the
// cube, the normal of the triangle and the cross products of their edges.

typedef struct candidate {
    const slv_raster_triangle *face;
    int64_t relative[3][3]; // corners relative to the center of the cube, units
    int64_t half;           // half of the side of the cube, units
} candidate;

// Sign of the symbolic shift along the axis.
static int shift_along(const slv_wide axis[3]) {
    for (int k = 0; k < 3; k++) {
        if (axis[k] != 0) {
            return axis[k] > 0 ? 1 : -1;
        }
    }
    return 0;
}

static bool separates(const candidate *c, const slv_wide axis[3]) {
    slv_wide radius = 0;
    for (int k = 0; k < 3; k++) {
        radius += (axis[k] < 0 ? -axis[k] : axis[k]) * c->half;
    }
    slv_wide low = 0;
    slv_wide high = 0;
    for (int corner = 0; corner < 3; corner++) {
        const int64_t *p = c->relative[corner];
        const slv_wide at = axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
        low = corner == 0 || at < low ? at : low;
        high = corner == 0 || at > high ? at : high;
    }
    const int shift = shift_along(axis);
    return low > radius || high < -radius || (low == radius && shift > 0) ||
           (high == -radius && shift < 0);
}

static bool edge_separates(const candidate *c) {
    for (int corner = 0; corner < 3; corner++) {
        const int64_t *p = c->relative[corner];
        const int64_t *q = c->relative[(corner + 1) % 3];
        for (int k = 0; k < 3; k++) {
            slv_wide axis[3] = {0, 0, 0};
            axis[(k + 1) % 3] = -(q[(k + 2) % 3] - p[(k + 2) % 3]);
            axis[(k + 2) % 3] = q[(k + 1) % 3] - p[(k + 1) % 3];
            if (separates(c, axis)) {
                return true;
            }
        }
    }
    return false;
}

static bool meets(const slv_raster_triangle *face, const int64_t sample[3]) {
    candidate c = {.face = face, .half = (int64_t)1 << (face->fraction_bits - 1)};
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            c.relative[corner][axis] =
                face->corners[corner][axis] - (sample[axis] << face->fraction_bits);
        }
    }
    for (int k = 0; k < 3; k++) {
        slv_wide axis[3] = {0, 0, 0};
        axis[k] = 1;
        if (separates(&c, axis)) {
            return false;
        }
    }
    return !separates(&c, face->normal) && !edge_separates(&c);
}

typedef struct span {
    int64_t first, last;
} span;

// Samples of the slab whose cubes may overlap [low, high] (cells) along an axis.
static span samples_between(const slv_slab *slab, int axis, double low, double high) {
    const double first = axis == 2 ? slab->first_layer : 0.0;
    const double last = first + (axis == 2 ? slab->layers : slab->cells[axis]) - 1.0;
    // 0.001 cells are far above the rounding error of the bounds.
    return (span){(int64_t)fmax(first, ceil(low - 0.501)),
                  (int64_t)fmin(last, floor(high + 0.501))};
}

typedef struct plane { // cells: height along the dominant axis = at + du * u + dv * v
    int axis;
    double at, du, dv;
    double low[3], high[3]; // bounds of the triangle
} plane;

static plane plane_of(const slv_raster_triangle *face) {
    const double unit = ldexp(1.0, -(int)face->fraction_bits);
    plane p = {.axis = slv_raster_triangle_dominant_axis(face)};
    const int u = (p.axis + 1) % 3;
    const int v = (p.axis + 2) % 3;
    for (int axis = 0; axis < 3; axis++) {
        p.low[axis] = HUGE_VAL;
        p.high[axis] = -HUGE_VAL;
        for (int corner = 0; corner < 3; corner++) {
            p.low[axis] = fmin(p.low[axis], (double)face->corners[corner][axis] * unit);
            p.high[axis] = fmax(p.high[axis], (double)face->corners[corner][axis] * unit);
        }
    }
    if (face->normal[p.axis] != 0) {
        const double steep = (double)face->normal[p.axis];
        const int64_t *a = face->corners[0];
        p.du = -(double)face->normal[u] / steep;
        p.dv = -(double)face->normal[v] / steep;
        p.at = ((double)a[p.axis] - p.du * (double)a[u] - p.dv * (double)a[v]) * unit;
    }
    return p;
}

// Cubes of column (u, v) that the plane may intersect.
static span column_span(const slv_raster_triangle *face, const plane *p, const slv_slab *slab,
                        int64_t u, int64_t v) {
    double low = p->low[p->axis];
    double high = p->high[p->axis];
    if (face->normal[p->axis] != 0) {
        const double middle = p->at + p->du * (double)u + p->dv * (double)v;
        const double reach = 0.5 * (fabs(p->du) + fabs(p->dv));
        low = fmax(low, middle - reach);
        high = fmin(high, middle + reach);
    }
    return samples_between(slab, p->axis, low, high);
}

static void cover_face(const slv_slab *slab, const slv_raster_triangle *face, uint64_t *bits) {
    const plane p = plane_of(face);
    const int u_axis = (p.axis + 1) % 3;
    const int v_axis = (p.axis + 2) % 3;
    const span across_u = samples_between(slab, u_axis, p.low[u_axis], p.high[u_axis]);
    const span across_v = samples_between(slab, v_axis, p.low[v_axis], p.high[v_axis]);
    int64_t sample[3];
    for (int64_t v = across_v.first; v <= across_v.last; v++) {
        for (int64_t u = across_u.first; u <= across_u.last; u++) {
            const span stack = column_span(face, &p, slab, u, v);
            for (int64_t w = stack.first; w <= stack.last; w++) {
                sample[p.axis] = w;
                sample[u_axis] = u;
                sample[v_axis] = v;
                const uint32_t at[3] = {(uint32_t)sample[0], (uint32_t)sample[1],
                                        (uint32_t)sample[2]};
                if (!slv_slab_get(slab, bits, at[0], at[1], at[2]) && meets(face, sample)) {
                    slv_slab_set(slab, bits, at[0], at[1], at[2]);
                }
            }
        }
    }
}

void slv_cover_bits(const slv_slab *slab, const slv_snapped *snapped, const slv_bvh *bvh,
                    uint64_t *bits) {
    const float lo[3] = {-1.0f, -1.0f, (float)slab->first_layer - 1.0f};
    const float hi[3] = {(float)slab->cells[0], (float)slab->cells[1],
                         (float)slab->first_layer + (float)slab->layers};
    slv_bvh_query query;
    uint32_t triangle;
    slv_bvh_query_begin(&query, bvh, lo, hi);
    while (slv_bvh_query_next(&query, &triangle)) {
        const slv_raster_triangle face = slv_raster_triangle_make(snapped, triangle);
        cover_face(slab, &face, bits);
    }
}
