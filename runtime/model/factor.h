// SPDX-License-Identifier: MIT
// The factor of a pack for mass-spring solvers (formats/PACK.md, "MFAC"; kernels/factor.h).
#ifndef SLV_RUNTIME_MODEL_FACTOR_H
#define SLV_RUNTIME_MODEL_FACTOR_H

#include "runtime/model/body.h"

// A block of the factor.
typedef struct slv_factor_block {
    uint32_t first, columns; // its columns
    const uint32_t *row;     // [rows]
    uint32_t rows;
    const float *own;   // L of its own rows, below the diagonal
    const float *below; // [rows][columns] L of the rows further down
} slv_factor_block;

// Goes through the blocks in order; `before` is not read for the first.
slv_factor_block slv_factor_get_next(const slv_factor *factor, uint32_t number,
                                     const slv_factor_block *before);

// Room for a row of so many numbers.
size_t slv_factor_pad(size_t count);

// Copies the factor of the garment; it stays empty for a pack without one.
slv_result slv_body_add_factor(slv_body *body, const slv_garment *garment, slv_error *error);

// Whether it is that of the body's present matrix: time step, masses, stiffnesses, damping and fixed particles.
bool slv_factor_fits(const slv_body *body, double time_step);

#endif
