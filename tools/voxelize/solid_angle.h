// SPDX-License-Identifier: MIT
// Sums of signed solid angles of triangles. The solid angle of a triangle is twice the argument of
// a complex number (van Oosterom and Strackee 1983). Arguments are added by multiplying the
// numbers, so one arc tangent at the end is sufficient.
#ifndef SLV_VOXELIZE_SOLID_ANGLE_H
#define SLV_VOXELIZE_SOLID_ANGLE_H

#include "tools/voxelize/snapped.h"

#include <stdbool.h>

// atan2(y, x) in (-pi, pi], from +, -, *, / and sqrt only: the result is the same on every
// platform, unlike that of libm. Accurate to a few units in the last place.
double slv_angle(double y, double x);

// A sum of half solid angles: the argument of re + i im, in (-pi, pi], plus whole turns.
typedef struct slv_solid_angle {
    double re, im;
    int64_t turns;
} slv_solid_angle;

static inline slv_solid_angle slv_solid_angle_zero(void) {
    return (slv_solid_angle){1.0, 0.0, 0};
}

// The sum as a winding number: solid angle over 4 pi. It is 1 inside a closed surface whose
// triangles are counterclockwise seen from outside.
double slv_solid_angle_winding(const slv_solid_angle *turn);

// Corners relative to the point, in any unit.
void slv_solid_angle_add(slv_solid_angle *turn, const double a[3], const double b[3],
                         const double c[3]);

// weight is +1 or -1; corners and point are in integer units. The side of the point is decided
// exactly. Returns true where the point lies on the triangle; the sum is then invalid.
bool slv_solid_angle_add_exact(slv_solid_angle *turn, int weight, const int64_t *const corners[3],
                               const int64_t point[3]);

#endif
