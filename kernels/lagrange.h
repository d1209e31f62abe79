// SPDX-License-Identifier: MIT
// Cloth of distance constraints with Lagrange multipliers, by one solve over all of them (Witkin et al. 1990; the variant
// that the fabric paper tried and dropped). Linearized at q, with C = l - L of each spring, its gradient J and the inverse
// masses W, the multipliers solve
//     (J W J' + a) lambda = -C - a total,
// and particles move by W J' lambda. `total` is the sum of a spring's multipliers so far in the step and a = 1 / (h² k) its
// compliance. Springs of the first class are hard: `a total` is left out, so that C is 0 where iterations have converged.
// In the matrix they have a = SLV_LAGRANGE_SOFTNESS of both ends' inverse masses: where cloth folds, gradients nearly depend
// on one another, and a solution of the linear system would move particles further than it is valid.
//
// The system is solved by conjugate gradients with its diagonal as preconditioner. A spring lies at both of its ends, which
// compute the same numbers: distances and products along it have the same bits from either end. Sums over all springs
// count each twice; their quotients do not change.
#ifndef SLV_KERNELS_LAGRANGE_H
#define SLV_KERNELS_LAGRANGE_H

#include "kernels/implicit.h"

#define SLV_LAGRANGE_SOFTNESS 1e-4f

// Numbers of a spring end beside its block, by lanes.
enum {
    SLV_LAGRANGE_TOTAL = 0,     // sum of multipliers in the step
    SLV_LAGRANGE_LAMBDA = 1,    // of this solve
    SLV_LAGRANGE_RESIDUAL = 2,  // metres
    SLV_LAGRANGE_DIRECTION = 3, // of the search
    SLV_LAGRANGE_PRODUCT = 4,   // matrix times direction
    SLV_LAGRANGE_SOFT = 5,      // compliance, 1/kg
    SLV_LAGRANGE_FLOATS = 6
};

SLV_INLINE int slv_lagrange_offset(const SLV_PRIVATE slv_body_layout *body, int n, int part,
                                   int lane) {
    return body->end_multipliers + (SLV_LAGRANGE_FLOATS * n + part) * SLV_LANES + lane;
}

// First and last spring ends of a slice, of all classes.
SLV_INLINE slv_span slv_lagrange_span(const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body, int slice) {
    slv_span span;
    span.first = slv_graph_span(table, body, slice, 0).first;
    span.end = body->class_count > 0 ? slv_graph_span(table, body, slice, body->class_count - 1).end
                                     : span.first;
    return span;
}

// Gradient, residual and diagonal of the spring ends of particle `lane` of a slice, at q. In the first iteration of a step
// the sums of multipliers begin.
SLV_INLINE void slv_lagrange_linearize(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body,
                                       const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    int own = body->q + (slice * SLV_LANES + lane) * SLV_PARTICLE_FLOATS;
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        for (int n = span.first; n < span.end; n++) {
            int there = body->q + table[body->neighbors + n * SLV_LANES + lane];
            float rest = state[body->rests + n * SLV_LANES + lane];
            float both = state[body->end_inverse_masses + n * SLV_LANES + lane];
            float soft = c == 0 ? SLV_LAGRANGE_SOFTNESS * both : body->compliance[c];
            float d[3];
            float square = 0.0f;
            for (int i = 0; i < 3; i++) {
                d[i] = state[own + i] - state[there + i];
                square += d[i] * d[i];
            }
            int holds = square > 0.0f && rest >= 0.0f && both > 0.0f;
            float length = slv_square_root(square);
            float reciprocal = holds ? 1.0f / length : 0.0f;
            float total = launch->first
                              ? 0.0f
                              : state[slv_lagrange_offset(body, n, SLV_LAGRANGE_TOTAL, lane)];
            float residual = holds ? (rest - length) - (c == 0 ? 0.0f : soft * total) : 0.0f;
            float inverse = holds ? 1.0f / (both + soft) : 0.0f;
            for (int i = 0; i < 3; i++) {
                state[slv_block_offset(body, n, i, lane)] = reciprocal * d[i];
            }
            state[slv_block_offset(body, n, 3, lane)] = inverse;
            state[slv_lagrange_offset(body, n, SLV_LAGRANGE_TOTAL, lane)] = total;
            state[slv_lagrange_offset(body, n, SLV_LAGRANGE_LAMBDA, lane)] = 0.0f;
            state[slv_lagrange_offset(body, n, SLV_LAGRANGE_RESIDUAL, lane)] = residual;
            state[slv_lagrange_offset(body, n, SLV_LAGRANGE_DIRECTION, lane)] = inverse * residual;
            state[slv_lagrange_offset(body, n, SLV_LAGRANGE_SOFT, lane)] = soft;
        }
    }
}

