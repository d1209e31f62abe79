// SPDX-License-Identifier: MIT
// Rotation matrices of quaternions, in double precision: not in the inner loops of a step.
#ifndef SLV_RUNTIME_BASE_ROTATION_H
#define SLV_RUNTIME_BASE_ROTATION_H

#include <math.h>

// The matrix of a quaternion (x, y, z, w) of any length but 0.
static inline void slv_rotation_matrix(const float quaternion[4], double matrix[3][3]) {
    double x = (double)quaternion[0];
    double y = (double)quaternion[1];
    double z = (double)quaternion[2];
    double w = (double)quaternion[3];
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    const double rows[3][3] = {
        {1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
        {s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)},
        {s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)},
    };
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            matrix[i][j] = rows[i][j];
        }
    }
}

// The product of two quaternions, which turns by b, then by a.
static inline void slv_rotation_multiply(const double a[4], const double b[4], double product[4]) {
    product[0] = a[3] * b[0] + a[0] * b[3] + (a[1] * b[2] - a[2] * b[1]);
    product[1] = a[3] * b[1] + a[1] * b[3] + (a[2] * b[0] - a[0] * b[2]);
    product[2] = a[3] * b[2] + a[2] * b[3] + (a[0] * b[1] - a[1] * b[0]);
    product[3] = a[3] * b[3] - (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

// The same rotation with length 1.
static inline void slv_rotation_normalize(double quaternion[4]) {
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        square += quaternion[i] * quaternion[i];
    }
    for (int i = 0; i < 4; i++) {
        quaternion[i] /= sqrt(square);
    }
}

#endif
