// SPDX-License-Identifier: MIT
// Copies of particles (formats/PACK.md, "CPHM"). Before constraints are solved each copy is set to the
// position of its particle. After each phase of an iteration, the particle and its copies of that phase are
// set to their barycenter, and its other copies follow. Copies share the mass equally, so the
// barycenter is the mean, and momentum is conserved. The mean is taken of the differences to the
// particle: where these are zero the position keeps its bits.
#ifndef SLV_KERNELS_PHANTOM_H
#define SLV_KERNELS_PHANTOM_H

#include "kernels/graph.h"

SLV_INLINE void slv_phantom_spread(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body, int copy) {
    if (copy < body->copy_count) {
        int from = body->q + table[body->copies + copy];
        int to = body->q + (body->copy_slot + copy) * SLV_PARTICLE_FLOATS;
        for (int d = 0; d < 3; d++) {
            state[to + d] = state[from + d];
        }
    }
}

// launch->index: the phase.
SLV_INLINE void slv_phantom_join(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body,
                                 const SLV_PRIVATE slv_launch *launch, int number) {
    if (number >= body->phantom_count) {
        return;
    }
    int phantom = body->phantoms + SLV_PHANTOM_INTS * number;
    int offset = table[phantom];
    int end = table[phantom + 3 + launch->index];
    int first = number > 0 ? table[phantom - SLV_PHANTOM_INTS + 3 + launch->index] : 0;
    int copies = body->q + body->copy_slot * SLV_PARTICLE_FLOATS;
    if (!(state[body->inverse_mass + offset / SLV_PARTICLE_FLOATS] > 0.0f)) {
        return; // fixed: no copy has moved
    }
    for (int d = 0; d < 3; d++) {
        float own = state[body->q + offset + d];
        float sum = 0.0f;
        for (int m = first; m < end; m++) {
            sum += state[body->q + table[body->members[launch->index] + m] + d] - own;
        }
        float mean = own + sum / (float)(end - first + 1);
        state[body->q + offset + d] = mean;
        for (int c = table[phantom + 1]; c < table[phantom + 2]; c++) {
            state[copies + c * SLV_PARTICLE_FLOATS + d] = mean;
        }
    }
}

#endif
