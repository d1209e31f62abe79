// SPDX-License-Identifier: MIT
// Implicit Euler for mass-spring cloth (Baraff and Witkin 1998). With displacements of a step of length h as in
// kernels/springs.h, the step moves a particle to x0 + V + E + u, where u solves
//     (M - h dF/dv - h² dF/dx) u = h² F + h² dF/dx (V + E) + h dF/dv E,
// linearized at the start of the step, x0 and V. Further linearizations are Newton's, at the positions q reached so far:
//     (M - h dF/dv - h² dF/dx) u = h² F - M (q - y),   y = x0 + V + E.
// A spring of stiffness k, damping kd and direction d couples the displacements of its ends by the block
//     B = h² k [t (I - d d') + d d'] + h kd d d',   t = max(0, 1 - L/l).
// The exact t of a compressed spring is below 0 and may make the matrix indefinite. The last d d' of a spring that has
// buckled has the slope of its push as a factor. How kd's force turns with d is left
// out, since that part is not symmetric.
//
// The system is solved by conjugate gradients with the inverse of each particle's 3 x 3 block on the diagonal as
// preconditioner. Fixed particles are filtered: their residuals are zero. Sums over all particles are taken over blocks of
// SLV_BLOCK slots, then over SLV_BLOCK of those sums, and so on, in the same order on every device. When the residual is
// small enough a number in state says so, and all later kernels of this solve do nothing.
#ifndef SLV_KERNELS_IMPLICIT_H
#define SLV_KERNELS_IMPLICIT_H

#include "kernels/shapes.h"
#include "kernels/springs.h"

// Numbers of a body's solve, at `gradients` in state.
enum {
    SLV_GRADIENTS_SQUARE = 0, // r . z, the squared norm of the residual under the preconditioner
    SLV_GRADIENTS_END = 1,    // that at which the residual is small enough
    SLV_GRADIENTS_ALPHA = 2,  // step along the direction
    SLV_GRADIENTS_BETA = 3,   // weight of the old direction in the new one
    SLV_GRADIENTS_DONE = 4,   // above 0: solved
    SLV_GRADIENTS_SUMS = 16   // [blocks] sums of blocks, then of SLV_BLOCK of these, …
};
// Of the first residual, in the norm of the preconditioner. Floats reach about 1e-6.
#define SLV_GRADIENTS_TOLERANCE 1e-5f

SLV_INLINE int slv_gradients_are_done(const SLV_GLOBAL float *state,
                                      const SLV_PRIVATE slv_body_layout *body) {
    return state[body->gradients + SLV_GRADIENTS_DONE] > 0.0f;
}

// --- The linear system ------------------------------------------------------------------------------

// Where number `part` (0 … 3) of the block of a spring end is: the direction, times the root of the factor of d d', and
// the factor of I.
SLV_INLINE int slv_block_offset(const SLV_PRIVATE slv_body_layout *body, int n, int part,
                                int lane) {
    return body->spring_blocks + (4 * n + part) * SLV_LANES + lane;
}

// A symmetric matrix: xx, yy, zz, xy, yz, zx.
typedef struct slv_symmetric {
    float of[6];
} slv_symmetric;

// The inverse, of the matrix over its trace, so that no product leaves the range of floats.
SLV_INLINE slv_symmetric slv_invert_symmetric(slv_symmetric given) {
    slv_symmetric a;
    slv_symmetric inverse;
    float scale = 1.0f / (given.of[0] + given.of[1] + given.of[2]);
    for (int i = 0; i < 6; i++) {
        a.of[i] = scale * given.of[i];
    }
    inverse.of[0] = a.of[1] * a.of[2] - a.of[4] * a.of[4];
    inverse.of[1] = a.of[2] * a.of[0] - a.of[5] * a.of[5];
    inverse.of[2] = a.of[0] * a.of[1] - a.of[3] * a.of[3];
    inverse.of[3] = a.of[4] * a.of[5] - a.of[3] * a.of[2];
    inverse.of[4] = a.of[5] * a.of[3] - a.of[4] * a.of[0];
    inverse.of[5] = a.of[3] * a.of[4] - a.of[5] * a.of[1];
    float determinant = a.of[0] * inverse.of[0] + a.of[3] * inverse.of[3] + a.of[5] * inverse.of[5];
    float factor = scale / determinant;
    for (int i = 0; i < 6; i++) {
        inverse.of[i] = factor * inverse.of[i];
    }
    return inverse;
}

