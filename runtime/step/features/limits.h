// SPDX-License-Identifier: MIT
// Limits of a garment's particles: strain of their springs, tethers to the nearest fixed particle, and distances from a
// target (kernels/limits.h).
#ifndef SLV_RUNTIME_STEP_FEATURES_LIMITS_H
#define SLV_RUNTIME_STEP_FEATURES_LIMITS_H

#include "runtime/layout/layout.h"

// Of a body.
typedef struct slv_limits {
    float strain;         // longest length over that at rest; 0 = any, below 0 = as is usual
    float *strain_limits; // [count] of its springs, where they are painted; or NULL
    float strain_least;   // of all of them
    uint32_t *tether;     // [count]: the fixed particle that holds it, UINT32_MAX = none; or NULL
    float *tether_length; // [count] metres
    float *limits;        // [count][SLV_LIMIT_FLOATS] (kernels/limits.h), or NULL
    float *start_limits;  // [count][2] distance and backstop at the start
} slv_limits;

slv_limits *slv_limits_get(const slv_body *body);

// What is painted must be given. Only the definition with which a garment is `added` has limits by set.
slv_result slv_limits_check_paint(const slv_garment_def *def, bool added, slv_error *error);

// Takes over a body's targets and limits, where it has any.
void slv_limits_write(slv_layout *layout, uint32_t index, const slv_body *body);

#endif
