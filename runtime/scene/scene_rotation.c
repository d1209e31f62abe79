// SPDX-License-Identifier: MIT
#include "runtime/scene/scene_rotation.h"

#include <math.h>
#include <string.h>

// The sine of C libraries differs in the last bit from one machine to the next, and so would the start of a
// scene. Here degrees are reduced exactly to an eighth of a turn, and the Taylor series is evaluated in a
// fixed order with products and sums only.

static const double radians_of_degree = 0.017453292519943295;

// 1 - x²/2! + x⁴/4! … for |x| <= π/4; the first term left out is below 2e-17.
static double cosine_series(double x) {
    double sum = 1.0;
    double term = 1.0;
    for (int n = 2; n <= 16; n += 2) {
        term *= -(x * x) / ((double)n * (double)(n - 1));
        sum += term;
    }
    return sum;
}

// x - x³/3! + x⁵/5! …
static double sine_series(double x) {
    double sum = x;
    double term = x;
    for (int n = 3; n <= 17; n += 2) {
        term *= -(x * x) / ((double)n * (double)(n - 1));
        sum += term;
    }
    return sum;
}

static void sine_and_cosine(double degrees, double *sine, double *cosine) {
    const double quarters = floor(degrees / 90.0 + 0.5);
    const double x = (degrees - 90.0 * quarters) * radians_of_degree;
    const double s = sine_series(x);
    const double c = cosine_series(x);
    switch ((int)quarters & 3) {
    case 0:
        *sine = s;
        *cosine = c;
        break;
    case 1:
        *sine = c;
        *cosine = -s;
        break;
    case 2:
        *sine = -s;
        *cosine = -c;
        break;
    default:
        *sine = -c;
        *cosine = s;
        break;
    }
}

// a after b.
static void multiply(const double a[4], const double b[4], double product[4]) {
    const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    const double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    const double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    memcpy(product, (const double[4]){x, y, z, w}, 4 * sizeof *product);
}

void slv_rotation_from_degrees(const double degrees[3], float rotation[4]) {
    double turned[4] = {0, 0, 0, 1};
    for (int axis = 0; axis < 3; axis++) {
        double turn[4] = {0};
        sine_and_cosine(0.5 * degrees[axis], &turn[axis], &turn[3]);
        multiply(turn, turned, turned);
    }
    (void)slv_rotation_from_quaternion(turned, rotation); // its length is 1 but for rounding
}

bool slv_rotation_from_quaternion(const double quaternion[4], float rotation[4]) {
    double square = 0;
    for (int i = 0; i < 4; i++) {
        square += quaternion[i] * quaternion[i];
    }
    const double length = sqrt(square);
    if (!(length > 1e-6)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        rotation[i] = (float)(quaternion[i] / length);
    }
    return true;
}
