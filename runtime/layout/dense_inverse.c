// SPDX-License-Identifier: MIT
#include "runtime/layout/dense_inverse.h"

// By Gauss and Jordan. Such a matrix needs no pivoting.
void slv_dense_invert(slv_dense_row *rows, int count) {
    for (int n = 0; n < count; n++) {
        rows[n].values[SLV_DENSE_ROWS + n] = rows[n].values[n] > 0.0 ? 1.0 : 0.0;
    }
    for (int p = 0; p < count; p++) {
        const double pivot = rows[p].values[p] > 0.0 ? 1.0 / rows[p].values[p] : 0.0;
        for (int c = 0; c < 2 * SLV_DENSE_ROWS; c++) {
            rows[p].values[c] *= pivot;
        }
        for (int n = 0; n < count; n++) {
            const double factor = n != p ? rows[n].values[p] : 0.0;
            for (int c = 0; factor != 0.0 && c < 2 * SLV_DENSE_ROWS; c++) {
                rows[n].values[c] -= factor * rows[p].values[c];
            }
        }
    }
}

float slv_dense_get_inverse(const slv_dense_row *rows, int row, int column) {
    return (float)(0.5 * (rows[row].values[SLV_DENSE_ROWS + column] +
                          rows[column].values[SLV_DENSE_ROWS + row]));
}
