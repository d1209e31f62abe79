// SPDX-License-Identifier: MIT
// The nearest points of a vertex and a triangle, or of two edges, and how long two such primitives stay apart on
// linear paths.
//
// Both kinds have four corners: the vertex and the triangle's, or the ends of one edge and of the other. The first
// primitive has the first `slv_first_corners` of them. The vector from the second primitive to the first is a weighted
// sum of the corners: weights of the first add up to 1, those of the second to -1.
//
// Two convex primitives are apart at a time where a plane has all corners of one on one side and all corners of the
// other on the other side. Along a fixed normal the gap between two corners is linear in time. So a plane that
// separates at two times separates at all times between them (slv_stay_apart).
#ifndef SLV_KERNELS_PROXIMITY_H
#define SLV_KERNELS_PROXIMITY_H

#include "kernels/shapes.h"

enum { SLV_VERTEX_TRIANGLE = 0, SLV_EDGE_EDGE = 1, SLV_CORNERS = 4 };

#define SLV_PARALLEL 1e-6f // square of the sine of an angle below which edges count as parallel
// Metres: primitives nearer than this count as touching. Above the rounding of positions within 8 m of the origin.
#define SLV_TOUCHING 1e-6f
// Of a squared distance: that of the ends of almost parallel edges must be below it.
#define SLV_NEARER 0.98f
#define SLV_NORMALS_AGREE 0.9f  // cosine of an angle between two normals
#define SLV_APART_ROUNDS 12     // planes that are tried one after another
#define SLV_APART_ANY (-1.0f)   // start_part of slv_stay_apart that does not count
#define SLV_APART_STOP 1.02f    // of a gap: nearer than this is near enough to end the search
#define SLV_APART_ADVANCE 1e-4f // of a path that a plane must gain

typedef struct slv_proximity {
    slv_vector normal; // unit, from the second primitive to the first
    float distance;    // metres
    float weights[SLV_CORNERS];
} slv_proximity;

SLV_INLINE int slv_first_corners(int kind) {
    return kind == SLV_EDGE_EDGE ? 2 : 1;
}

