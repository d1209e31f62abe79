// SPDX-License-Identifier: MIT
// Position based dynamics with compliance (XPBD, 2016): a spring of stiffness k has compliance 1/(k h²)
// and a multiplier that accumulates, through the iterations of a step, how hard it already pulls. So
// stiffness is in N/m, as in projective dynamics, and does not grow with the iterations.
//     change = -(|qa - qb| - L + compliance * multiplier) / (wa + wb + compliance),
// and the ends move by +-w * change along the spring; w is an end's inverse mass.
//
// Both divisions are by values that are known early, and late values are multiplied: a processor then
// overlaps several springs.
#ifndef SLV_KERNELS_COMPLIANT_H
#define SLV_KERNELS_COMPLIANT_H

#include "kernels/graph.h"

// Gauss-Seidel: spring `lane` of batch `batch` in group launch->index moves both its ends.
SLV_INLINE void slv_spring_project(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body,
                                   const SLV_PRIVATE slv_launch *launch, int batch, int lane) {
    int group = body->groups + 3 * launch->index;
    int number = batch * SLV_LANES + lane;
    if (number >= table[group + 1]) {
        return;
    }
    int spring = table[group] + number;
    float compliance = body->compliance[table[group + 2]];
    int a = body->q + table[body->ends[0] + spring];
    int b = body->q + table[body->ends[1] + spring];
    float dx = state[a] - state[b];
    float dy = state[a + 1] - state[b + 1];
    float dz = state[a + 2] - state[b + 2];
    float wa = state[body->inverse_masses[0] + spring];
    float wb = state[body->inverse_masses[1] + spring];
    float effective_mass = launch->relaxation / (wa + wb + compliance);
    float length = slv_square_root(dx * dx + dy * dy + dz * dz);
    float reciprocal = length > 0.0f ? 1.0f / length : 0.0f;
    float multiplier = launch->first ? 0.0f : state[body->tensions + spring];
    float error = length - state[body->lengths + spring] + compliance * multiplier;
    float change = length > 0.0f ? effective_mass * error : 0.0f; // no direction: no correction
    float scale = change * reciprocal;
    float scale_a = wa * scale;
    float scale_b = wb * scale;
    state[body->tensions + spring] = multiplier - change;
    state[a] -= scale_a * dx;
    state[a + 1] -= scale_a * dy;
    state[a + 2] -= scale_a * dz;
    state[b] += scale_b * dx;
    state[b + 1] += scale_b * dy;
    state[b + 2] += scale_b * dz;
}

#endif
