// SPDX-License-Identifier: MIT
// Fixed particles on their way along a line, evenly: what holds a garment may move, and arrives at every
// step where it is due then. Runs after integrate, which has kept the old place.
//
// A move is SLV_MOVE_INTS integers (place of the particle as in neighbors; steps done when the move
// was written down; steps in all) and SLV_MOVE_FLOATS floats (from x, y, z, to x, y, z, metres; when it
// begins and how long it takes, in steps, neither a whole number where frames are not).
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
    float share = ((float)done - state[ends + 6]) / state[ends + 7];
    int moved = 0;
    for (int d = 0; d < 3; d++) {
        float from = state[ends + d];
        float to = state[ends + 3 + d];
        float place = done == total ? to : from + share * (to - from);
        int at = table[entry] + d * body->component;
        moved |= state[body->q + at] != place;
        state[body->q + at] = place;
        state[body->y + at] = place;
    }
    if (moved && body->sleepers > 0) {
        slv_raise(&state[body->asleep + SLV_SLEEP_STIRRED]);
    }
}

#endif