// W J' times number `part` of the ends of particle `lane` of a slice.
SLV_INLINE void slv_lagrange_gather(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body, int part, int to,
                                    int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    float inverse_mass = state[body->inverse_mass + slot];
    float sum[3] = {0.0f, 0.0f, 0.0f};
    slv_span span = slv_lagrange_span(table, body, slice);
    for (int n = span.first; n < span.end; n++) {
        float multiplier = state[slv_lagrange_offset(body, n, part, lane)];
        for (int i = 0; i < 3; i++) {
            sum[i] += multiplier * state[slv_block_offset(body, n, i, lane)];
        }
    }
    for (int i = 0; i < 3; i++) {
        state[to + slot * SLV_PARTICLE_FLOATS + i] = inverse_mass * sum[i];
    }
}

SLV_INLINE void slv_lagrange_spread(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body, int slice, int lane) {
    if (!slv_gradients_are_done(state, body)) {
        slv_lagrange_gather(state, table, body, SLV_LAGRANGE_DIRECTION, body->products, slice,
                            lane);
    }
}

// The matrix times the direction, of the spring ends of particle `lane` of a slice; and the particle's part of direction .
// product.
SLV_INLINE void slv_lagrange_multiply(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body, int slice,
                                      int lane) {
    int slot = slice * SLV_LANES + lane;
    int own = body->products + slot * SLV_PARTICLE_FLOATS;
    slv_span span = slv_lagrange_span(table, body, slice);
    float sum = 0.0f;
    if (slv_gradients_are_done(state, body)) {
        return;
    }
    for (int n = span.first; n < span.end; n++) {
        int there = body->products + table[body->neighbors + n * SLV_LANES + lane];
        float direction = state[slv_lagrange_offset(body, n, SLV_LAGRANGE_DIRECTION, lane)];
        float along = 0.0f;
        for (int i = 0; i < 3; i++) {
            along +=
                state[slv_block_offset(body, n, i, lane)] * (state[own + i] - state[there + i]);
        }
        float product =
            along + state[slv_lagrange_offset(body, n, SLV_LAGRANGE_SOFT, lane)] * direction;
        state[slv_lagrange_offset(body, n, SLV_LAGRANGE_PRODUCT, lane)] = product;
        sum += direction * product;
    }
    state[body->slot_sums + slot] = sum;
}

// Moves the spring ends of particle `lane` of a slice along the direction, if launch->index is 1; and the particle's part of
// the squared residual.
SLV_INLINE void slv_lagrange_advance(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    slv_span span = slv_lagrange_span(table, body, slice);
    float sum = 0.0f;
    if (launch->index && slv_gradients_are_done(state, body)) {
        return;
    }
    float alpha = launch->index ? state[body->gradients + SLV_GRADIENTS_ALPHA] : 0.0f;
    for (int n = span.first; n < span.end; n++) {
        int lambda = slv_lagrange_offset(body, n, SLV_LAGRANGE_LAMBDA, lane);
        int residual = slv_lagrange_offset(body, n, SLV_LAGRANGE_RESIDUAL, lane);
        if (launch->index) {
            state[lambda] +=
                alpha * state[slv_lagrange_offset(body, n, SLV_LAGRANGE_DIRECTION, lane)];
            state[residual] -=
                alpha * state[slv_lagrange_offset(body, n, SLV_LAGRANGE_PRODUCT, lane)];
        }
        sum += state[slv_block_offset(body, n, 3, lane)] * (state[residual] * state[residual]);
    }
    state[body->slot_sums + slice * SLV_LANES + lane] = sum;
}

// The next directions of the spring ends of particle `lane` of a slice.
SLV_INLINE void slv_lagrange_turn(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int slice, int lane) {
    slv_span span = slv_lagrange_span(table, body, slice);
    if (slv_gradients_are_done(state, body)) {
        return;
    }
    float beta = state[body->gradients + SLV_GRADIENTS_BETA];
    for (int n = span.first; n < span.end; n++) {
        int direction = slv_lagrange_offset(body, n, SLV_LAGRANGE_DIRECTION, lane);
        float preconditioned = state[slv_block_offset(body, n, 3, lane)] *
                               state[slv_lagrange_offset(body, n, SLV_LAGRANGE_RESIDUAL, lane)];
        state[direction] = preconditioned + beta * state[direction];
    }
}

// Sum over a block of slots.
SLV_INLINE void slv_lagrange_sum(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                 int block) {
    float lanes[SLV_LANES] = {0.0f};
    for (int n = 0; n < SLV_BLOCK; n++) {
        lanes[n % SLV_LANES] += state[body->slot_sums + block * SLV_BLOCK + n];
    }
    state[body->gradients + SLV_GRADIENTS_SUMS + block] = slv_sum_lanes(lanes);
}

// Displacements by the multipliers found, and the sums of multipliers.
SLV_INLINE void slv_lagrange_finish(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body, int slice, int lane) {
    slv_span span = slv_lagrange_span(table, body, slice);
    slv_lagrange_gather(state, table, body, SLV_LAGRANGE_LAMBDA, body->solution, slice, lane);
    for (int n = span.first; n < span.end; n++) {
        state[slv_lagrange_offset(body, n, SLV_LAGRANGE_TOTAL, lane)] +=
            state[slv_lagrange_offset(body, n, SLV_LAGRANGE_LAMBDA, lane)];
    }
}

#endif
