// SPDX-License-Identifier: MIT
#include "tools/voxelize/solid_angle.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
// Of the product of three lengths: below it the sign of a triple product is not certain. Its rounding error is at
// most about 2e-15 of it.
static const double UNCERTAIN = 1e-12;

// atan for 0 <= t <= 1: two halvings of the angle bring t below 0.2, where ten terms of the series
// are accurate to the last place.
static double small_angle(double t) {
    t = t / (1.0 + sqrt(1.0 + t * t));
    t = t / (1.0 + sqrt(1.0 + t * t));
    const double square = t * t;
    double sum = 0.0;
    for (int power = 21; power >= 1; power -= 2) {
        sum = 1.0 / power - square * sum;
    }
    return 4.0 * t * sum;
}

double slv_angle(double y, double x) {
    const double ax = fabs(x);
    const double ay = fabs(y);
    if (ax == 0.0 && ay == 0.0) {
        return 0.0;
    }
    double angle = ay <= ax ? small_angle(ay / ax) : 0.5 * pi - small_angle(ax / ay);
    angle = x < 0.0 ? pi - angle : angle;
    return y < 0.0 ? -angle : angle;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double slv_solid_angle_winding(const slv_solid_angle *turn) {
    return slv_angle(turn->im, turn->re) / (2.0 * pi) + (double)turn->turns;
}

static void multiply(slv_solid_angle *turn, double re, double im) {
    const double new_re = turn->re * re - turn->im * im;
    const double new_im = turn->re * im + turn->im * re;
    const double size = fabs(new_re) + fabs(new_im);
    if (!(size > 0.0)) { // on a corner or an edge: the angle is undefined
        return;
    }
    if (turn->im >= 0.0 && im >= 0.0 && new_im < 0.0) {
        turn->turns++;
    } else if (turn->im < 0.0 && im < 0.0 && new_im >= 0.0) {
        turn->turns--;
    }
    turn->re = new_re / size;
    turn->im = new_im / size;
}

// The real part that belongs to the imaginary part a·(b x c), and |a| |b| |c|.
static double real_part(const double a[3], const double b[3], const double c[3], double *lengths) {
    const double la = sqrt(dot(a, a));
    const double lb = sqrt(dot(b, b));
    const double lc = sqrt(dot(c, c));
    *lengths = la * lb * lc;
    return *lengths + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
}

static double triple(const double a[3], const double b[3], const double c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

void slv_solid_angle_add(slv_solid_angle *turn, const double a[3], const double b[3],
                         const double c[3]) {
    double lengths;
    const double re = real_part(a, b, c, &lengths);
    multiply(turn, re, triple(a, b, c));
}

// The triple product of differences below 2^39 stays below 2^121.
static slv_wide exact_triple(int64_t v[3][3]) {
    slv_wide normal[3];
    const int64_t origin[3] = {0, 0, 0};
    slv_snapped_normal(origin, v[1], v[2], normal);
    return normal[0] * v[0][0] + normal[1] * v[0][1] + normal[2] * v[0][2];
}

bool slv_solid_angle_add_exact(slv_solid_angle *turn, int weight, const int64_t *const corners[3],
                               const int64_t point[3]) {
    int64_t whole[3][3];
    double v[3][3];
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            whole[corner][axis] = corners[corner][axis] - point[axis];
            v[corner][axis] = (double)whole[corner][axis];
        }
    }
    double lengths;
    const double re = real_part(v[0], v[1], v[2], &lengths);
    double im = triple(v[0], v[1], v[2]);
    if (fabs(im) <= UNCERTAIN * lengths) {
        im = (double)exact_triple(whole);
        if (im == 0.0 && re <= UNCERTAIN * lengths) {
            return true;
        }
    }
    multiply(turn, re, weight < 0 ? -im : im);
    return false;
}
