// SPDX-License-Identifier: MIT
#include "tools/bake-collider/stretch.h"

#include <math.h>
#include <stdbool.h>

// The largest length of a vector over all frames is a norm of its coordinates u and v. A vector between two directions
// is a sum of positive multiples of them, so its norm is at most the same sum of their norms. In an equilateral triangle
// the directions are 11 to 19 degrees apart. Neighbors have the determinant 1, so determinants are the multiples.
static const double directions[SLV_STRETCH_DIRECTIONS + 1][2] = {
    {1, 0},  {2, 1},  {1, 1},  {1, 2},  {0, 1},  {-1, 3}, {-1, 2},
    {-2, 3}, {-1, 1}, {-3, 2}, {-2, 1}, {-3, 1}, {-1, 0}};

// Above what rounding takes from a squared length that is computed in double and stored as float.
#define ROUNDING 1e-6

void slv_stretch_measure(const double a[3], const double b[3], const double c[3],
                         float squared[SLV_STRETCH_DIRECTIONS]) {
    double uu = 0.0;
    double uv = 0.0;
    double vv = 0.0;
    for (int d = 0; d < 3; d++) {
        uu += (b[d] - a[d]) * (b[d] - a[d]);
        uv += (b[d] - a[d]) * (c[d] - a[d]);
        vv += (c[d] - a[d]) * (c[d] - a[d]);
    }
    for (int k = 0; k < SLV_STRETCH_DIRECTIONS; k++) {
        const double u = directions[k][0];
        const double v = directions[k][1];
        const float length = (float)(u * u * uu + 2.0 * u * v * uv + v * v * vv);
        squared[k] = length > squared[k] ? length : squared[k];
    }
}

static double determinant(const double a[2], const double b[2]) {
    return a[0] * b[1] - a[1] * b[0];
}

double slv_stretch_bound(const float squared[SLV_STRETCH_DIRECTIONS], double u, double v) {
    const bool turned = v < 0.0 || (v == 0.0 && u < 0.0);
    const double vector[2] = {turned ? -u : u, turned ? -v : v};
    int k = 0;
    while (k + 1 < SLV_STRETCH_DIRECTIONS && determinant(vector, directions[k + 1]) < 0.0) {
        k++;
    }
    const double from = sqrt((double)squared[k]);
    const double to = sqrt((double)squared[(k + 1) % SLV_STRETCH_DIRECTIONS]);
    return (1.0 + ROUNDING) * (determinant(vector, directions[k + 1]) * from +
                               determinant(directions[k], vector) * to);
}
