// SPDX-License-Identifier: MIT
// Mass-spring cloth (Provot 1995), stepped in time without a constraint solver. Each particle sums the forces of its
// springs in the order of the graph layout. A spring of stiffness k, damping kd and rest length L pulls its end a by
//     f = -k (l - L) d - kd ((va - vb) . d) d,   d = (xa - xb) / l.
//
// All quantities are displacements of a step of length h: V = h v, A = h² a. E is the part of A by gravity and wind.
// Stages of an integrator evaluate A at positions x0 + c V' with velocities V', in floats. Their weighted sums P of
// the position and K of the velocity give
//     x1 = x0 + V + P,   V1 = V + K.
// A world stores x1 and, as every solver leaves it, a previous position whose difference is the velocity. Where P and K
// differ, that position is x0 + P - K, set at the end of the step (slv_springs_end). So a change of solver, a snapshot
// and the measures need not know of it. Contacts move x1, and with it the velocity, as they do for other solvers.
#ifndef SLV_KERNELS_SPRINGS_H
#define SLV_KERNELS_SPRINGS_H

#include "kernels/graph.h"
#include "kernels/slots.h"
#include "kernels/speed.h"

// The stages of all integrators, in launch->index.
enum {
    SLV_SPRINGS_EULER,    // explicit Euler: P = 0, K = A
    SLV_SPRINGS_MIDPOINT, // two stages: A1 at x0, A2 at x0 + V/2 with V + A1/2; P = A1/2, K = A2
    SLV_SPRINGS_VERLET = SLV_SPRINGS_MIDPOINT + 2, // A at x0 + V/2: P = A/2, K = A
    SLV_SPRINGS_RUNGE_KUTTA =
        SLV_SPRINGS_VERLET + 1, // four stages: P = (A1 + A2 + A3)/6, K = (A1 + 2 A2 + 2 A3 + A4)/6
    SLV_SPRINGS_STAGE_COUNT = SLV_SPRINGS_RUNGE_KUTTA + 4
};

// A stage reads positions and velocities, adds weights of its A to P and K, and writes those of the next stage.
typedef struct slv_spring_stage {
    int positions;  // index in stage_positions; below 0: the start of the step
    int velocities; // index in stage_velocities; below 0: V
    int next;       // index in both of what it writes; below 0: nothing, it is the last one
    int first;      // 1: P and K begin here
    float advance;  // of the next stage: c
    float position, velocity; // weights
} slv_spring_stage;

SLV_INLINE slv_spring_stage slv_get_spring_stage(int index) {
    const int number = index - SLV_SPRINGS_RUNGE_KUTTA;
    slv_spring_stage stage;
    stage.positions = -1;
    stage.velocities = -1;
    stage.next = -1;
    stage.first = 1;
    stage.advance = 0.5f;
    stage.position = 0.0f;
    stage.velocity = 1.0f;
    if (index == SLV_SPRINGS_VERLET) {
        stage.positions = 0;
        stage.position = 0.5f;
    } else if (index == SLV_SPRINGS_MIDPOINT) {
        stage.next = 0;
        stage.position = 0.5f;
        stage.velocity = 0.0f;
    } else if (index == SLV_SPRINGS_MIDPOINT + 1) {
        stage.positions = 0;
        stage.velocities = 0;
        stage.first = 0;
    } else if (number >= 0) {
        stage.positions = number - 1 < 2 ? number - 1 : 0;
        stage.velocities = stage.positions;
        stage.next = number == 3 ? -1 : number % 2;
        stage.first = number == 0 ? 1 : 0;
        stage.advance = number == 2 ? 1.0f : 0.5f;
        stage.position = number == 3 ? 0.0f : 1.0f / 6.0f;
        stage.velocity = number == 0 || number == 3 ? 1.0f / 6.0f : 1.0f / 3.0f;
    }
    return stage;
}

// --- Forces -----------------------------------------------------------------------------------------

