// SPDX-License-Identifier: MIT
// Bending of a surface, by the quadratic energy of Bergou et al. (2006) on pairs of triangles with a common edge:
//     energy = (sum K x - rest direction)² / (2 compliance),
// where K are four numbers of the shape at rest, without dimension and with the sum 0, and compliance = area / (3 B w) in
// m/N. B is the flexural rigidity in N m, and w makes triangles of any shape resist alike in all directions
// (runtime/model/flexures.c). sum K x is twice the area of one triangle times the curvature. K is constant, so the
// forces are linear in positions. They depend on the shape that the mesh has, not on its resolution.
//
// The constraint is solved with compliance, as springs are (kernels/compliant.h), but with a vector as multiplier:
//     change = -(bend + compliance / h² * multiplier) / (sum w K² + compliance / h²),
// and corner c moves by its inverse mass times K_c times the change. Without a rest curvature this is exact for any
// number of iterations that converges; no direction is needed where the surface is flat.
//
// Flexures lie in batches of SLV_LANES; padding entries have no inverse masses.
#ifndef SLV_KERNELS_FLEXURE_H
#define SLV_KERNELS_FLEXURE_H

#include "kernels/batch.h"
#include "kernels/graph.h"

typedef struct slv_flexure {
    int corner[4];   // offsets of the corners in state: ends of the edge, then the opposite corners
    float weight[4]; // K times the inverse mass, 1/kg
    float change[3]; // of the multiplier, kg m
} slv_flexure;

// What it moves, times relaxation; adds the change to the multiplier.
SLV_INLINE slv_flexure slv_flexure_measure(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                           const SLV_PRIVATE slv_body_layout *body,
                                           const SLV_PRIVATE slv_launch *launch, float relaxation,
                                           int number) {
    const SLV_PRIVATE slv_batch_layout *batch = &body->batches[SLV_BATCH_FLEXURE];
    float compliance = state[body->flexure_areas + number] * body->flexure_compliance;
    float rest = state[batch->rests + number];
    float bend[3] = {0.0f, 0.0f, 0.0f};
    float softness = compliance;
    slv_flexure flexure;
    for (int c = 0; c < 4; c++) {
        float factor = state[body->flexure_factors[c] + number];
        flexure.corner[c] = body->q + table[batch->ends[c] + number];
        flexure.weight[c] = state[batch->inverse_masses[c] + number] * factor;
        softness += flexure.weight[c] * factor;
        for (int d = 0; d < 3; d++) { // differences: factors have the sum 0
            bend[d] += factor * (state[flexure.corner[c] + d] - state[flexure.corner[0] + d]);
        }
    }
    float length = slv_square_root(bend[0] * bend[0] + bend[1] * bend[1] + bend[2] * bend[2]);
    float excess = length > 0.0f ? (length - rest) / length : 0.0f; // no direction: flat
    float scale = relaxation / softness;
    for (int d = 0; d < 3; d++) {
        int at = body->flexure_multipliers[d] + number;
        float multiplier = launch->first ? 0.0f : state[at];
        flexure.change[d] = 0.0f - scale * (excess * bend[d] + compliance * multiplier);
        state[at] = multiplier + flexure.change[d];
    }
    return flexure;
}

// Gauss-Seidel: moves all corners at once.
SLV_INLINE void slv_flexure_project(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body,
                                    const SLV_PRIVATE slv_launch *launch, int number) {
    if (slv_batch_is_idle(state, body, SLV_BATCH_FLEXURE, number)) {
        return;
    }
    slv_flexure flexure =
        slv_flexure_measure(state, table, body, launch, launch->relaxation, number);
    for (int c = 0; c < 4; c++) {
        for (int d = 0; d < 3; d++) {
            state[flexure.corner[c] + d] += flexure.weight[c] * flexure.change[d];
        }
    }
}

// One that is averaged: writes corrections of its corners. All are divided by the largest number of averaged constraints
// of a corner, so that the multiplier fits all of them and momentum is kept.
SLV_INLINE void slv_flexure_correct(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body,
                                    const SLV_PRIVATE slv_launch *launch, int number) {
    const SLV_PRIVATE slv_batch_layout *batch = &body->batches[SLV_BATCH_FLEXURE];
    if (slv_batch_is_idle(state, body, SLV_BATCH_FLEXURE, number)) {
        return; // its corrections stay 0
    }
    float most = 1.0f;
    for (int c = 0; c < 4; c++) {
        int slot = table[batch->ends[c] + number] / SLV_PARTICLE_FLOATS;
        float count = state[body->averaged_counts + slot];
        most = count > most ? count : most;
    }
    slv_flexure flexure =
        slv_flexure_measure(state, table, body, launch, launch->relaxation / most, number);
    int at = body->corrections + batch->corrections + 16 * number;
    for (int c = 0; c < 4; c++) {
        for (int d = 0; d < 3; d++) {
            state[at + 4 * c + d] = flexure.weight[c] * flexure.change[d];
        }
    }
}

#endif
