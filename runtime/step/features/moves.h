// SPDX-License-Identifier: MIT
// Moves of fixed particles in a layout (runtime/step/features/moves.c).
#ifndef SLV_RUNTIME_STEP_FEATURES_MOVES_H
#define SLV_RUNTIME_STEP_FEATURES_MOVES_H

#include "runtime/layout/layout.h"

typedef struct slv_moves_layout {
    uint32_t *counts; // [body_count] moves that are in table
    uint64_t written; // steps done when moves were last written
} slv_moves_layout;

const slv_moves_layout *slv_moves_get_layout(const slv_layout *layout);

#endif
