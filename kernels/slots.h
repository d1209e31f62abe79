// SPDX-License-Identifier: MIT
// Kernels over single particles: integration before the solver, bookkeeping after it. They run over all
// slots; a slot without a particle has weight 0 and stays at zero.
//
// `arrangement` says how vectors lie: SLV_JOINED or SLV_SPLIT. The former have a fourth component, which is zero
// and stays zero.
#ifndef SLV_KERNELS_SLOTS_H
#define SLV_KERNELS_SLOTS_H

#include "kernels/body_layout.h"
#include "kernels/grid.h"

#define SLV_COMPONENTS(arrangement) ((arrangement) == SLV_SPLIT ? 3 : SLV_PARTICLE_FLOATS)

// Where component d of a slot lies in its array.
SLV_INLINE int slv_component_offset(const SLV_PRIVATE slv_body_layout *body, int slot, int d,
                                    int arrangement) {
    return arrangement == SLV_SPLIT ? slot + d * body->component : slot * SLV_PARTICLE_FLOATS + d;
}

// Verlet: y = q + velocity_factor (q - prev) + gravity_step. The old position is saved before it is overwritten. The one
// before that stays in the other buffer until the step has passed the divergence check.
SLV_INLINE void slv_integrate(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch, int slot, int arrangement) {
    int before = launch->parity ? body->prev[1] : body->prev[0];
    int after = launch->parity ? body->prev[0] : body->prev[1];
    float weight = state[body->weight + slot];
    for (int d = 0; d < SLV_COMPONENTS(arrangement); d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        float q = state[body->q + at];
        float move = launch->velocity_factor * (q - state[before + at]) + launch->gravity_step[d];
        float y = weight > 0.0f ? q + move : q;
        state[after + at] = q;
        state[body->y + at] = y;
        state[body->q + at] = y;
    }
}

// Copies the result of a Jacobi iteration into u or q.
SLV_INLINE void slv_accept(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body, int to,
                           int slot, int arrangement) {
    for (int d = 0; d < SLV_COMPONENTS(arrangement); d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        state[to + at] = state[body->next + at];
    }
}

// Applies the corrections and sets them to zero.
SLV_INLINE void slv_apply(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                          int slot, int arrangement) {
    for (int d = 0; d < SLV_COMPONENTS(arrangement); d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        state[body->q + at] += state[body->u + at];
        state[body->u + at] = 0.0f;
    }
}

// Restores the position before the step, which slv_integrate left in the other buffer. Also clears
// corrections that may not be finite.
SLV_INLINE void slv_rollback(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                             const SLV_PRIVATE slv_launch *launch, int slot, int arrangement) {
    int after = launch->parity ? body->prev[0] : body->prev[1];
    for (int d = 0; d < SLV_COMPONENTS(arrangement); d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        state[body->q + at] = state[after + at];
        state[body->u + at] = 0.0f;
    }
}

// Whether a position is beyond the limit or NaN.
SLV_INLINE int slv_is_out_of_bounds(const SLV_GLOBAL float *state,
                                    const SLV_PRIVATE slv_body_layout *body,
                                    const SLV_PRIVATE slv_launch *launch, int slot,
                                    int arrangement) {
    int wrong = 0;
    for (int d = 0; d < SLV_COMPONENTS(arrangement); d++) {
        float q = state[body->q + slv_component_offset(body, slot, d, arrangement)];
        wrong |= slv_absolute(q) < launch->limit ? 0 : 1;
    }
    return wrong;
}

SLV_INLINE void slv_check_divergence_block(SLV_GLOBAL float *state,
                                           const SLV_PRIVATE slv_body_layout *body,
                                           const SLV_PRIVATE slv_launch *launch, int block,
                                           int from, int to) {
    int wrong = 0;
    for (int n = from; n < to; n++) {
        wrong |= slv_is_out_of_bounds(state, body, launch, block * SLV_BLOCK + n, SLV_JOINED);
    }
    if (wrong) {
        slv_set_flag(&state[SLV_DIVERGED]);
    }
}

SLV_INLINE void slv_check_divergence_row(SLV_GLOBAL float *state,
                                         const SLV_PRIVATE slv_body_layout *body,
                                         const SLV_PRIVATE slv_launch *launch, int row, int from,
                                         int to) {
    int wrong = 0;
    int red = slv_grid_slot(body, 0, row, 0);
    int black = slv_grid_slot(body, 1, row, 0);
    for (int n = from; n < to; n++) {
        wrong |= slv_is_out_of_bounds(state, body, launch, red + n, SLV_SPLIT);
        wrong |= slv_is_out_of_bounds(state, body, launch, black + n, SLV_SPLIT);
    }
    if (wrong) {
        slv_set_flag(&state[SLV_DIVERGED]);
    }
}

#endif
