// SPDX-License-Identifier: MIT
// Volume constraint of a tetrahedron (Müller et al. 2007). With 6 V = (b - a) x (c - a) . (d - a) the
// gradients at b, c and d are cross products of two edges, and that at a is minus their sum. Each
// corner moves along its gradient by its inverse mass times
//     -(6 V - 6 V0) / sum w |gradient|²,
// so that the volume is right to first order and momentum is conserved.
//
// Tetrahedra lie in batches of SLV_LANES; padding entries have no inverse masses.
#ifndef SLV_KERNELS_TETRAHEDRON_H
#define SLV_KERNELS_TETRAHEDRON_H

#include "kernels/batch.h"
#include "kernels/graph.h"

typedef struct slv_volume {
    int corner[4];        // offsets of the corners in state
    float weight[4];      // inverse masses
    float gradient[4][3]; // of six times the volume
    float change;         // factor of gradients times inverse masses
} slv_volume;

// Gradients and change of a tetrahedron whose corners and weights are set. rest: six times its rest
// volume.
SLV_INLINE void slv_volume_measure(const SLV_GLOBAL float *state, float rest,
                                   SLV_PRIVATE slv_volume *volume) {
    float edge[3][3];
    for (int e = 0; e < 3; e++) {
        for (int d = 0; d < 3; d++) {
            edge[e][d] = state[volume->corner[e + 1] + d] - state[volume->corner[0] + d];
        }
    }
    for (int e = 0; e < 3; e++) {
        int u = (e + 1) % 3;
        int v = (e + 2) % 3;
        volume->gradient[e + 1][0] = edge[u][1] * edge[v][2] - edge[u][2] * edge[v][1];
        volume->gradient[e + 1][1] = edge[u][2] * edge[v][0] - edge[u][0] * edge[v][2];
        volume->gradient[e + 1][2] = edge[u][0] * edge[v][1] - edge[u][1] * edge[v][0];
    }
    float six = 0.0f;
    for (int d = 0; d < 3; d++) {
        volume->gradient[0][d] =
            0.0f - (volume->gradient[1][d] + volume->gradient[2][d] + volume->gradient[3][d]);
        six += edge[0][d] * volume->gradient[1][d];
    }
    float sum = 0.0f;
    for (int c = 0; c < 4; c++) {
        float square = volume->gradient[c][0] * volume->gradient[c][0] +
                       volume->gradient[c][1] * volume->gradient[c][1] +
                       volume->gradient[c][2] * volume->gradient[c][2];
        sum += volume->weight[c] * square;
    }
    float excess = six - rest;
    volume->change = sum > 0.0f ? (0.0f - excess) / sum : 0.0f; // degenerate: no direction
}

SLV_INLINE slv_volume slv_tetrahedron_measure(const SLV_GLOBAL float *state,
                                              const SLV_GLOBAL int *table,
                                              const SLV_PRIVATE slv_body_layout *body, int number) {
    const SLV_PRIVATE slv_batch_layout *batch = &body->batches[SLV_BATCH_TETRAHEDRON];
    slv_volume volume;
    for (int c = 0; c < 4; c++) {
        volume.corner[c] = body->q + table[batch->ends[c] + number];
        volume.weight[c] = state[batch->inverse_masses[c] + number];
    }
    slv_volume_measure(state, 6.0f * state[batch->rests + number], &volume);
    return volume;
}

// Gauss-Seidel: moves all corners at once.
SLV_INLINE void slv_tetrahedron_project(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                        const SLV_PRIVATE slv_body_layout *body,
                                        const SLV_PRIVATE slv_launch *launch, int number) {
    if (slv_batch_is_idle(state, body, SLV_BATCH_TETRAHEDRON, number)) {
        return;
    }
    slv_volume volume = slv_tetrahedron_measure(state, table, body, number);
    for (int c = 0; c < 4; c++) {
        float scale = launch->relaxation * volume.change * volume.weight[c];
        for (int d = 0; d < 3; d++) {
            state[volume.corner[c] + d] += scale * volume.gradient[c][d];
        }
    }
}

#endif
