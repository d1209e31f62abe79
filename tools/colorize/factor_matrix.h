// SPDX-License-Identifier: MIT
// The constant matrix of the runtime's mass-spring solvers (kernels/constant_matrix.h), from a garment and what a scene says
// about it.
#ifndef SLV_COLORIZE_FACTOR_MATRIX_H
#define SLV_COLORIZE_FACTOR_MATRIX_H

#include "formats/garment.h"

#include <stdbool.h>

// As the runtime's world and garment have them.
typedef struct slv_factor_options {
    double time_step;     // s; 0: no factor
    double particle_mass; // kg; 0: those of the pack
    double stretch;       // N/m; 0: those of the pack
    double shear;         // N/m; 0: no such springs
    double bending;       // N/m; 0: no such springs
    double damping;       // s, damping of springs over their stiffness
    const char *fixed;    // sets and own numbers, with commas; NULL: none
} slv_factor_options;

// Symmetric, by own numbers: entries of row i are entry_end[i - 1] … entry_end[i] - 1 (from 0 on for the first). Fixed
// particles have none, and 1 on the diagonal.
typedef struct slv_factor_matrix {
    uint32_t count;
    float *mass;      // [count] kg; 0: fixed
    double *diagonal; // [count] kg
    uint64_t *entry_end;
    uint32_t *column;
    double *entry;
} slv_factor_matrix;

// On failure nothing is left.
slv_result slv_factor_matrix_create(const slv_garment *garment, const slv_factor_options *options,
                                    slv_factor_matrix *matrix, slv_error *error);
void slv_factor_matrix_destroy(slv_factor_matrix *matrix);

#endif
