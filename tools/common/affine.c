// SPDX-License-Identifier: MIT
#include "tools/common/affine.h"

#include <math.h>
#include <string.h>

slv_affine slv_affine_identity(void) {
    return (slv_affine){{{1.0}, {0.0, 1.0}, {0.0, 0.0, 1.0}}};
}

slv_affine slv_affine_multiply(const slv_affine *a, const slv_affine *b) {
    slv_affine product;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 4; c++) {
            double sum = c == 3 ? a->m[r][3] : 0.0;
            for (int k = 0; k < 3; k++) {
                sum += a->m[r][k] * b->m[k][c];
            }
            product.m[r][c] = sum;
        }
    }
    return product;
}

double slv_affine_cofactors(const slv_affine *map, double cofactors[3][3]) {
    const double(*m)[4] = map->m;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3;
            const int i2 = (i + 2) % 3;
            const int j1 = (j + 1) % 3;
            const int j2 = (j + 2) % 3;
            cofactors[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    }
    return m[0][0] * cofactors[0][0] + m[0][1] * cofactors[0][1] + m[0][2] * cofactors[0][2];
}

static double dot(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

void slv_quaternion_normalize(double rotation[4]) {
    const double length = sqrt(dot(rotation, rotation));
    for (int k = 0; k < 4; k++) {
        rotation[k] = length > 0.0 ? rotation[k] / length : (k == 3 ? 1.0 : 0.0);
    }
}

slv_affine slv_affine_compose(const double translation[3], const double rotation[4],
                              const double scale[3]) {
    double q[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
    slv_quaternion_normalize(q);
    const double x = q[0];
    const double y = q[1];
    const double z = q[2];
    const double w = q[3];
    const double matrix[3][3] = {
        {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)},
        {2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)},
        {2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)},
    };
    slv_affine result;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            result.m[r][c] = matrix[r][c] * scale[c];
        }
        result.m[r][3] = translation[r];
    }
    return result;
}

// --- Angles -------------------------------------------------------------------------------------

// For 0 … 1: two halvings of the angle give at most 0.2, where 12 terms of the series are
// sufficient.
static double arc_tangent(double x) {
    for (int halving = 0; halving < 2; halving++) {
        x = x / (1.0 + sqrt(1.0 + x * x));
    }
    double sum = 0.0;
    for (int k = 23; k >= 1; k -= 2) {
        sum = 1.0 / k - x * x * sum;
    }
    return 4.0 * x * sum;
}

// For 0 … pi/2, accurate to one or two units in the last place.
static double sine(double x) {
    double sum = 1.0;
    for (int k = 22; k >= 2; k -= 2) {
        sum = 1.0 - x * x / (double)(k * (k + 1)) * sum;
    }
    return x * sum;
}

// For 0 … pi/4.
static double cosine_series(double x) {
    double sum = 1.0;
    for (int k = 18; k >= 2; k -= 2) {
        sum = 1.0 - x * x / (double)(k * (k - 1)) * sum;
    }
    return sum;
}

void slv_sine_cosine(double degrees, double *sine_of, double *cosine_of) {
    static const double radians = 3.14159265358979323846 / 180.0;
    const double turned = fmod(degrees, 360.0); // exact
    const double quarters = floor(turned / 90.0 + 0.5);
    const double x = (turned - 90.0 * quarters) * radians;
    const double s = x < 0.0 ? -sine(-x) : sine(x);
    const double c = cosine_series(x);
    const int quarter = isfinite(degrees) ? ((int)quarters % 4 + 4) % 4 : 0; // else both are NaN
    *sine_of = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    *cosine_of = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

void slv_multiply_rows(double a[3][3], double b[3][3], double product[3][3]) {
    double rows[3][3];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            rows[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c];
        }
    }
    memcpy(product, rows, sizeof rows);
}

void slv_turn_axes(const double degrees[3], unsigned order, double rows[3][3]) {
    static const unsigned char axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                             {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    double product[3][3] = {{1.0}, {0.0, 1.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; k++) {
        const unsigned axis = axes[order][k];
        const unsigned i = (axis + 1) % 3;
        const unsigned j = (axis + 2) % 3;
        double turn[3][3] = {{1.0}, {0.0, 1.0}, {0.0, 0.0, 1.0}};
        double s;
        double c;
        slv_sine_cosine(degrees[axis], &s, &c);
        turn[i][i] = turn[j][j] = c;
        turn[j][i] = s;
        turn[i][j] = -s;
        slv_multiply_rows(turn, product, product);
    }
    memcpy(rows, product, sizeof product);
}

void slv_quaternion_slerp(const double from[4], const double to[4], double t, double rotation[4]) {
    const double sign = dot(from, to) < 0.0 ? -1.0 : 1.0; // q and -q are the same rotation
    double apart = 0.0;
    double along = 0.0;
    for (int k = 0; k < 4; k++) {
        const double difference = sign * to[k] - from[k];
        const double sum = sign * to[k] + from[k];
        apart += difference * difference;
        along += sum * sum;
    }
    const double angle = 2.0 * arc_tangent(sqrt(apart / along)); // 0 … pi/2; along >= 2
    const double whole = sine(angle);
    double a = 1.0 - t;
    double b = t;
    if (whole > 1e-9) {
        a = sine((1.0 - t) * angle) / whole;
        b = sine(t * angle) / whole;
    }
    for (int k = 0; k < 4; k++) {
        rotation[k] = a * from[k] + b * sign * to[k];
    }
    slv_quaternion_normalize(rotation);
}
