// SPDX-License-Identifier: MIT
#include "tools/bake-collider/points.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void subtract(const double *a, const double *b, double *c) {
    for (int d = 0; d < 3; d++) {
        c[d] = a[d] - b[d];
    }
}

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalize(double *a) {
    const double length = sqrt(dot(a, a));
    for (int d = 0; d < 3; d++) {
        a[d] = length > 0.0 ? a[d] / length : 0.0;
    }
    return length > 0.0;
}

// Orthonormal frame of a triangle; the world axes where it is degenerate.
static void triangle_axes(const uint32_t vertex[3], const double *positions, double axes[3][3]) {
    const double *a = positions + 3 * (size_t)vertex[0];
    double across[3];
    subtract(positions + 3 * (size_t)vertex[1], a, axes[0]);
    subtract(positions + 3 * (size_t)vertex[2], a, across);
    cross(axes[0], across, axes[2]);
    if (!normalize(axes[0]) || !normalize(axes[2])) {
        memset(axes, 0, 9 * sizeof axes[0][0]);
        axes[0][0] = axes[1][1] = axes[2][2] = 1.0;
        return;
    }
    cross(axes[2], axes[0], axes[1]);
}

static void evaluate_point(const slv_point *point, const double *positions, double *at) {
    const double *a = positions + 3 * (size_t)point->vertex[0];
    const double *b = positions + 3 * (size_t)point->vertex[1];
    const double *c = positions + 3 * (size_t)point->vertex[2];
    for (int d = 0; d < 3; d++) {
        at[d] = point->weight[0] * a[d] + point->weight[1] * b[d] + point->weight[2] * c[d];
    }
    if (point->has_offset) {
        double axes[3][3];
        triangle_axes(point->vertex, positions, axes);
        for (int d = 0; d < 3; d++) {
            at[d] += point->offset[0] * axes[0][d] + point->offset[1] * axes[1][d] +
                     point->offset[2] * axes[2][d];
        }
    }
}

void slv_points_evaluate(const slv_point *points, uint32_t count, const double *positions,
                         double *point_positions) {
    for (uint32_t i = 0; i < count; i++) {
        evaluate_point(&points[i], positions, point_positions + 3 * (size_t)i);
    }
}

// --- Binding ------------------------------------------------------------------------------------

static double clamp(double value) {
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

// Weight of b for the point of segment a b nearest to p; returns the squared distance.
static double nearest_on_edge(const double *a, const double *b, const double *p, double *share) {
    double edge[3];
    double arm[3];
    subtract(b, a, edge);
    subtract(p, a, arm);
    const double length = dot(edge, edge);
    *share = length > 0.0 ? clamp(dot(arm, edge) / length) : 0.0;
    double sum = 0.0;
    for (int d = 0; d < 3; d++) {
        const double gap = arm[d] - *share * edge[d];
        sum += gap * gap;
    }
    return sum;
}

// The perpendicular projection where it is inside the triangle, otherwise the nearest point of the
// edges.
static double nearest_on_triangle(const double *corners[3], const double *p, double weight[3]) {
    double ab[3];
    double ac[3];
    double ap[3];
    subtract(corners[1], corners[0], ab);
    subtract(corners[2], corners[0], ac);
    subtract(p, corners[0], ap);
    const double e = dot(ab, ab);
    const double f = dot(ab, ac);
    const double g = dot(ac, ac);
    const double u = dot(ab, ap);
    const double v = dot(ac, ap);
    const double area = e * g - f * f;
    const double s = g * u - f * v;
    const double t = e * v - f * u;
    if (area > 0.0 && s >= 0.0 && t >= 0.0 && s + t <= area) {
        weight[1] = s / area;
        weight[2] = t / area;
        weight[0] = 1.0 - weight[1] - weight[2];
        double sum = 0.0;
        for (int d = 0; d < 3; d++) {
            const double gap = ap[d] - weight[1] * ab[d] - weight[2] * ac[d];
            sum += gap * gap;
        }
        return sum;
    }
    double best = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double share = 0.0;
        const double distance = nearest_on_edge(corners[k], corners[(k + 1) % 3], p, &share);
        if (distance < best) {
            best = distance;
            weight[k] = 1.0 - share;
            weight[(k + 1) % 3] = share;
            weight[(k + 2) % 3] = 0.0;
        }
    }
    return best;
}

slv_point slv_points_bind(const uint32_t *triangles, uint32_t triangle_count,
                          const double *positions, const double near[3], const double target[3]) {
    slv_point best = {.vertex = {0}};
    double least = HUGE_VAL;
    for (uint32_t t = 0; t < triangle_count; t++) {
        const uint32_t *vertex = triangles + 3 * (size_t)t;
        const double *corners[3];
        double weight[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = positions + 3 * (size_t)vertex[k];
        }
        const double distance = nearest_on_triangle(corners, near, weight);
        if (distance < least) {
            least = distance;
            memcpy(best.vertex, vertex, sizeof best.vertex);
            memcpy(best.weight, weight, sizeof best.weight);
        }
    }
    double foot[3];
    double gap[3];
    double axes[3][3];
    evaluate_point(&best, positions, foot);
    subtract(target, foot, gap);
    triangle_axes(best.vertex, positions, axes);
    for (int k = 0; k < 3; k++) {
        best.offset[k] = dot(gap, axes[k]);
    }
    best.has_offset = dot(gap, gap) > 0.0;
    return best;
}
