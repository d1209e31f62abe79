// SPDX-License-Identifier: MIT
// What the kernels of batched constraints share (SLV_BATCHED_KINDS).
#ifndef SLV_KERNELS_BATCH_H
#define SLV_KERNELS_BATCH_H

#include "kernels/body_layout.h"

// Whether constraint `number` of a kind with four ends is padding, or fixed at all corners. Checked before any position is
// read: another element may be moving the particle that padding names.
SLV_INLINE int slv_batch_is_idle(const SLV_GLOBAL float *state,
                                 const SLV_PRIVATE slv_body_layout *body, int kind, int number) {
    float sum = 0.0f;
    for (int c = 0; c < 4; c++) {
        sum += state[body->batches[kind].inverse_masses[c] + number];
    }
    return sum > 0.0f ? 0 : 1;
}

#endif
