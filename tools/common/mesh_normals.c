// SPDX-License-Identifier: MIT
#include "tools/common/mesh_normals.h"

#include <math.h>
#include <stdlib.h>

// Angle weights (Thürmer and Wüthrich 1998) make the result independent of the triangulation of
// flat sides. Only +, -, *, / and square roots are used, so the result has the same bits on every
// machine.

// acos for x in [-1, 1] by Abramowitz and Stegun 4.4.46; error at most 2e-8.
static double arc_cosine(double x) {
    static const double c[] = {1.5707963050, -0.2145988016, 0.0889789874, -0.0501743046,
                               0.0308918810, -0.0170881256, 0.0066700901, -0.0012624911};
    double z = fabs(x);
    double sum = c[7];
    for (int i = 6; i >= 0; i--) {
        sum = sum * z + c[i];
    }
    double angle = sqrt(1.0 - z) * sum;
    return x < 0.0 ? 3.14159265358979323846 - angle : angle;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// False for vectors of length zero or not finite.
static bool normalize(double v[3]) {
    double length = sqrt(dot(v, v));
    if (!(length > 0.0)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
    return true;
}

// Unit vectors along the sides (0-1, 1-2, 2-0) and the unit normal.
static void triangle_frame(const slv_mesh *mesh, uint32_t triangle, double sides[3][3],
                           double normal[3]) {
    uint32_t points[3];
    slv_mesh_corner_points(mesh, triangle, points);
    for (int c = 0; c < 3; c++) {
        const double *from = mesh->points + 3 * (size_t)points[c];
        const double *to = mesh->points + 3 * (size_t)points[(c + 1) % 3];
        for (int k = 0; k < 3; k++) {
            sides[c][k] = to[k] - from[k];
        }
        (void)normalize(sides[c]);
    }
    normal[0] = sides[0][1] * sides[1][2] - sides[0][2] * sides[1][1];
    normal[1] = sides[0][2] * sides[1][0] - sides[0][0] * sides[1][2];
    normal[2] = sides[0][0] * sides[1][1] - sides[0][1] * sides[1][0];
    (void)normalize(normal);
}

static void sum_around_points(const slv_mesh *mesh, double *sums) {
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double sides[3][3];
        double normal[3];
        triangle_frame(mesh, t, sides, normal);
        uint32_t points[3];
        slv_mesh_corner_points(mesh, t, points);
        for (int c = 0; c < 3; c++) {
            double cosine = -dot(sides[c], sides[(c + 2) % 3]);
            double angle = arc_cosine(fmin(1.0, fmax(-1.0, cosine)));
            for (int k = 0; k < 3; k++) {
                sums[3 * (size_t)points[c] + (size_t)k] += angle * normal[k];
            }
        }
    }
}

static bool is_zero(const float *v) {
    return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f;
}

static void store(float *to, const double from[3]) {
    for (int k = 0; k < 3; k++) {
        to[k] = (float)from[k];
    }
}

bool slv_mesh_fill_normals(slv_mesh *mesh) {
    uint32_t missing = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        missing += is_zero(mesh->normals + 3 * (size_t)v) ? 1 : 0;
    }
    if (missing == 0) {
        return true;
    }
    double *sums = calloc(mesh->point_count, 3 * sizeof *sums);
    if (sums == NULL) {
        return false;
    }
    sum_around_points(mesh, sums);
    // Where the normals of a fold cancel, each vertex gets the normal of its first triangle.
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        for (size_t c = 0; c < 3; c++) {
            uint32_t vertex = mesh->triangles[3 * (size_t)t + c];
            float *to = mesh->normals + 3 * (size_t)vertex;
            if (is_zero(to)) {
                const double *sum = sums + 3 * (size_t)mesh->vertex_point[vertex];
                double normal[3] = {sum[0], sum[1], sum[2]};
                if (sqrt(dot(normal, normal)) < 1e-6 || !normalize(normal)) {
                    double sides[3][3];
                    triangle_frame(mesh, t, sides, normal);
                }
                store(to, normal);
            }
        }
    }
    free(sums);
    return true;
}
