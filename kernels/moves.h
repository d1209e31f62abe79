// SPDX-License-Identifier: MIT
// Prescribed motion of fixed particles along line segments at constant velocity. Runs after
// slv_integrate, which has saved the old position.
//
// A move is SLV_MOVE_INTS integers (offset of the particle as in neighbors; steps done when the move was
// written; steps in all) and SLV_MOVE_FLOATS floats (from x, y, z, to x, y, z, metres; start and
// duration in steps, which need not be whole numbers).
#ifndef SLV_KERNELS_MOVES_H
#define SLV_KERNELS_MOVES_H

#include "kernels/body_layout.h"

enum { SLV_MOVE_INTS = 3, SLV_MOVE_FLOATS = 8 };

SLV_INLINE void slv_move_fixed(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int move) {
    int entry = body->moves + move * SLV_MOVE_INTS;
    int ends = body->move_ends + move * SLV_MOVE_FLOATS;
    int done = table[entry + 1] + launch->step + 1; // at the end of this step
    int total = table[entry + 2];
    if (done > total) {
        return;
    }
    int start = slv_step_start(body, launch);
    float progress = ((float)done - state[ends + 6]) / state[ends + 7];
    int moved = 0;
    for (int d = 0; d < 3; d++) {
        float from = state[ends + d];
        float to = state[ends + 3 + d];
        float coordinate = done == total ? to : from + progress * (to - from);
        int at = table[entry] + d * body->component;
        moved |= state[body->q + at] != coordinate;
        state[body->q + at] = coordinate;
        state[body->predicted + at] = coordinate - state[start + at];
    }
    if (moved && body->sleep_states > 0) {
        slv_set_flag(&state[body->asleep + SLV_SLEEP_DISTURBED]);
    }
}

#endif
