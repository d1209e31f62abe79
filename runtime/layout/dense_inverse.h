// SPDX-License-Identifier: MIT
// The inverse of a small symmetric matrix without a negative eigenvalue, such as that of a coarsest level.
#ifndef SLV_RUNTIME_LAYOUT_DENSE_INVERSE_H
#define SLV_RUNTIME_LAYOUT_DENSE_INVERSE_H

enum { SLV_DENSE_ROWS = 64, SLV_DENSE_DOUBLES = 2 * SLV_DENSE_ROWS * SLV_DENSE_ROWS };

// A row of the matrix, then one of the inverse.
typedef struct slv_dense_row {
    double values[2 * SLV_DENSE_ROWS];
} slv_dense_row;

// Inverts the first `count` rows, whose second halves are zeros. Rows and columns of zeros stay zeros.
void slv_dense_invert(slv_dense_row *rows, int count);

// The same in both directions, to the last bit.
float slv_dense_get_inverse(const slv_dense_row *rows, int row, int column);

#endif
