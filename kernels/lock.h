// SPDX-License-Identifier: MIT
// Locks: two particles of any bodies keep a distance L, or come no further apart (slack). With inverse masses w_a and
// w_b and the vector d from b to a, a moves by w_a / (w_a + w_b) (L / |d| - 1) d, and b by as much the other way over
// its mass: linear and angular momentum stay. Particles of sleeping bodies and fixed ones do not move.
//
// Locks of one color share no particle; colors follow one another. Each end says where in state its particle is, so that
// a launch over the common body reaches all bodies.
#ifndef SLV_KERNELS_LOCK_H
#define SLV_KERNELS_LOCK_H

#include "kernels/remainder.h"
#include "kernels/shapes.h"
#include "kernels/sleep.h"

// A lock in table: two ends, each of SLV_LOCK_END_INTS.
enum {
    SLV_LOCK_Q = 0,            // offset of x of the position
    SLV_LOCK_U = 1,            // the same of its remainder
    SLV_LOCK_COMPONENT = 2,    // from x to y and from y to z
    SLV_LOCK_INVERSE_MASS = 3, // offset
    SLV_LOCK_ASLEEP = 4,       // offset of the sleep state of the body, or SLV_ZERO
    SLV_LOCK_BODY = 5,         // number of the body
    SLV_LOCK_SLACK = 6,        // of the first end; 1: the ends may come closer
    SLV_LOCK_LENGTH = 7,       // of the first end: metres, the bits of a float
    SLV_LOCK_END_INTS = 8,
    SLV_LOCK_INTS = 2 * SLV_LOCK_END_INTS
};

// An end of a lock: position, remainder, inverse mass.
typedef struct slv_lock_end {
    slv_vector q, u;
    float inverse_mass;
} slv_lock_end;

SLV_INLINE slv_lock_end slv_lock_load(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                      int at) {
    slv_lock_end end;
    int q = table[at + SLV_LOCK_Q];
    int u = table[at + SLV_LOCK_U];
    int step = table[at + SLV_LOCK_COMPONENT];
    int asleep = state[table[at + SLV_LOCK_ASLEEP]] > 0.0f;
    end.q = slv_make_vector(state[q], state[q + step], state[q + 2 * step]);
    end.u = slv_make_vector(state[u], state[u + step], state[u + 2 * step]);
    end.inverse_mass = asleep ? 0.0f : state[table[at + SLV_LOCK_INVERSE_MASS]];
    return end;
}

SLV_INLINE void slv_lock_move_component(SLV_GLOBAL float *state, int q, int u, float displacement) {
    slv_two_sum moved = slv_add_exactly(state[q], state[u] + displacement);
    state[q] = moved.sum;
    state[u] = moved.error;
}

SLV_INLINE void slv_lock_move(SLV_GLOBAL float *state, const SLV_GLOBAL int *table, int at,
                              float scale, slv_vector d) {
    int q = table[at + SLV_LOCK_Q];
    int u = table[at + SLV_LOCK_U];
    int step = table[at + SLV_LOCK_COMPONENT];
    if (scale != 0.0f) {
        slv_lock_move_component(state, q, u, scale * d.x);
        slv_lock_move_component(state, q + step, u + step, scale * d.y);
        slv_lock_move_component(state, q + 2 * step, u + 2 * step, scale * d.z);
    }
}

// Ends in the same position are parted along y.
SLV_INLINE void slv_lock_project(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body, int lock) {
    int first = body->locks + lock * SLV_LOCK_INTS;
    int second = first + SLV_LOCK_END_INTS;
    slv_lock_end a = slv_lock_load(state, table, first);
    slv_lock_end b = slv_lock_load(state, table, second);
    float both = a.inverse_mass + b.inverse_mass;
    slv_vector d = slv_subtract(a.q, b.q);
    d = slv_add_scaled(d, 1.0f, slv_subtract(a.u, b.u));
    float rest = slv_bits_float(table[first + SLV_LOCK_LENGTH]);
    float square = slv_dot(d, d);
    int slack = table[first + SLV_LOCK_SLACK] != 0 && square <= rest * rest;
    if (!(both > 0.0f) || slack) {
        return;
    }
    int apart = square > 0.0f;
    float error = apart ? slv_spring_error(rest / slv_square_root(square)) : rest;
    d.y = apart ? d.y : 1.0f;
    slv_lock_move(state, table, first, a.inverse_mass / both * error, d);
    slv_lock_move(state, table, second, 0.0f - b.inverse_mass / both * error, d);
}

// Marks the bodies of a lock as touching each other, so that they fall asleep and wake together.
// NOLINTNEXTLINE(readability-non-const-parameter): atomic operations write it
SLV_INLINE void slv_lock_touch(SLV_GLOBAL int *table, const SLV_PRIVATE slv_body_layout *body,
                               int lock) {
    int first = body->locks + lock * SLV_LOCK_INTS;
    int one = table[first + SLV_LOCK_BODY];
    int other = table[first + SLV_LOCK_END_INTS + SLV_LOCK_BODY];
    if (one != other) {
        slv_set_mark(&table[body->touch_marks + one * SLV_TOUCH_MARKS + other % SLV_TOUCH_MARKS]);
        slv_set_mark(&table[body->touch_marks + other * SLV_TOUCH_MARKS + one % SLV_TOUCH_MARKS]);
    }
}

#endif