// A bending spring of the class buckling_class is Choi and Ko's (2002): it stands for a thin strip of the length L that,
// when its ends approach to l = s L, bends to an arc of curvature K, with the energy kb L K²/2. Its ends are then pushed
// apart by
//     (4 kb / L²) (-F(s)),   F(s) = -11.541 s⁴ + 34.193 s³ - 39.083 s² + 23.116 s - 9.713,
// their fit of the exact u²/(cos u - sin u/u), sin u/u = s: F(1) = -3 is the buckling load and F(0) = -π². Near l = L, where
// that would begin with a jump, the spring is linear: the smaller of both pushes counts. A stretched one is linear.
//
// All values are over the stiffness k of the spring; `buckling` is 4 kb / k, m³. Units: m.
SLV_INLINE float slv_buckling_load(float s) {
    return 9.713f - (23.116f - (39.083f - (34.193f - 11.541f * s) * s) * s) * s;
}

// Push over length of a spring of this rest length, at most `linear`, that of a linear one.
SLV_INLINE float slv_buckling_scale(float buckling, float rest, float length, float linear) {
    float bent = buckling * slv_buckling_load(length / rest) / (rest * rest * length);
    return bent < linear ? bent : linear;
}

// How fast the push of a bent spring falls with its length.
SLV_INLINE float slv_buckling_slope(float buckling, float rest, float length) {
    float s = length / rest;
    float slope = 23.116f - (78.166f - (102.579f - 46.164f * s) * s) * s;
    return buckling * slope / (rest * rest * rest);
}

SLV_INLINE float slv_get_buckling(const SLV_PRIVATE slv_body_layout *body, int stiffness_class) {
    return stiffness_class == body->buckling_class ? body->buckling : 0.0f;
}

// A of particle `lane` of a slice by its springs, with positions and velocities from these arrays.
SLV_INLINE void slv_sum_springs(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_body_layout *body, int positions,
                                int velocities, int slice, int lane, SLV_PRIVATE float *sum) {
    int slot = slice * SLV_LANES + lane;
    int own = slot * SLV_PARTICLE_FLOATS;
    float total[3] = {0.0f, 0.0f, 0.0f};
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        float buckling = slv_get_buckling(body, c);
        float part[3] = {0.0f, 0.0f, 0.0f};
        for (int n = span.first; n < span.end; n++) {
            int there = table[body->neighbors + n * SLV_LANES + lane];
            float rest = state[body->rests + n * SLV_LANES + lane];
            float apart[3];
            for (int d = 0; d < 3; d++) {
                apart[d] = state[positions + own + d] - state[positions + there + d];
            }
            float square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
            int pulls = square > 0.0f && rest >= 0.0f;
            float length = slv_square_root(square);
            float linear = pulls ? rest / length - 1.0f : 0.0f;
            float scale = pulls && buckling > 0.0f
                              ? slv_buckling_scale(buckling, rest, length, linear)
                              : linear;
            if (body->spring_damping > 0.0f) {
                float speed[3];
                for (int d = 0; d < 3; d++) {
                    speed[d] = state[velocities + own + d] - state[velocities + there + d];
                }
                float closing = apart[0] * speed[0] + apart[1] * speed[1] + apart[2] * speed[2];
                scale -= pulls ? body->spring_damping * closing / square : 0.0f;
            }
            for (int d = 0; d < 3; d++) {
                part[d] += scale * apart[d];
            }
        }
        for (int d = 0; d < 3; d++) {
            total[d] += body->ratio[c] * part[d];
        }
    }
    float response = body->spring_response * state[body->inverse_mass + slot];
    for (int d = 0; d < 3; d++) {
        sum[d] = response * total[d];
    }
}

// --- Steps ------------------------------------------------------------------------------------------

// V and E of a slot, after slv_integrate has moved it from x0 by V + E; and, for the Verlet stage, x0 + V/2. `predicted`
// counts from the float of x0 and so has its remainder too. A fixed particle has its prescribed displacement as V. V is within the
// bound on velocities. This does one component.
SLV_INLINE void slv_springs_begin_component(SLV_GLOBAL float *state,
                                            const SLV_PRIVATE slv_body_layout *body,
                                            const SLV_PRIVATE slv_launch *launch, int start,
                                            int before, int moves, int at) {
    float last = slv_last_displacement(state, body, start, before, at);
    float remainder =
        slv_scale_remainder(slv_remainder_now(state[body->remainders + at]), state[start + at]);
    float predicted = state[body->predicted + at];
    float v = moves ? slv_bound_displacement(launch, launch->velocity_factor * last) : predicted;
    state[body->b + at] = v;
    if (body->external > 0) {
        state[body->external + at] = moves ? (predicted - v) - remainder : 0.0f;
    }
    if (launch->index == SLV_SPRINGS_VERLET) {
        state[body->stage_positions[0] + at] = state[start + at] + 0.5f * v;
    }
}

