// SPDX-License-Identifier: MIT
// Projective dynamics on any graph of springs, addressed by index tables. Particles lie color by color,
// four floats each (x, y, z and a zero), so that a neighbor is one 16-byte load. Sums take neighbors in
// pairs and begin at +0, as those of a grid do: the same springs give the same bits in both layouts.
#ifndef SLV_KERNELS_GRAPH_H
#define SLV_KERNELS_GRAPH_H

#include "kernels/body_layout.h"

enum { SLV_SLICE_INTS = 1 + SLV_CLASS_LIMIT };

// Where the springs of a slice's class lie: first and end, counted in slots of SLV_LANES springs.
typedef struct slv_span {
    int first, end;
} slv_span;

SLV_INLINE slv_span slv_graph_span(const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body, int slice, int which) {
    int at = body->slices + slice * SLV_SLICE_INTS + which;
    slv_span span;
    span.first = table[at];
    span.end = table[at + 1];
    return span;
}

// b of particle `lane` of a slice.
SLV_INLINE void slv_graph_project(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body,
                                  const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    int own = body->q + slot * SLV_PARTICLE_FLOATS;
    int own_fine = body->u + slot * SLV_PARTICLE_FLOATS;
    float total[3] = {0.0f, 0.0f, 0.0f};
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        float sum[3] = {0.0f, 0.0f, 0.0f};
        for (int n = span.first; n < span.end; n++) {
            int there = body->q + table[body->neighbors + n * SLV_LANES + lane];
            float rest = state[body->rests + n * SLV_LANES + lane];
            int fine = body->u + table[body->neighbors + n * SLV_LANES + lane];
            float ux = state[own_fine] - state[fine];
            float uy = state[own_fine + 1] - state[fine + 1];
            float uz = state[own_fine + 2] - state[fine + 2];
            float dx = (state[own] - state[there]) + ux;
            float dy = (state[own + 1] - state[there + 1]) + uy;
            float dz = (state[own + 2] - state[there + 2]) + uz;
            float square = dx * dx + dy * dy + dz * dz;
            square = rest < 0.0f ? 0.0f : square;
            float scale = square > 0.0f ? slv_spring_error(rest / slv_square_root(square)) : 0.0f;
            sum[0] += scale * dx + (square > 0.0f ? ux : 0.0f);
            sum[1] += scale * dy + (square > 0.0f ? uy : 0.0f);
            sum[2] += scale * dz + (square > 0.0f ? uz : 0.0f);
        }
        for (int d = 0; d < 3; d++) {
            total[d] += body->ratio[c] * sum[d];
        }
    }
    int start = slv_step_start(body, launch);
    float weight = state[body->weight + slot];
    float anchor = state[body->anchor + slot];
    for (int d = 0; d < 3; d++) {
        int at = slot * SLV_PARTICLE_FLOATS + d;
        float moved = state[body->q + at] - state[start + at];
        state[body->b + at] = weight * total[d] + anchor * (state[body->predicted + at] - moved);
    }
}

SLV_INLINE float slv_graph_target(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int slice, int lane,
                                  int d) {
    int slot = slice * SLV_LANES + lane;
    float total = 0.0f;
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        float sum = 0.0f;
        for (int n = span.first; n < span.end; n += 2) {
            int at = body->neighbors + n * SLV_LANES + lane;
            int one = body->u + table[at] + d;
            int two = body->u + table[at + SLV_LANES] + d;
            sum += state[one] + state[two];
        }
        total += body->ratio[c] * sum;
    }
    return state[body->weight + slot] * total + state[body->b + slot * SLV_PARTICLE_FLOATS + d];
}

SLV_INLINE void slv_graph_relax(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_body_layout *body, float relaxation,
                                int slice, int lane) {
    for (int d = 0; d < 3; d++) {
        int own = body->u + (slice * SLV_LANES + lane) * SLV_PARTICLE_FLOATS + d;
        float target = slv_graph_target(state, table, body, slice, lane, d);
        state[own] += relaxation * (target - state[own]);
    }
}

SLV_INLINE void slv_graph_jacobi(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body,
                                 const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    float relaxation = launch->relaxation;
    if (launch->damped) {
        relaxation = relaxation / state[body->degrees + slot];
    }
    for (int d = 0; d < 3; d++) {
        int own = slot * SLV_PARTICLE_FLOATS + d;
        float target = slv_graph_target(state, table, body, slice, lane, d);
        float u = state[body->u + own];
        state[body->next + own] = u + relaxation * (target - u);
    }
}

// Gauss-Seidel without coloring: every particle in the order of the pack.
SLV_INLINE void slv_graph_sweep(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_body_layout *body, float relaxation) {
    for (int p = 0; p < body->particles; p++) {
        int slot = table[body->order + p];
        slv_graph_relax(state, table, body, relaxation, slot / SLV_LANES, slot % SLV_LANES);
    }
}

#endif
