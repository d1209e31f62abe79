// SPDX-License-Identifier: MIT
// Copies of particles (formats/PACK.md, "CPHM"): before constraints are solved each begins where its
// particle is; whenever a kind of constraint has been solved, the particle and its copies of that kind meet
// in their barycentre, and its other copies follow. They share its mass equally, so the barycentre is the
// mean, and the momentum is kept. The mean is taken of the ways from the particle to its copies: where
// these are zero it stays to the last bit.
#ifndef SLV_KERNELS_PHANTOM_H
#define SLV_KERNELS_PHANTOM_H

#include "kernels/graph.h"

SLV_BODY void slv_phantom_spread(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_part *part, int copy) {
    if (copy < part->copy_count) {
        int from = part->q + table[part->copies + copy];
        int to = part->q + (part->copy_slot + copy) * SLV_PARTICLE_FLOATS;
        for (int d = 0; d < 3; d++) {
            state[to + d] = state[from + d];
        }
    }
}

// launch->color: the kind.
SLV_BODY void slv_phantom_join(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_part *part,
                               const SLV_PRIVATE slv_launch *launch, int number) {
    if (number >= part->phantom_count) {
        return;
    }
    int phantom = part->phantoms + 5 * number;
    int place = table[phantom];
    int end = table[phantom + 3 + launch->color];
    int first = number > 0 ? table[phantom - 2 + launch->color] : 0;
    int copies = part->q + part->copy_slot * SLV_PARTICLE_FLOATS;
    if (!(state[part->inverse_mass + place / SLV_PARTICLE_FLOATS] > 0.0f)) {
        return; // none of them has moved
    }
    for (int d = 0; d < 3; d++) {
        float own = state[part->q + place + d];
        float sum = 0.0f;
        for (int m = first; m < end; m++) {
            sum += state[part->q + table[part->members[launch->color] + m] + d] - own;
        }
        float mean = own + sum / (float)(end - first + 1);
        state[part->q + place + d] = mean;
        for (int c = table[phantom + 1]; c < table[phantom + 2]; c++) {
            state[copies + c * SLV_PARTICLE_FLOATS + d] = mean;
        }
    }
}

#endif
