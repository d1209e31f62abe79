// SPDX-License-Identifier: MIT
// Position based dynamics with compliance (XPBD, 2016): a spring of stiffness k has compliance
// 1/(k h²) and a multiplier that remembers, through the iterations of a step, how hard it already
// pulls. So stiffness is in N/m, as in projective dynamics, and does not grow with the iterations.
//     change = (-C - compliance * multiplier) / (wa + wb + compliance),  C = |qa - qb| - L,
// and the ends move by +-w * change along the spring. The inverse mass w is a particle's fourth float.
#ifndef SLV_KERNELS_COMPLIANT_H
#define SLV_KERNELS_COMPLIANT_H

#include "kernels/graph.h"

// Gauss-Seidel: spring `lane` of batch `batch` in group launch->colour moves both its ends at once.
SLV_BODY void slv_spring_project(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_part *part,
                                 const SLV_PRIVATE slv_launch *launch, int batch, int lane) {
    int group = part->groups + 3 * launch->colour;
    int number = batch * SLV_LANES + lane;
    if (number >= table[group + 1]) {
        return;
    }
    int spring = table[group] + number;
    float compliance = part->compliance[table[group + 2]];
    int a = part->q + table[part->ends[0] + spring] * SLV_PARTICLE_FLOATS;
    int b = part->q + table[part->ends[1] + spring] * SLV_PARTICLE_FLOATS;
    float dx = state[a] - state[b];
    float dy = state[a + 1] - state[b + 1];
    float dz = state[a + 2] - state[b + 2];
    float wa = state[a + 3];
    float wb = state[b + 3];
    float length = slv_square_root(dx * dx + dy * dy + dz * dz);
    float multiplier = launch->first ? 0.0f : state[part->tensions + spring];
    float error = length - state[part->lengths + spring];
    float change = (0.0f - error - compliance * multiplier) / (wa + wb + compliance);
    change = launch->relaxation * change;
    change = length > 0.0f ? change : 0.0f; // without a direction there is nothing to be done
    float scale = length > 0.0f ? change / length : 0.0f;
    float scale_a = wa * scale;
    float scale_b = wb * scale;
    state[part->tensions + spring] = multiplier + change;
    state[a] += scale_a * dx;
    state[a + 1] += scale_a * dy;
    state[a + 2] += scale_a * dz;
    state[b] -= scale_b * dx;
    state[b + 1] -= scale_b * dy;
    state[b + 2] -= scale_b * dz;
}

// Jacobi: a particle sums what all its springs want of it, and takes the average. Both ends of a spring
// keep a multiplier of their own, since each divides by its own number of springs.
SLV_BODY void slv_spring_average(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_part *part,
                                 const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    int own = part->q + slot * SLV_PARTICLE_FLOATS;
    float wa = state[own + 3];
    float share = launch->relaxation / state[part->degrees + slot];
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int c = 0; c < part->class_count; c++) {
        slv_span span = slv_graph_span(table, part, slice, c);
        float compliance = part->compliance[c];
        for (int n = span.first; n < span.end; n++) {
            int end = n * SLV_LANES + lane;
            int neighbour = table[part->neighbours + end];
            if (neighbour == part->slots - 1) {
                continue; // the slot of zeros: no spring here
            }
            int there = part->q + neighbour * SLV_PARTICLE_FLOATS;
            float dx = state[own] - state[there];
            float dy = state[own + 1] - state[there + 1];
            float dz = state[own + 2] - state[there + 2];
            float length = slv_square_root(dx * dx + dy * dy + dz * dz);
            float multiplier = launch->first ? 0.0f : state[part->multipliers + end];
            float error = length - state[part->rests + end];
            float change =
                (0.0f - error - compliance * multiplier) / (wa + state[there + 3] + compliance);
            change = length > 0.0f ? share * change : 0.0f;
            float scale = length > 0.0f ? change / length : 0.0f;
            state[part->multipliers + end] = multiplier + change;
            sum[0] += scale * dx;
            sum[1] += scale * dy;
            sum[2] += scale * dz;
        }
    }
    for (int d = 0; d < 3; d++) {
        int at = slot * SLV_PARTICLE_FLOATS + d;
        state[part->next + at] = state[part->q + at] + wa * sum[d];
    }
}

#endif
