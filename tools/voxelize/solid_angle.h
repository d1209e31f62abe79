// SPDX-License-Identifier: MIT
// How much of the view from a point triangles fill: their solid angles, summed up. A triangle's is
// twice the argument of a complex number that needs no more than square roots (van Oosterom and
// Strackee 1983), and arguments are added by multiplying: one arc tangent at the end does for all.
#ifndef SLV_VOXELIZE_SOLID_ANGLE_H
#define SLV_VOXELIZE_SOLID_ANGLE_H

#include "tools/voxelize/snapped.h"

#include <stdbool.h>

// The angle of (x, y) from the x axis, within (-pi, pi], from +, -, *, / and sqrt alone: the same
// bits everywhere, unlike libm's. Right to a few units in the last place.
double slv_angle(double y, double x);

// A sum of half solid angles: the argument of re + i im, which is within (-pi, pi], and some turns.
typedef struct slv_solid_angle {
    double re, im;
    int64_t turns;
} slv_solid_angle;

static inline slv_solid_angle slv_solid_angle_zero(void) {
    return (slv_solid_angle){1.0, 0.0, 0};
}

// The sum as a winding number: whole solid angle over 4 pi. A closed surface round the point, its
// triangles anticlockwise as seen from outside, makes 1.
double slv_solid_angle_winding(const slv_solid_angle *turn);

// Corners relative to the point, in any unit.
void slv_solid_angle_add(slv_solid_angle *turn, const double a[3], const double b[3],
                         const double c[3]);

// Weight is +1 or -1; corners and point are in whole units. On which side the point lies is decided
// without rounding. Returns true, with the sum of no more use, where it lies on the triangle itself.
bool slv_solid_angle_add_exact(slv_solid_angle *turn, int weight, const int64_t *const corners[3],
                               const int64_t point[3]);

#endif