SLV_INLINE slv_vector slv_cross(slv_vector a, slv_vector b) {
    return slv_make_vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// 0 where the denominator is not above 0.
SLV_INLINE float slv_ratio(float numerator, float denominator) {
    return denominator > 0.0f ? numerator / denominator : 0.0f;
}

SLV_INLINE void slv_set_weights(SLV_PRIVATE slv_proximity *near, float a, float b, float c,
                                float d) {
    near->weights[0] = a;
    near->weights[1] = b;
    near->weights[2] = c;
    near->weights[3] = d;
}

// The point of a triangle nearest to x[0], by the region of the triangle's plane over which it lies. A triangle without
// area has no inner region.
SLV_INLINE void slv_weigh_vertex_triangle(const SLV_PRIVATE slv_vector *x,
                                          SLV_PRIVATE slv_proximity *near) {
    slv_vector ab = slv_subtract(x[2], x[1]);
    slv_vector ac = slv_subtract(x[3], x[1]);
    slv_vector ap = slv_subtract(x[0], x[1]);
    slv_vector bp = slv_subtract(x[0], x[2]);
    slv_vector cp = slv_subtract(x[0], x[3]);
    float ab_a = slv_dot(ab, ap);
    float ac_a = slv_dot(ac, ap);
    float ab_b = slv_dot(ab, bp);
    float ac_b = slv_dot(ac, bp);
    float ab_c = slv_dot(ab, cp);
    float ac_c = slv_dot(ac, cp);
    float area_c =
        ab_a * ac_b - ab_b * ac_a; // twice the area opposite c times that of the triangle
    float area_b = ab_c * ac_a - ab_a * ac_c;
    float area_a = ab_b * ac_c - ab_c * ac_b;
    float inner = area_a + area_b + area_c;
    if (ab_a <= 0.0f && ac_a <= 0.0f) {
        slv_set_weights(near, 1.0f, -1.0f, 0.0f, 0.0f);
    } else if (ab_b >= 0.0f && ac_b <= ab_b) {
        slv_set_weights(near, 1.0f, 0.0f, -1.0f, 0.0f);
    } else if (ac_c >= 0.0f && ab_c <= ac_c) {
        slv_set_weights(near, 1.0f, 0.0f, 0.0f, -1.0f);
    } else if (area_c <= 0.0f && ab_a >= 0.0f && ab_b <= 0.0f && ab_a > ab_b) {
        float along = slv_ratio(ab_a, ab_a - ab_b);
        slv_set_weights(near, 1.0f, along - 1.0f, 0.0f - along, 0.0f);
    } else if (area_b <= 0.0f && ac_a >= 0.0f && ac_c <= 0.0f && ac_a > ac_c) {
        float along = slv_ratio(ac_a, ac_a - ac_c);
        slv_set_weights(near, 1.0f, along - 1.0f, 0.0f, 0.0f - along);
    } else if ((area_a <= 0.0f || !(inner > 0.0f)) && ac_b - ab_b >= 0.0f && ab_c - ac_c >= 0.0f) {
        float along = slv_ratio(ac_b - ab_b, (ac_b - ab_b) + (ab_c - ac_c));
        slv_set_weights(near, 1.0f, 0.0f, along - 1.0f, 0.0f - along);
    } else {
        float b = slv_ratio(area_b, inner);
        float c = slv_ratio(area_c, inner);
        slv_set_weights(near, 1.0f, b + c - 1.0f, 0.0f - b, 0.0f - c);
    }
}

// The point of the other edge nearest to the point s of the first, and the point of the first nearest to that.
SLV_INLINE void slv_meet_edge(float a, float b, float c, float e, float f, SLV_PRIVATE float *s,
                              SLV_PRIVATE float *t) {
    *t = slv_ratio(b * *s + f, e);
    if (!(*t > 0.0f) || *t >= 1.0f) { // at an end of the other edge
        *t = *t >= 1.0f ? 1.0f : 0.0f;
        *s = slv_clamp(slv_ratio(*t * b - c, a), 0.0f, 1.0f);
    }
}

// The points of two edges nearest to each other. Edges that are almost parallel are nearest at an end of where they lie
// beside each other, or all along; then these are the points in the middle. An edge without length is its first end.
SLV_INLINE void slv_weigh_edges(const SLV_PRIVATE slv_vector *x, SLV_PRIVATE slv_proximity *near) {
    slv_vector one = slv_subtract(x[1], x[0]);
    slv_vector other = slv_subtract(x[3], x[2]);
    slv_vector between = slv_subtract(x[0], x[2]);
    float a = slv_dot(one, one);
    float e = slv_dot(other, other);
    float b = slv_dot(one, other);
    float c = slv_dot(one, between);
    float f = slv_dot(other, between);
    float determinant = a * e - b * b;
    float s = 0.0f;
    float t = 0.0f;
    if (determinant > SLV_PARALLEL * a * e || !(a > 0.0f && e > 0.0f)) {
        s = slv_clamp(slv_ratio(b * f - c * e, determinant), 0.0f, 1.0f);
        slv_meet_edge(a, b, c, e, f, &s, &t);
    } else { // where the ends of the other lie along this one
        float begin = slv_clamp((0.0f - c) / a, 0.0f, 1.0f);
        float end = slv_clamp((b - c) / a, 0.0f, 1.0f);
        float least = SLV_FAR;
        for (int n = 0; n < 3; n++) {
            float along = n == 0 ? 0.5f * (begin + end) : n == 1 ? begin : end;
            float across = 0.0f;
            slv_meet_edge(a, b, c, e, f, &along, &across);
            slv_vector apart =
                slv_add_scaled(slv_add_scaled(between, along, one), 0.0f - across, other);
            float square = slv_dot(apart, apart);
            if (square < SLV_NEARER * least) {
                least = square;
                s = along;
                t = across;
            }
        }
    }
    slv_set_weights(near, 1.0f - s, s, t - 1.0f, 0.0f - t);
}

SLV_INLINE slv_vector slv_sum_weighted(const SLV_PRIVATE slv_vector *x,
                                       const SLV_PRIVATE float *weights) {
    slv_vector sum = slv_make_vector(0.0f, 0.0f, 0.0f);
    for (int n = 0; n < SLV_CORNERS; n++) {
        sum = slv_add_scaled(sum, weights[n], slv_subtract(x[n], x[SLV_CORNERS - 1]));
    }
    return sum; // weights add up to 0: differences are exact where positions are near each other
}

// The normal of the triangle, or across both edges, scaled by its area; 0 of parallel edges and of triangles without area.
SLV_INLINE slv_vector slv_find_area(const SLV_PRIVATE slv_vector *x, int kind) {
    slv_vector one =
        slv_subtract(x[kind == SLV_EDGE_EDGE ? 1 : 2], x[kind == SLV_EDGE_EDGE ? 0 : 1]);
    slv_vector other = slv_subtract(x[3], x[kind == SLV_EDGE_EDGE ? 2 : 1]);
    slv_vector area = slv_cross(one, other);
    int flat = !(slv_dot(area, area) > SLV_PARALLEL * slv_dot(one, one) * slv_dot(other, other));
    return flat ? slv_make_vector(0.0f, 0.0f, 0.0f) : area;
}

// Whether the nearest points lie within the triangle, or within both edges.
SLV_INLINE int slv_is_inner(const SLV_PRIVATE slv_proximity *near) {
    int inner = 1;
    for (int n = 1; n < SLV_CORNERS; n++) {
        inner &= near->weights[n] > 0.0f || near->weights[n] < 0.0f;
    }
    return inner && (near->weights[0] > 0.0f || near->weights[0] < 0.0f);
}

// The direction between the nearest points. Where these are inner ones it is that of the area, which is exact for small
// distances too; but not where it is far from the other, as it may be of edges that are almost parallel. Where the
// primitives touch it is that of the area, or y without any.
SLV_NOINLINE slv_proximity slv_find_proximity(const SLV_PRIVATE slv_vector *x, int kind) {
    slv_proximity near;
    if (kind == SLV_EDGE_EDGE) {
        slv_weigh_edges(x, &near);
    } else {
        slv_weigh_vertex_triangle(x, &near);
    }
    slv_vector apart = slv_sum_weighted(x, near.weights);
    slv_vector area = slv_find_area(x, kind);
    near.distance = slv_length(apart);
    float size = slv_length(area);
    int touching = !(near.distance > SLV_TOUCHING);
    float along = slv_dot(area, apart);
    int agree = slv_absolute(along) >= SLV_NORMALS_AGREE * size * near.distance;
    int by_area = size > 0.0f && (touching || (agree && slv_is_inner(&near)));
    float sign = along < 0.0f ? -1.0f : 1.0f;
    float scale = sign / (by_area ? size : 1.0f);
    near.normal = slv_make_vector(0.0f, 1.0f, 0.0f);
    if (by_area) {
        near.normal = slv_make_vector(scale * area.x, scale * area.y, scale * area.z);
    } else if (!touching) {
        near.normal = slv_make_vector(apart.x / near.distance, apart.y / near.distance,
                                      apart.z / near.distance);
    }
    return near;
}

// The least gap between a corner of the first primitive and one of the second along a normal; below 0 where the normal
// does not separate them.
SLV_INLINE float slv_find_separation(const SLV_PRIVATE slv_vector *x, int kind, slv_vector normal) {
    int first = slv_first_corners(kind);
    float least = SLV_FAR;
    for (int i = 0; i < first; i++) {
        for (int j = first; j < SLV_CORNERS; j++) {
            least = slv_min(least, slv_dot(normal, slv_subtract(x[i], x[j])));
        }
    }
    return least;
}

// How far along their paths, from fraction `from` on, all corners of the first primitive keep a gap to all corners of
// the second along a normal: a fraction up to 1; `from` where they do not have it there.
SLV_INLINE float slv_advance_along(const SLV_PRIVATE slv_vector *begins,
                                   const SLV_PRIVATE slv_vector *moves, int kind, slv_vector normal,
                                   float gap, float from) {
    int first = slv_first_corners(kind);
    float now[SLV_CORNERS];
    float end[SLV_CORNERS];
    float reached = 1.0f;
    for (int n = 0; n < SLV_CORNERS; n++) { // relative to a corner, whose motion all may share
        slv_vector begin = slv_subtract(begins[n], begins[0]);
        slv_vector move = slv_subtract(moves[n], moves[0]);
        now[n] = slv_dot(normal, slv_add_scaled(begin, from, move));
        end[n] = slv_dot(normal, slv_add_scaled(begin, 1.0f, move));
    }
    for (int i = 0; i < first; i++) {
        for (int j = first; j < SLV_CORNERS; j++) {
            float here = now[i] - now[j];
            float there = end[i] - end[j];
            float part = there >= gap ? 1.0f : slv_ratio(here - gap, here - there);
            reached = slv_min(reached, here < gap ? from : from + part * (1.0f - from));
        }
    }
    return reached;
}

// How far along linear paths, begins + t moves, two primitives keep a gap: a fraction t up to 1. From each time reached,
// the plane between the nearest points goes on until it no longer separates. 0 where they are nearer than the gap. The
// paths up to the fraction are certain to keep the gap but for rounding; they may keep it for longer. `near` is the
// proximity at the time reached, or at that of the last plane where that is 1.
//
// start_part: the gap is at most this part of the separation at the begin, so that what does not move always stays
// apart; below 0 where that does not count. 2 where the first plane does not separate: nothing is known of the pair.
SLV_NOINLINE float slv_stay_apart(const SLV_PRIVATE slv_vector *begins,
                                  const SLV_PRIVATE slv_vector *moves, int kind, float gap,
                                  float start_part, SLV_PRIVATE slv_proximity *near) {
    float reached = 0.0f;
    float least = gap;
    for (int n = 0; n < SLV_APART_ROUNDS; n++) {
        slv_vector x[SLV_CORNERS];
        for (int c = 0; c < SLV_CORNERS; c++) {
            x[c] = slv_add_scaled(slv_subtract(begins[c], begins[0]), reached,
                                  slv_subtract(moves[c], moves[0]));
        }
        *near = slv_find_proximity(x, kind);
        if (n == 0 && start_part > 0.0f) {
            float apart = slv_find_separation(x, kind, near->normal);
            if (!(apart > 0.0f)) {
                return 2.0f;
            }
            least = slv_min(gap, start_part * apart);
        }
        if (reached > 0.0f && near->distance <= SLV_APART_STOP * least) {
            return reached;
        }
        float next = slv_advance_along(begins, moves, kind, near->normal, least, reached);
        if (next >= 1.0f || next < reached + SLV_APART_ADVANCE) {
            return next;
        }
        reached = next;
    }
    return reached;
}

#endif
