// SPDX-License-Identifier: MIT
// The factor of the matrix of mass-spring solvers (formats/PACK.md, "MFAC"): sparse L D L' by the multifrontal method, in
// double, stored in floats.
#ifndef SLV_COLORIZE_FACTOR_H
#define SLV_COLORIZE_FACTOR_H

#include "tools/colorize/factor_matrix.h"

// A factor with its arrays. Zeros: none.
typedef struct slv_made_factor {
    slv_factor view; // into the arrays
    void *arrays[9];
    uint32_t array_count;
} slv_made_factor;

slv_result slv_factor_create(const slv_garment *garment, const slv_factor_options *options,
                             slv_made_factor *made, slv_error *error);
void slv_factor_destroy(slv_made_factor *made);

#endif
