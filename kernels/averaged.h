// SPDX-License-Identifier: MIT
// Constraints that are averaged (Jacobi) after the others were solved one colour after another: each
// writes down what it wants of its particles, then each particle sums what is wanted of it, in a fixed
// order. Wishes are divided by the number of averaged constraints of the particle when they are written.
#ifndef SLV_KERNELS_AVERAGED_H
#define SLV_KERNELS_AVERAGED_H

#include "kernels/compliant.h"

// Spring `lane` of batch `batch` in group launch->colour. As in slv_spring_average, both ends keep a
// multiplier of their own, since each divides by its own number.
SLV_BODY void slv_spring_correct(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_part *part,
                                 const SLV_PRIVATE slv_launch *launch, int batch, int lane) {
    int group = part->groups + 3 * launch->colour;
    int number = batch * SLV_LANES + lane;
    if (number >= table[group + 1]) {
        return;
    }
    int spring = table[group] + number;
    float compliance = part->compliance[table[group + 2]];
    float way[3];
    int ends[2];
    float masses[2];
    for (int e = 0; e < 2; e++) {
        ends[e] = table[part->ends[e] + spring];
        masses[e] = state[part->masses[e] + spring];
    }
    for (int d = 0; d < 3; d++) {
        way[d] = state[part->q + ends[0] + d] - state[part->q + ends[1] + d];
    }
    float length = slv_square_root(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    float reciprocal = length > 0.0f ? 1.0f / length : 0.0f;
    float softness = masses[0] + masses[1] + compliance;
    for (int e = 0; e < 2; e++) {
        int tension = part->end_tensions + 2 * spring + e;
        float share = launch->relaxation / state[part->shares + ends[e] / SLV_PARTICLE_FLOATS];
        float multiplier = launch->first ? 0.0f : state[tension];
        float error = length - state[part->lengths + spring] + compliance * multiplier;
        float change = length > 0.0f ? share * error / softness : 0.0f;
        float scale = masses[e] * change * reciprocal;
        state[tension] = multiplier - change;
        int at = part->corrections + 8 * spring + 4 * e;
        for (int d = 0; d < 3; d++) {
            state[at + d] = e == 0 ? 0.0f - scale * way[d] : scale * way[d];
        }
    }
}

// Sums what is wanted of a slot into its position, or (launch->colour 1) into its correction.
SLV_BODY void slv_gather(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                         const SLV_PRIVATE slv_part *part, const SLV_PRIVATE slv_launch *launch,
                         int slot) {
    int first = table[part->gather_first + slot];
    int end = table[part->gather_first + slot + 1];
    int to = (launch->colour == 1 ? part->u : part->q) + slot * SLV_PARTICLE_FLOATS;
    if (first == end) {
        return;
    }
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int n = first; n < end; n++) {
        int from = part->corrections + table[part->gather + n];
        for (int d = 0; d < 3; d++) {
            sum[d] += state[from + d];
        }
    }
    for (int d = 0; d < 3; d++) {
        state[to + d] += sum[d];
    }
}

#endif
