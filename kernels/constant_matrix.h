// SPDX-License-Identifier: MIT
// Mass-spring cloth by implicit steps with a matrix that does not depend on positions:
//     A = M + sum over springs of h² k (1 + kd / h) e e',   e = +1 at one end, -1 at the other,
// the same for x, y and z. It replaces how a spring's force turns with its direction by that of a spring of rest length 0
// (Desbrun et al. 1999, Kang et al. 2000; formula 2.24 of the integrators paper). Residuals are of the true forces, so only
// the way to the solution depends on A. With displacements of a step as in kernels/springs.h:
//  - One solve from the start of the step, A (V + E + u) = M (V + E) + h² F(x0, V) + h² K (V), is the constant-matrix form of
//    implicit Euler. Without the stiffness of rotation it resists turning as it resists stretch.
//  - Solves repeated at the positions reached, A u = M (y - q) + h² F(q), converge to the step of implicit Euler. They are the
//    alternation of local and global steps of fast mass-springs (Liu et al. 2013).
// A is solved by a factor of it that the pack has (kernels/factor.h), or by conjugate gradients (kernels/implicit.h).
#ifndef SLV_KERNELS_CONSTANT_MATRIX_H
#define SLV_KERNELS_CONSTANT_MATRIX_H

#include "kernels/implicit.h"

// The row of A of particle `lane` of a slice, for conjugate gradients: blocks of its springs, and the inverse of its
// diagonal.
SLV_INLINE void slv_constant_prepare(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    float inverse_mass = state[body->inverse_mass + slot];
    int moves = inverse_mass > 0.0f;
    float diagonal = moves ? 1.0f / inverse_mass : 1.0f;
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        float stiffness = body->spring_response * body->ratio[c] * (1.0f + body->spring_damping);
        for (int n = span.first; n < span.end; n++) {
            int joins = state[body->rests + n * SLV_LANES + lane] >= 0.0f;
            for (int i = 0; i < 3; i++) {
                state[slv_block_offset(body, n, i, lane)] = 0.0f;
            }
            state[slv_block_offset(body, n, 3, lane)] = joins ? stiffness : 0.0f;
            diagonal += joins ? stiffness : 0.0f;
        }
    }
    float inverse = moves ? 1.0f / diagonal : 0.0f;
    int to = body->block_inverses + 2 * slot * SLV_PARTICLE_FLOATS;
    for (int i = 0; i < 6; i++) {
        state[to + i] = i < 3 ? inverse : 0.0f;
    }
}

// What A of the springs times V + E is, less the damping by V, which F has: summed over the springs of a particle.
SLV_INLINE void slv_sum_constant_springs(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                         const SLV_PRIVATE slv_body_layout *body, int slice,
                                         int lane, SLV_PRIVATE float *sum) {
    int own = (slice * SLV_LANES + lane) * SLV_PARTICLE_FLOATS;
    for (int d = 0; d < 3; d++) {
        sum[d] = 0.0f;
    }
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        float stiffness = body->spring_response * body->ratio[c];
        for (int n = span.first; n < span.end; n++) {
            int there = table[body->neighbors + n * SLV_LANES + lane];
            float factor = state[body->rests + n * SLV_LANES + lane] >= 0.0f ? stiffness : 0.0f;
            for (int d = 0; d < 3; d++) {
                float moved = state[body->predicted + own + d] - state[body->predicted + there + d];
                float pushed = state[body->external + own + d] - state[body->external + there + d];
                sum[d] += factor * (moved + body->spring_damping * pushed);
            }
        }
    }
}

// Residual of particle `lane` of a slice at y, of the system that is linearized at the start of the step; u = 0.
SLV_INLINE void slv_constant_evaluate(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body,
                                      const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    float inverse_mass = state[body->inverse_mass + slot];
    int moves = inverse_mass > 0.0f;
    float mass = moves ? 1.0f / inverse_mass : 0.0f;
    float acceleration[3];
    float held[3];
    slv_sum_springs(state, table, body, slv_step_start(body, launch), body->b, slice, lane,
                    acceleration);
    slv_sum_constant_springs(state, table, body, slice, lane, held);
    for (int d = 0; d < 3; d++) {
        int at = slot * SLV_PARTICLE_FLOATS + d;
        state[body->residuals + at] = moves ? mass * acceleration[d] - held[d] : 0.0f;
        state[body->solution + at] = 0.0f;
    }
}

// Residual at the positions reached; u = 0. step_velocities hold the displacements so far where springs are damped.
SLV_INLINE void slv_local_evaluate(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body,
                                   const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    int start = slv_step_start(body, launch);
    float inverse_mass = state[body->inverse_mass + slot];
    int moves = inverse_mass > 0.0f;
    float mass = moves ? 1.0f / inverse_mass : 0.0f;
    float acceleration[3];
    slv_sum_springs(state, table, body, body->q, body->step_velocities, slice, lane, acceleration);
    for (int d = 0; d < 3; d++) {
        int at = slot * SLV_PARTICLE_FLOATS + d;
        float moved = (state[body->q + at] - state[start + at]) + state[body->u + at];
        float missing = state[body->predicted + at] - moved;
        state[body->residuals + at] = moves ? mass * (missing + acceleration[d]) : 0.0f;
        state[body->solution + at] = 0.0f;
    }
}

#endif
