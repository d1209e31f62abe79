// SPDX-License-Identifier: MIT
#include "tools/voxelize/raster_triangle.h"

#include <math.h>

slv_raster_triangle slv_raster_triangle_make(const slv_snapped *snapped, uint32_t triangle) {
    slv_raster_triangle face = {.fraction_bits = snapped->fraction_bits};
    for (int c = 0; c < 3; c++) {
        face.corners[c] = slv_snapped_corner(snapped, triangle, c);
    }
    slv_snapped_normal(face.corners[0], face.corners[1], face.corners[2], face.normal);
    return face;
}

static slv_wide magnitude(slv_wide a) {
    return a < 0 ? -a : a;
}

int slv_raster_triangle_dominant_axis(const slv_raster_triangle *face) {
    int axis = 0;
    for (int other = 1; other < 3; other++) {
        if (magnitude(face->normal[other]) > magnitude(face->normal[axis])) {
            axis = other;
        }
    }
    return axis;
}

static int64_t floor_divide(slv_wide a, slv_wide positive) {
    const slv_wide quotient = a / positive;
    return (int64_t)(a % positive < 0 ? quotient - 1 : quotient);
}

// Floor and ceiling of a coordinate in units, in cells. gcc and clang shift negative numbers
// arithmetically.
static int64_t cell_floor(int64_t units, unsigned bits) {
    return units >> bits;
}

static int64_t cell_ceil(int64_t units, unsigned bits) {
    return -((-units) >> bits);
}

// Per-triangle constants of a scan.
typedef struct scan {
    const slv_raster_triangle *face;
    int axis, u, v;
    slv_wide n_axis, n_u, n_v; // the normal, negated where needed so that n_axis > 0
    double n_axis_rounded;
    bool turned;
    bool closed;
} scan;

// Double precision is sufficient unless the plane is within one unit of a sample. Numerator and
// denominator are exact before rounding, so the quotient (below 2^40 units inside a triangle) has
// an error below 2^-10 units.
static slv_plane_height height_at(const scan *s, int64_t u, int64_t v) {
    const unsigned bits = s->face->fraction_bits;
    const int64_t *a = s->face->corners[0];
    const slv_wide drop = s->n_u * ((u << bits) - a[s->u]) + s->n_v * ((v << bits) - a[s->v]);
    const double units = (double)a[s->axis] - (double)drop / s->n_axis_rounded;
    const double unit = ldexp(1.0, -(int)bits);
    const double cells = units * unit;
    const double below = floor(cells);
    const double part = cells - below;
    if (part > unit && part < 1.0 - unit) {
        return (slv_plane_height){(int64_t)below, false};
    }
    const slv_wide numerator = a[s->axis] * s->n_axis - drop;
    const slv_wide denominator = s->n_axis << bits;
    const int64_t whole = floor_divide(numerator, denominator);
    return (slv_plane_height){whole, numerator == whole * denominator};
}

// Side of the edge from p to q on which the column (u, v), in units, passes: +1, -1, or 0 on it. 0
// occurs only with `closed`, or where the edge projects to a point.
static int side_of(const scan *s, const int64_t *p, const int64_t *q, int64_t u, int64_t v) {
    const int64_t edge_u = q[s->u] - p[s->u];
    const int64_t edge_v = q[s->v] - p[s->v];
    const slv_wide area = (slv_wide)edge_u * (v - p[s->v]) - (slv_wide)edge_v * (u - p[s->u]);
    if (area != 0 || s->closed) {
        return (area > 0) - (area < 0);
    }
    return edge_v != 0 ? (edge_v < 0) - (edge_v > 0) : (edge_u > 0) - (edge_u < 0);
}

static bool passes(const scan *s, int64_t u, int64_t v) {
    const int outside = s->turned ? 1 : -1;
    for (int c = 0; c < 3; c++) {
        if (side_of(s, s->face->corners[c], s->face->corners[(c + 1) % 3], u, v) == outside) {
            return false;
        }
    }
    return true;
}

typedef struct span {
    int64_t first, last;
} span;

