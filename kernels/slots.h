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
#include "kernels/remainder.h"

#define SLV_COMPONENTS(arrangement) ((arrangement) == SLV_SPLIT ? 3 : SLV_PARTICLE_FLOATS)

// Where component d of a slot lies in its array.
SLV_INLINE int slv_component_offset(const SLV_PRIVATE slv_body_layout *body, int slot, int d,
                                    int arrangement) {
    return arrangement == SLV_SPLIT ? slot + d * body->component : slot * SLV_PARTICLE_FLOATS + d;
}

// Verlet: x' = x + velocity_factor (x - x_before) + gravity_step, where x is q with its remainder (kernels/remainder.h).
// The difference of positions is exact. What is small is summed first, so that gravity is not rounded at the last bit of
// the displacement either. With strong damping the difference itself is scaled: without velocity a particle stays where it
// is. The old position is saved before it is overwritten. The one before that stays in the other buffer until the step
// has passed the divergence check.
SLV_INLINE void slv_integrate_component(SLV_GLOBAL float *state,
                                        const SLV_PRIVATE slv_body_layout *body, int before,
                                        int after, int light, float factor, int moves,
                                        float gravity_step, int at) {
    float q = state[body->q + at];
    float old = state[before + at];
    int units = slv_round_remainder(state[body->u + at], q);
    int old_units = slv_remainder_now(state[body->remainders + at]);
    float remainder = slv_scale_remainder(units, q);
    float coarse = q - old;
    float fine = remainder - slv_scale_remainder(old_units, old);
    float small = (light ? fine : 0.0f) + factor * (coarse + fine);
    small = small + (remainder + gravity_step);
    slv_two_sum move = slv_add_exactly(light ? coarse : 0.0f, small);
    slv_two_sum reached = slv_add_exactly(q, move.sum);
    state[after + at] = q;
    state[body->predicted + at] = moves ? move.sum : 0.0f;
    state[body->q + at] = moves ? reached.sum : q;
    state[body->u + at] = moves ? reached.error + move.error : 0.0f;
    state[body->remainders + at] = slv_pack_remainders(moves ? units : 0, moves ? old_units : 0);
}

SLV_INLINE void slv_integrate(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch, int slot, int arrangement) {
    int before = slv_step_before(body, launch);
    int after = slv_step_start(body, launch);
    int moves = state[body->weight + slot] > 0.0f;
    int light = launch->velocity_factor > 0.5f;
    float factor = light ? launch->velocity_factor - 1.0f : launch->velocity_factor;
    for (int d = 0; d < SLV_COMPONENTS(arrangement); d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        slv_integrate_component(state, body, before, after, light, factor, moves,
                                launch->gravity_step[d], at);
    }
}

// Adds a small displacement to the component at `at`, without rounding it at the last bit of the position.
SLV_INLINE void slv_displace(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                             int at, float displacement) {
    slv_two_sum moved = slv_add_exactly(state[body->q + at], state[body->u + at] + displacement);
    state[body->q + at] = moved.sum;
    state[body->u + at] = moved.error;
}

// The displacement of the last step, after slv_integrate of this one.
SLV_INLINE float slv_last_displacement(const SLV_GLOBAL float *state,
                                       const SLV_PRIVATE slv_body_layout *body, int start,
                                       int before, int at) {
    float word = state[body->remainders + at];
    float now = state[start + at];
    float old = state[before + at];
    return (now - old) + (slv_scale_remainder(slv_remainder_now(word), now) -
                          slv_scale_remainder(slv_remainder_before(word), old));
}

// Copies the result of a Jacobi iteration into u or q.
SLV_INLINE void slv_accept(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body, int to,
                           int slot, int arrangement) {
    for (int d = 0; d < SLV_COMPONENTS(arrangement); d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        state[to + at] = state[body->next + at];
    }
}

SLV_INLINE int slv_is_weightless(const SLV_PRIVATE slv_launch *launch) {
    return launch->gravity_step[0] == 0.0f && launch->gravity_step[1] == 0.0f &&
           launch->gravity_step[2] == 0.0f;
}

// Whether neither inertia nor a force moves a particle.
SLV_INLINE int slv_is_at_rest(const SLV_GLOBAL float *state,
                              const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch, int slot, int arrangement) {
    int rest = slv_is_weightless(launch);
    for (int d = 0; d < 3 && rest; d++) {
        rest = state[body->predicted + slv_component_offset(body, slot, d, arrangement)] == 0.0f;
    }
    return rest;
}

// Applies the corrections. What rounding leaves of them remains in u. A particle at rest is moved by corrections of
// half the last bit of its position at least: an iteration of Gauss-Seidel does not conserve momentum, and smaller
// ones would make it creep for ever.
SLV_INLINE void slv_apply(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                          const SLV_PRIVATE slv_launch *launch, int slot, int arrangement) {
    int rest = slv_is_at_rest(state, body, launch, slot, arrangement);
    for (int d = 0; d < SLV_COMPONENTS(arrangement); d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        slv_two_sum moved = slv_add_exactly(state[body->q + at], state[body->u + at]);
        state[body->q + at] = moved.sum;
        state[body->u + at] = rest ? 0.0f : moved.error;
    }
}

// Restores the position before the step, which slv_integrate left in the other buffer, and its remainders.
SLV_INLINE void slv_rollback(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                             const SLV_PRIVATE slv_launch *launch, int slot, int arrangement) {
    int after = slv_step_start(body, launch);
    for (int d = 0; d < SLV_COMPONENTS(arrangement); d++) {
        int at = slv_component_offset(body, slot, d, arrangement);
        float start = state[after + at];
        float word = state[body->remainders + at];
        state[body->q + at] = start;
        state[body->u + at] = slv_scale_remainder(slv_remainder_now(word), start);
        state[body->remainders + at] = slv_pack_remainders(slv_remainder_before(word), 0);
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