SLV_INLINE void slv_springs_begin(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                  const SLV_PRIVATE slv_launch *launch, int slot) {
    int moves = state[body->inverse_mass + slot] > 0.0f;
    for (int d = 0; d < SLV_PARTICLE_FLOATS; d++) {
        slv_springs_begin_component(state, body, launch, slv_step_start(body, launch),
                                    slv_step_before(body, launch), moves,
                                    slot * SLV_PARTICLE_FLOATS + d);
    }
}

// Symplectic Euler: x1 = x0 + V + A, V1 = V + A.
SLV_INLINE void slv_springs_advance(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body,
                                    const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    float sum[3];
    int own = (slice * SLV_LANES + lane) * SLV_PARTICLE_FLOATS;
    slv_sum_springs(state, table, body, slv_step_start(body, launch), body->b, slice, lane, sum);
    for (int d = 0; d < 3; d++) {
        slv_displace(state, body, own + d, sum[d]);
    }
}

// A stage of any other integrator. slv_integrate has moved q to x0 + V + E: the last stage adds P - E. A velocity may leave
// its range before a position does.
SLV_INLINE void slv_springs_evaluate(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                     const SLV_PRIVATE slv_body_layout *body,
                                     const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    const slv_spring_stage stage = slv_get_spring_stage(launch->index);
    int start = slv_step_start(body, launch);
    int positions = stage.positions < 0 ? start : body->stage_positions[stage.positions & 1];
    int velocities = stage.velocities < 0 ? body->b : body->stage_velocities[stage.velocities & 1];
    int next = stage.next & 1;
    int slot = slice * SLV_LANES + lane;
    float sum[3];
    slv_sum_springs(state, table, body, positions, velocities, slice, lane, sum);
    int wrong = 0;
    for (int d = 0; d < 3; d++) {
        int at = slot * SLV_PARTICLE_FLOATS + d;
        float v = state[body->b + at];
        float e = state[body->external + at];
        float a = sum[d] + e;
        float p = (stage.first ? 0.0f : state[body->position_sums + at]) + stage.position * a;
        float k = (stage.first ? 0.0f : state[body->velocity_sums + at]) + stage.velocity * a;
        if (stage.next < 0) {
            slv_displace(state, body, at, p - e);
        } else {
            state[body->stage_positions[next] + at] =
                state[start + at] + stage.advance * state[velocities + at];
            state[body->stage_velocities[next] + at] = v + stage.advance * a;
        }
        state[body->position_sums + at] = p;
        state[body->velocity_sums + at] = k;
        wrong |= slv_absolute(p - k) < launch->limit ? 0 : 1;
    }
    if (wrong) {
        slv_set_flag(&state[SLV_DIVERGED]);
    }
}

// After the check for divergence, and so after the last use of x0: the previous position becomes x0 + P - K.
SLV_INLINE void slv_springs_end_component(SLV_GLOBAL float *state,
                                          const SLV_PRIVATE slv_body_layout *body, int start,
                                          int moves, int at) {
    float word = state[body->remainders + at];
    float old = state[start + at];
    float shift = state[body->position_sums + at] - state[body->velocity_sums + at];
    float remainder = slv_scale_remainder(slv_remainder_now(word), old);
    slv_two_sum shifted = slv_add_exactly(old, remainder + shift);
    int units = slv_round_remainder(shifted.error, shifted.sum);
    state[start + at] = moves ? shifted.sum : old;
    state[body->remainders + at] =
        moves ? slv_pack_remainders(units, slv_remainder_before(word)) : word;
}

SLV_INLINE void slv_springs_end(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                const SLV_PRIVATE slv_launch *launch, int slot) {
    int moves = state[body->inverse_mass + slot] > 0.0f;
    for (int d = 0; d < SLV_PARTICLE_FLOATS; d++) {
        slv_springs_end_component(state, body, slv_step_start(body, launch), moves,
                                  slot * SLV_PARTICLE_FLOATS + d);
    }
}

#endif
