// SPDX-License-Identifier: MIT
// The signed distance of a point from a shape and the outward normal, each in the shape's own frame.
// Distances are exact (a funnel's to a few parts in a million of its radius, a field's as good as its
// samples), so that sphere tracing does not step over a surface. No shape divides by zero: where every
// direction is equally good, the normal is y.
#ifndef SLV_KERNELS_SHAPES_H
#define SLV_KERNELS_SHAPES_H

#include "kernels/platform.h"

// Kinds of collider. The numbers are stored in snapshots: never renumber, only add.
enum {
    SLV_SHAPE_NONE = 0,
    SLV_SHAPE_PLANE = 1,   // everything below y = 0
    SLV_SHAPE_SPHERE = 2,  // size[0]: radius
    SLV_SHAPE_CAPSULE = 3, // size[0]: radius, size[1]: half the length of its axis, along y
    SLV_SHAPE_BOX = 4,     // size: half extents
    SLV_SHAPE_WEDGE = 5,   // an edge along z at the origin, widening upwards: half the width at the
                           // top, height, half the length
    SLV_SHAPE_FUNNEL =
        6,               // the inside of r = e^(y/a): a, lowest y, highest y, thickness of the wall
    SLV_SHAPE_FIELD = 7, // samples of a signed distance (slv_field)
    SLV_SHAPE_COUNT = 8
};

#define SLV_FAR 1e9f // metres: farther than any contact

typedef struct slv_vector {
    float x, y, z;
} slv_vector;

// Signed distance to a surface, below 0 inside, and the unit normal that leads outwards.
typedef struct slv_gap {
    float distance;
    slv_vector normal;
} slv_gap;

// --- Arithmetic -----------------------------------------------------------------------------------------

SLV_INLINE float slv_max(float a, float b) {
    return a > b ? a : b;
}

SLV_INLINE float slv_min(float a, float b) {
    return a < b ? a : b;
}

SLV_INLINE float slv_clamp(float value, float low, float high) {
    return slv_min(slv_max(value, low), high);
}

SLV_INLINE slv_vector slv_make_vector(float x, float y, float z) {
    slv_vector made;
    made.x = x;
    made.y = y;
    made.z = z;
    return made;
}