// What a spring end adds to its particle's row.
typedef struct slv_spring_row {
    float residual[3];
    slv_symmetric diagonal;
} slv_spring_row;

// Vectors that linearizing reads: positions and velocities.
typedef struct slv_linearization {
    int positions, velocities;
    int first; // 1: at the start of the step
} slv_linearization;

// The block of spring end n over h² k, stored, and what it adds to its row.
SLV_INLINE void slv_linearize_spring(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body, slv_linearization at,
                                     float stiffness, float buckling, int n, int slot,
                                     SLV_PRIVATE slv_spring_row *row) {
    int lane = slot % SLV_LANES;
    int own = slot * SLV_PARTICLE_FLOATS;
    int there = table[body->neighbors + n * SLV_LANES + lane];
    float rest = state[body->rests + n * SLV_LANES + lane];
    float d[3];
    float square = 0.0f;
    float closing = 0.0f; // of velocities, along d
    float along = 0.0f;   // of V + E
    float pushed = 0.0f;  // of E
    for (int i = 0; i < 3; i++) {
        d[i] = state[at.positions + own + i] - state[at.positions + there + i];
        square += d[i] * d[i];
    }
    float length = slv_square_root(square);
    int pulls = square > 0.0f && rest >= 0.0f;
    float reciprocal = pulls ? 1.0f / length : 0.0f;
    float strain = pulls ? 1.0f - rest / length : 0.0f;
    float across = strain > 0.0f ? strain : 0.0f;
    float slope = 1.0f;
    if (pulls && buckling > 0.0f && strain < 0.0f) {
        float bent = 0.0f - slv_buckling_scale(buckling, rest, length, 0.0f - strain);
        slope = bent > strain ? slv_buckling_slope(buckling, rest, length) : 1.0f;
        strain = bent;
    }
    float damping = pulls ? body->spring_damping : 0.0f;
    float factor = pulls ? slope + damping - across : 0.0f;
    float root = slv_square_root(stiffness * factor);
    float moved[3];
    for (int i = 0; i < 3; i++) {
        d[i] = reciprocal * d[i];
        float v = state[at.velocities + own + i] - state[at.velocities + there + i];
        float e = state[body->external + own + i] - state[body->external + there + i];
        moved[i] = v + e;
        closing += v * d[i];
        pushed += e * d[i];
        along += moved[i] * d[i];
    }
    for (int i = 0; i < 3; i++) {
        float pull = length * strain * d[i] + damping * closing * d[i];
        if (at.first) {
            pull += across * moved[i] + ((slope - across) * along + damping * pushed) * d[i];
        }
        row->residual[i] -= pulls ? stiffness * pull : 0.0f;
        state[slv_block_offset(body, n, i, lane)] = root * d[i];
        row->diagonal.of[i] += stiffness * (across + factor * (d[i] * d[i]));
        row->diagonal.of[3 + i] += stiffness * (factor * (d[i] * d[(i + 1) % 3]));
    }
    state[slv_block_offset(body, n, 3, lane)] = stiffness * across;
}

