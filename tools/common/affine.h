// SPDX-License-Identifier: MIT
// Affine maps and rotations in double precision. The square root is the only function used of the
// maths library, so results have the same bits on every platform.
#ifndef SLV_TOOLS_AFFINE_H
#define SLV_TOOLS_AFFINE_H

typedef struct slv_affine { // rows; the last one, (0, 0, 0, 1), is implied
    double m[3][4];
} slv_affine;

slv_affine slv_affine_identity(void);

// The map a ∘ b: b is applied first.
slv_affine slv_affine_multiply(const slv_affine *a, const slv_affine *b);

// Scale, then rotation (quaternion x, y, z, w of any length except 0), then translation.
slv_affine slv_affine_compose(const double translation[3], const double rotation[4],
                              const double scale[3]);

static inline void slv_affine_apply(const slv_affine *a, const double point[3], double image[3]) {
    for (int r = 0; r < 3; r++) {
        image[r] =
            a->m[r][0] * point[0] + a->m[r][1] * point[1] + a->m[r][2] * point[2] + a->m[r][3];
    }
}

// Spherical linear interpolation between unit quaternions along the shorter arc; t is 0 … 1.
void slv_quaternion_slerp(const double from[4], const double to[4], double t, double rotation[4]);

// Of an angle in degrees; exact at multiples of 90.
void slv_sine_cosine(double degrees, double *sine, double *cosine);

// Rows of the rotation about the axes by degrees[axis]; order 0 … 5: XYZ (about x first), XZY, YZX, YXZ, ZXY, ZYX.
void slv_turn_axes(const double degrees[3], unsigned order, double rows[3][3]);

// Cofactors of the linear part, which turn normals up to the sign of the determinant; returns the determinant.
double slv_affine_cofactors(const slv_affine *map, double cofactors[3][3]);

void slv_multiply_rows(double a[3][3], double b[3][3], double product[3][3]);

// Scales a quaternion to unit length; zero becomes the identity.
void slv_quaternion_normalize(double rotation[4]);

#endif