SLV_INLINE float slv_dot(slv_vector a, slv_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SLV_INLINE slv_vector slv_subtract(slv_vector a, slv_vector b) {
    return slv_make_vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

// a + s b
SLV_INLINE slv_vector slv_add_scaled(slv_vector a, float s, slv_vector b) {
    return slv_make_vector(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

SLV_INLINE float slv_length(slv_vector a) {
    return slv_square_root(slv_dot(a, a));
}

// e^x to the last bit or two, the same on every device. x beyond +-80 counts as +-80.
SLV_INLINE float slv_exponential(float x) {
    float bounded = slv_clamp(x, -80.0f, 80.0f);
    float scaled = bounded * 1.44269504f;
    int whole = (int)(scaled + (scaled < 0.0f ? -0.5f : 0.5f));
    float remainder = bounded - (float)whole * 0.693359375f; // ln 2 in two parts
    remainder = remainder + (float)whole * 2.12194440e-4f;
    float sum = 1.0f / 5040.0f; // the series to the seventh power: |remainder| <= ln 2 / 2
    sum = sum * remainder + 1.0f / 720.0f;
    sum = sum * remainder + 1.0f / 120.0f;
    sum = sum * remainder + 1.0f / 24.0f;
    sum = sum * remainder + 1.0f / 6.0f;
    sum = sum * remainder + 0.5f;
    sum = sum * remainder + 1.0f;
    sum = sum * remainder + 1.0f;
    int steps = whole < 0 ? -whole : whole;
    float factor = whole < 0 ? 0.5f : 2.0f;
    for (int bit = 0; bit < 7; bit++) {
        sum = (steps >> bit & 1) != 0 ? sum * factor : sum;
        factor = factor * factor;
    }
    return sum;
}

// --- Round shapes ---------------------------------------------------------------------------------------

// A sphere around the origin; at its center the normal is y.
SLV_INLINE slv_gap slv_sphere_gap(slv_vector p, float radius) {
    float square = slv_dot(p, p);
    float length = slv_square_root(square);
    float scale = square > 0.0f ? 1.0f / length : 0.0f;
    slv_gap gap;
    gap.distance = length - radius;
    gap.normal.x = scale * p.x;
    gap.normal.y = square > 0.0f ? scale * p.y : 1.0f;
    gap.normal.z = scale * p.z;
    return gap;
}

// --- Edged shapes ---------------------------------------------------------------------------------------

// Outside, the distance to the nearest face, edge or corner; inside, to the nearest face.
SLV_INLINE slv_gap slv_box_gap(slv_vector p, slv_vector halved) {
    float ex = slv_absolute(p.x) - halved.x;
    float ey = slv_absolute(p.y) - halved.y;
    float ez = slv_absolute(p.z) - halved.z;
    float ox = slv_max(ex, 0.0f);
    float oy = slv_max(ey, 0.0f);
    float oz = slv_max(ez, 0.0f);
    float square = ox * ox + oy * oy + oz * oz;
    float length = slv_square_root(square);
    float scale = square > 0.0f ? 1.0f / length : 0.0f;
    float nearest = slv_max(ey, slv_max(ex, ez));
    int inside = !(square > 0.0f);
    int along_y = ey >= nearest;
    int along_x = !along_y && ex >= nearest;
    float nx = inside ? (along_x ? 1.0f : 0.0f) : scale * ox;
    float ny = inside ? (along_y ? 1.0f : 0.0f) : scale * oy;
    float nz = inside ? (along_x || along_y ? 0.0f : 1.0f) : scale * oz;
    slv_gap gap;
    gap.distance = inside ? nearest : length;
    gap.normal.x = p.x < 0.0f ? 0.0f - nx : nx;
    gap.normal.y = p.y < 0.0f ? 0.0f - ny : ny;
    gap.normal.z = p.z < 0.0f ? 0.0f - nz : nz;
    return gap;
}

// In the plane of a wedge's cross-section: a triangle with corners (0, 0), (width, height) and (-width,
// height). x must not be negative; normal.z stays 0.
SLV_INLINE slv_gap slv_triangle_gap(float x, float y, float width, float height) {
    float side = slv_square_root(width * width + height * height);
    float reciprocal = side > 0.0f ? 1.0f / side : 0.0f;
    float slope = (height * x - width * y) * reciprocal; // beyond the side, to its right
    float top = y - height;
    float along = slv_clamp((width * x + height * y) * reciprocal, 0.0f, side) * reciprocal;
    float sx = x - along * width;
    float sy = y - along * height;
    float tx = slv_max(x - width, 0.0f);
    float side_square = sx * sx + sy * sy;
    float top_square = tx * tx + top * top;
    slv_gap gap;
    gap.normal.z = 0.0f;
    if (slope <= 0.0f && top <= 0.0f) { // inside
        int through_top = top > slope || !(side > 0.0f);
        gap.distance = slv_max(top, side > 0.0f ? slope : top);
        gap.normal.x = through_top ? 0.0f : height * reciprocal;
        gap.normal.y = through_top ? 1.0f : 0.0f - width * reciprocal;
        return gap;
    }
    int above = top > 0.0f && top_square <= side_square;
    float dx = above ? tx : sx;
    float dy = above ? top : sy;
    float square = dx * dx + dy * dy;
    float length = slv_square_root(square);
    float scale = square > 0.0f ? 1.0f / length : 0.0f;
    gap.distance = length;
    gap.normal.x = scale * dx;
    gap.normal.y = square > 0.0f ? scale * dy : 1.0f;
    return gap;
}

SLV_INLINE slv_gap slv_wedge_gap(slv_vector p, float width, float height, float halved) {
    slv_gap flat = slv_triangle_gap(slv_absolute(p.x), p.y, width, height);
    float end = slv_absolute(p.z) - halved;
    float across = slv_max(flat.distance, 0.0f);
    float beyond = slv_max(end, 0.0f);
    float length = slv_square_root(across * across + beyond * beyond);
    slv_gap gap = flat;
    if (length > 0.0f) {
        gap.distance = length;
        gap.normal.x = flat.normal.x * (across / length);
        gap.normal.y = flat.normal.y * (across / length);
        gap.normal.z = beyond / length;
    } else if (end > flat.distance) {
        gap.distance = end;
        gap.normal.x = 0.0f;
        gap.normal.y = 0.0f;
        gap.normal.z = 1.0f;
    }
    gap.normal.x = p.x < 0.0f ? 0.0f - gap.normal.x : gap.normal.x;
    gap.normal.z = p.z < 0.0f ? 0.0f - gap.normal.z : gap.normal.z;
    return gap;
}

// --- The funnel -----------------------------------------------------------------------------------------

// The inside is free space. Beyond the thickness of the wall, and above and below the funnel, there is
// no contact. The nearest point of the profile is found by Newton's method.
SLV_INLINE slv_gap slv_funnel_gap(slv_vector p, float a, float low, float high, float wall) {
    slv_gap gap;
    gap.distance = SLV_FAR;
    gap.normal = slv_make_vector(0.0f, 1.0f, 0.0f);
    if (!(p.y >= low && p.y <= high)) {
        return gap;
    }
    float across = slv_square_root(p.x * p.x + p.z * p.z);
    float y = p.y;
    float radius = slv_exponential(y / a);
    for (int n = 0; n < 6; n++) { // of ((r - across)² + (y - p.y)²) / 2
        float slope = radius / a;
        float first = (radius - across) * slope + (y - p.y);
        float second = slope * slope + slv_max((radius - across) * slope / a, 0.0f) + 1.0f;
        y = slv_clamp(y - first / second, low, high);
        radius = slv_exponential(y / a);
    }
    float dr = radius - across;
    float dy = y - p.y;
    float length = slv_square_root(dr * dr + dy * dy);
    float slope = radius / a;
    float steep = slv_square_root(1.0f + slope * slope);
    int outside = across > slv_exponential(p.y / a);
    gap.distance = outside ? 0.0f - length : length;
    gap.distance = outside && length > wall ? SLV_FAR : gap.distance;
    float inwards = across > 0.0f ? -1.0f / (steep * across) : 0.0f;
    gap.normal = slv_make_vector(inwards * p.x, slope / steep, inwards * p.z);
    if (!(across > 0.0f)) { // on the axis every direction is equally good
        gap.normal.x = -1.0f / steep;
    }
    return gap;
}

// --- Fields ---------------------------------------------------------------------------------------------

// Samples of a signed distance at origin + (i, j, k) spacing, x fastest.
typedef struct slv_field {
    slv_vector origin;
    float spacing;
    int count[3]; // at least 2 each
    int samples;  // in state
} slv_field;

SLV_INLINE float slv_field_sample(const SLV_GLOBAL float *state, const SLV_PRIVATE slv_field *field,
                                  int i, int j, int k) {
    return state[field->samples + i + field->count[0] * (j + field->count[1] * k)];
}

SLV_INLINE float slv_lerp(float a, float b, float t) {
    return a + t * (b - a);
}

// Distance and gradient by trilinear interpolation; beyond the samples the distance to their box is
// added.
SLV_INLINE slv_gap slv_field_gap(const SLV_GLOBAL float *state, const SLV_PRIVATE slv_field *field,
                                 slv_vector p) {
    float coordinate[3];
    float beyond[3];
    int cell[3];
    coordinate[0] = (p.x - field->origin.x) / field->spacing;
    coordinate[1] = (p.y - field->origin.y) / field->spacing;
    coordinate[2] = (p.z - field->origin.z) / field->spacing;
    for (int d = 0; d < 3; d++) {
        float last = (float)(field->count[d] - 1);
        float within = slv_clamp(coordinate[d], 0.0f, last);
        beyond[d] = (coordinate[d] - within) * field->spacing;
        cell[d] = (int)slv_min(within, last - 1.0f);
        coordinate[d] = within - (float)cell[d];
    }
    float at[8];
    for (int n = 0; n < 8; n++) {
        at[n] = slv_field_sample(state, field, cell[0] + (n & 1), cell[1] + (n >> 1 & 1),
                                 cell[2] + (n >> 2));
    }
    float x00 = slv_lerp(at[0], at[1], coordinate[0]);
    float x10 = slv_lerp(at[2], at[3], coordinate[0]);
    float x01 = slv_lerp(at[4], at[5], coordinate[0]);
    float x11 = slv_lerp(at[6], at[7], coordinate[0]);
    float value = slv_lerp(slv_lerp(x00, x10, coordinate[1]), slv_lerp(x01, x11, coordinate[1]),
                           coordinate[2]);
    slv_vector up;
    up.x = slv_lerp(slv_lerp(at[1] - at[0], at[3] - at[2], coordinate[1]),
                    slv_lerp(at[5] - at[4], at[7] - at[6], coordinate[1]), coordinate[2]);
    up.y = slv_lerp(x10 - x00, x11 - x01, coordinate[2]);
    up.z = slv_lerp(x01, x11, coordinate[1]) - slv_lerp(x00, x10, coordinate[1]);
    slv_vector outside = slv_make_vector(beyond[0], beyond[1], beyond[2]);
    float length = slv_length(outside);
    up = length > 0.0f ? outside : up;
    float steep = slv_length(up);
    slv_gap gap;
    gap.distance = length + slv_max(value, length > 0.0f ? 0.0f : value);
    float scale = steep > 0.0f ? 1.0f / steep : 0.0f;
    gap.normal = slv_make_vector(scale * up.x, steep > 0.0f ? scale * up.y : 1.0f, scale * up.z);
    return gap;
}

#endif