// Linearizes particle `lane` of a slice: blocks of its springs, inverse of its diagonal block, residual, and u = 0. With
// launch->first at the start of the step; velocities then are V, else those of the displacement so far.
SLV_INLINE void slv_implicit_linearize(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body,
                                       const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    int start = slv_step_start(body, launch);
    slv_linearization at;
    at.first = launch->first;
    at.positions = launch->first ? start : body->q;
    at.velocities = launch->first ? body->b : body->step_velocities;
    float inverse_mass = state[body->inverse_mass + slot];
    int moves = inverse_mass > 0.0f;
    float mass = moves ? 1.0f / inverse_mass : 1.0f;
    slv_spring_row row;
    for (int i = 0; i < 3; i++) {
        row.residual[i] = 0.0f;
        row.diagonal.of[i] = mass;
        row.diagonal.of[3 + i] = 0.0f;
    }
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        for (int n = span.first; n < span.end; n++) {
            slv_linearize_spring(state, table, body, at, body->spring_response * body->ratio[c],
                                 slv_get_buckling(body, c), n, slot, &row);
        }
    }
    slv_symmetric inverse = slv_invert_symmetric(row.diagonal);
    int to = body->block_inverses + 2 * slot * SLV_PARTICLE_FLOATS;
    for (int i = 0; i < 6; i++) {
        state[to + i] = moves ? inverse.of[i] : 0.0f;
    }
    for (int i = 0; i < 3; i++) {
        int own = slot * SLV_PARTICLE_FLOATS + i;
        float moved = (state[body->q + own] - state[start + own]) + state[body->u + own];
        float inertia = launch->first ? 0.0f : mass * (state[body->predicted + own] - moved);
        state[body->residuals + own] = moves ? row.residual[i] + inertia : 0.0f;
        state[body->solution + own] = 0.0f;
    }
}

// Displacement of a slot from the start of the step to where it is.
SLV_INLINE void slv_implicit_measure(SLV_GLOBAL float *state,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int slot) {
    int start = slv_step_start(body, launch);
    for (int d = 0; d < SLV_PARTICLE_FLOATS; d++) {
        int at = slot * SLV_PARTICLE_FLOATS + d;
        state[body->step_velocities + at] = state[body->q + at] - state[start + at];
    }
}

// --- Conjugate gradients ----------------------------------------------------------------------------

// Inverse diagonal block times residual.
SLV_INLINE slv_vector slv_precondition(const SLV_GLOBAL float *state,
                                       const SLV_PRIVATE slv_body_layout *body, int slot) {
    int from = body->block_inverses + 2 * slot * SLV_PARTICLE_FLOATS;
    int r = body->residuals + slot * SLV_PARTICLE_FLOATS;
    float x = state[r];
    float y = state[r + 1];
    float z = state[r + 2];
    return slv_make_vector(state[from] * x + state[from + 3] * y + state[from + 5] * z,
                           state[from + 3] * x + state[from + 1] * y + state[from + 4] * z,
                           state[from + 5] * x + state[from + 4] * y + state[from + 2] * z);
}