// Columns of line v that may pass through the triangle: its intersection with the line, rounded
// outwards.
static span line_span(const scan *s, int64_t v, span within) {
    const double line = (double)(v << s->face->fraction_bits);
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int c = 0; c < 3; c++) {
        const int64_t *p = s->face->corners[c];
        const int64_t *q = s->face->corners[(c + 1) % 3];
        const double pv = (double)p[s->v];
        const double qv = (double)q[s->v];
        if ((pv < line && qv < line) || (pv > line && qv > line)) {
            continue;
        }
        const double pu = (double)p[s->u];
        const double qu = (double)q[s->u];
        // An edge parallel to the line adds nothing: its ends belong to the other two edges.
        const double t = pv != qv ? (line - pv) / (qv - pv) : 0.0;
        const double u = pu + t * (qu - pu);
        low = fmin(low, u);
        high = fmax(high, u);
    }
    const double unit = ldexp(1.0, -(int)s->face->fraction_bits);
    span columns = within;
    // One unit is far above the rounding error of the intersections.
    if (low <= high) {
        columns.first = (int64_t)ceil((low - 1.0) * unit);
        columns.last = (int64_t)floor((high + 1.0) * unit);
        columns.first = columns.first < within.first ? within.first : columns.first;
        columns.last = columns.last > within.last ? within.last : columns.last;
    }
    return columns;
}

// Samples of the slab along an axis that the triangle's bounds contain.
static span axis_span(const slv_raster_triangle *face, int axis, const slv_slab *slab) {
    int64_t low = face->corners[0][axis];
    int64_t high = low;
    for (int c = 1; c < 3; c++) {
        low = face->corners[c][axis] < low ? face->corners[c][axis] : low;
        high = face->corners[c][axis] > high ? face->corners[c][axis] : high;
    }
    const int64_t first = axis == 2 ? slab->first_layer : 0;
    const int64_t last = first + (axis == 2 ? slab->layers : slab->cells[axis]) - 1;
    span samples = {cell_ceil(low, face->fraction_bits), cell_floor(high, face->fraction_bits)};
    samples.first = samples.first < first ? first : samples.first;
    samples.last = samples.last > last ? last : samples.last;
    return samples;
}

static scan make_scan(const slv_raster_triangle *face, int axis, bool closed) {
    scan s = {.face = face, .axis = axis, .u = (axis + 1) % 3, .v = (axis + 2) % 3};
    s.turned = face->normal[axis] < 0;
    s.n_axis = s.turned ? -face->normal[axis] : face->normal[axis];
    s.n_u = s.turned ? -face->normal[s.u] : face->normal[s.u];
    s.n_v = s.turned ? -face->normal[s.v] : face->normal[s.v];
    s.n_axis_rounded = (double)s.n_axis;
    s.closed = closed;
    return s;
}

void slv_raster_triangle_columns(const slv_raster_triangle *face, int axis, const slv_slab *slab,
                                 bool closed, slv_column_visit *visit, void *context) {
    const span across_u = axis_span(face, (axis + 1) % 3, slab);
    const span across_v = axis_span(face, (axis + 2) % 3, slab);
    if (across_u.first > across_u.last || across_v.first > across_v.last) {
        return;
    }
    const scan s = make_scan(face, axis, closed);
    const unsigned bits = face->fraction_bits;
    for (int64_t v = across_v.first; v <= across_v.last; v++) {
        const span columns = line_span(&s, v, across_u);
        for (int64_t u = columns.first; u <= columns.last; u++) {
            if (passes(&s, u << bits, v << bits)) {
                visit(context, face, u, v, height_at(&s, u, v));
            }
        }
    }
}

int slv_raster_triangle_winding(const slv_raster_triangle *face, const int64_t point[3]) {
    if (face->normal[0] == 0) {
        return 0;
    }
    const scan s = make_scan(face, 0, false);
    if (!passes(&s, point[1], point[2])) {
        return 0;
    }
    const int64_t *a = face->corners[0];
    const slv_wide drop = s.n_u * (point[1] - a[1]) + s.n_v * (point[2] - a[2]);
    const bool behind = (a[0] - point[0]) * s.n_axis < drop;
    return !behind ? 0 : (s.turned ? 1 : -1);
}