// Sum of 8 numbers in pairs.
SLV_INLINE float slv_sum_lanes(const SLV_PRIVATE float *lanes) {
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
           ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// Residual . preconditioned residual of a slot.
SLV_INLINE float slv_residual_square(const SLV_GLOBAL float *state,
                                     const SLV_PRIVATE slv_body_layout *body, int slot) {
    int r = body->residuals + slot * SLV_PARTICLE_FLOATS;
    slv_vector z = slv_precondition(state, body, slot);
    return state[r] * z.x + state[r + 1] * z.y + state[r + 2] * z.z;
}

// Begins: directions of a block of slots are the preconditioned residuals.
SLV_INLINE void slv_gradients_begin(SLV_GLOBAL float *state,
                                    const SLV_PRIVATE slv_body_layout *body, int block) {
    float lanes[SLV_LANES] = {0.0f};
    for (int n = 0; n < SLV_BLOCK; n++) {
        int slot = block * SLV_BLOCK + n;
        int to = body->directions + slot * SLV_PARTICLE_FLOATS;
        slv_vector z = slv_precondition(state, body, slot);
        state[to] = z.x;
        state[to + 1] = z.y;
        state[to + 2] = z.z;
        lanes[n % SLV_LANES] += slv_residual_square(state, body, slot);
    }
    state[body->gradients + SLV_GRADIENTS_SUMS + block] = slv_sum_lanes(lanes);
}

// Matrix times direction, for particle `lane` of a slice.
SLV_INLINE void slv_gradients_multiply(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body, int slice,
                                       int lane) {
    int slot = slice * SLV_LANES + lane;
    int own = body->directions + slot * SLV_PARTICLE_FLOATS;
    float inverse_mass = state[body->inverse_mass + slot];
    float sum[3] = {0.0f, 0.0f, 0.0f};
    if (slv_gradients_are_done(state, body)) {
        return;
    }
    int first = slv_graph_span(table, body, slice, 0).first;
    int last = body->class_count - 1;
    int end = last < 0 ? first : slv_graph_span(table, body, slice, last).end;
    for (int n = first; n < end; n++) {
        int there = body->directions + table[body->neighbors + n * SLV_LANES + lane];
        float dx = state[own] - state[there];
        float dy = state[own + 1] - state[there + 1];
        float dz = state[own + 2] - state[there + 2];
        float bx = state[slv_block_offset(body, n, 0, lane)];
        float by = state[slv_block_offset(body, n, 1, lane)];
        float bz = state[slv_block_offset(body, n, 2, lane)];
        float across = state[slv_block_offset(body, n, 3, lane)];
        float along = bx * dx + by * dy + bz * dz;
        sum[0] += across * dx + along * bx;
        sum[1] += across * dy + along * by;
        sum[2] += across * dz + along * bz;
    }
    float mass = inverse_mass > 0.0f ? 1.0f / inverse_mass : 0.0f;
    int moves = inverse_mass > 0.0f;
    for (int d = 0; d < 3; d++) {
        float product = mass * state[own + d] + sum[d];
        state[body->products + slot * SLV_PARTICLE_FLOATS + d] = moves ? product : 0.0f;
    }
}

// Direction . product of a block of slots.
SLV_INLINE void slv_gradients_measure(SLV_GLOBAL float *state,
                                      const SLV_PRIVATE slv_body_layout *body, int block) {
    float lanes[SLV_LANES] = {0.0f};
    if (slv_gradients_are_done(state, body)) {
        return;
    }
    for (int n = 0; n < SLV_BLOCK; n++) {
        int at = (block * SLV_BLOCK + n) * SLV_PARTICLE_FLOATS;
        int p = body->directions + at;
        int product = body->products + at;
        lanes[n % SLV_LANES] += state[p] * state[product] + state[p + 1] * state[product + 1] +
                                state[p + 2] * state[product + 2];
    }
    state[body->gradients + SLV_GRADIENTS_SUMS + block] = slv_sum_lanes(lanes);
}

// Moves a block of slots along the direction.
SLV_INLINE void slv_gradients_advance(SLV_GLOBAL float *state,
                                      const SLV_PRIVATE slv_body_layout *body, int block) {
    float lanes[SLV_LANES] = {0.0f};
    if (slv_gradients_are_done(state, body)) {
        return;
    }
    float alpha = state[body->gradients + SLV_GRADIENTS_ALPHA];
    for (int n = 0; n < SLV_BLOCK; n++) {
        int slot = block * SLV_BLOCK + n;
        for (int d = 0; d < 3; d++) {
            int at = slot * SLV_PARTICLE_FLOATS + d;
            state[body->solution + at] += alpha * state[body->directions + at];
            state[body->residuals + at] -= alpha * state[body->products + at];
        }
        lanes[n % SLV_LANES] += slv_residual_square(state, body, slot);
    }
    state[body->gradients + SLV_GRADIENTS_SUMS + block] = slv_sum_lanes(lanes);
}

// The next directions of a block of slots.
SLV_INLINE void slv_gradients_turn(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                   int block) {
    if (slv_gradients_are_done(state, body)) {
        return;
    }
    float beta = state[body->gradients + SLV_GRADIENTS_BETA];
    for (int n = 0; n < SLV_BLOCK; n++) {
        int slot = block * SLV_BLOCK + n;
        int to = body->directions + slot * SLV_PARTICLE_FLOATS;
        slv_vector z = slv_precondition(state, body, slot);
        state[to] = z.x + beta * state[to];
        state[to + 1] = z.y + beta * state[to + 1];
        state[to + 2] = z.z + beta * state[to + 2];
    }
}

// --- Sums -------------------------------------------------------------------------------------------

// A level of the tree of sums: where it begins, behind the levels below, and how many sums it has.
typedef struct slv_sum_level {
    int first, count;
} slv_sum_level;

SLV_INLINE slv_sum_level slv_get_sum_level(const SLV_PRIVATE slv_body_layout *body, int number) {
    slv_sum_level level;
    level.first = body->gradients + SLV_GRADIENTS_SUMS;
    level.count = body->slots / SLV_BLOCK;
    for (int n = 0; n < number; n++) {
        level.first += level.count;
        level.count = (level.count + SLV_BLOCK - 1) / SLV_BLOCK;
    }
    return level;
}

// SLV_BLOCK sums of a level, or those that are left from `first` on.
SLV_INLINE float slv_add_sums(const SLV_GLOBAL float *state, slv_sum_level level, int first) {
    int end = first + SLV_BLOCK < level.count ? first + SLV_BLOCK : level.count;
    float lanes[SLV_LANES] = {0.0f};
    for (int n = first; n < end; n++) {
        lanes[n % SLV_LANES] += state[level.first + n];
    }
    return slv_sum_lanes(lanes);
}

// Sum number `row` of level launch->index + 1.
SLV_INLINE void slv_gradients_reduce(SLV_GLOBAL float *state,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int row) {
    slv_sum_level to = slv_get_sum_level(body, launch->index + 1);
    state[to.first + row] =
        slv_add_sums(state, slv_get_sum_level(body, launch->index), row * SLV_BLOCK);
}

// From the sum of a level with SLV_LANES sums at most, launch->index: alpha from direction . product.
SLV_INLINE void slv_gradients_find_alpha(SLV_GLOBAL float *state,
                                         const SLV_PRIVATE slv_body_layout *body,
                                         const SLV_PRIVATE slv_launch *launch) {
    SLV_GLOBAL float *own = state + body->gradients;
    float curvature = slv_add_sums(state, slv_get_sum_level(body, launch->index), 0);
    if (!(curvature > 0.0f)) {
        own[SLV_GRADIENTS_DONE] = 1.0f;
    }
    own[SLV_GRADIENTS_ALPHA] = curvature > 0.0f ? own[SLV_GRADIENTS_SQUARE] / curvature : 0.0f;
}

// beta from the residuals; with launch->first their first square, which begins a solve.
SLV_INLINE void slv_gradients_find_beta(SLV_GLOBAL float *state,
                                        const SLV_PRIVATE slv_body_layout *body,
                                        const SLV_PRIVATE slv_launch *launch) {
    SLV_GLOBAL float *own = state + body->gradients;
    float square = slv_add_sums(state, slv_get_sum_level(body, launch->index), 0);
    int begins = (launch->flags & SLV_BEGINS) != 0;
    if (!begins && own[SLV_GRADIENTS_DONE] > 0.0f) {
        return;
    }
    if (begins) {
        own[SLV_GRADIENTS_END] = SLV_GRADIENTS_TOLERANCE * SLV_GRADIENTS_TOLERANCE * square;
    }
    own[SLV_GRADIENTS_DONE] = square > own[SLV_GRADIENTS_END] ? 0.0f : 1.0f;
    own[SLV_GRADIENTS_BETA] = begins ? 0.0f : square / own[SLV_GRADIENTS_SQUARE];
    own[SLV_GRADIENTS_SQUARE] = square;
}

// Moves a slot by the solution.
SLV_INLINE void slv_implicit_accept(SLV_GLOBAL float *state,
                                    const SLV_PRIVATE slv_body_layout *body, int slot) {
    for (int d = 0; d < SLV_PARTICLE_FLOATS; d++) {
        int at = slot * SLV_PARTICLE_FLOATS + d;
        slv_displace(state, body, at, state[body->solution + at]);
    }
}

#endif
