// SPDX-License-Identifier: MIT
// Clusters of particles that keep a common shape, by shape matching (kernels/match_math.h has the equations).
//
// Members of clusters lie in rows of SLV_LANES. Of a small cluster they are a lane: eight clusters lie side by side, the
// first members of all in one row, the second ones in the next. One element does all of such a cluster. Members of a
// large cluster follow one another, in chunks of SLV_BLOCK. It takes five launches:
//     match_sum      an element sums over every eighth member of a chunk
//     match_turn     adds these sums of a cluster as a tree; the goals follow
//     match_pull     corrections of members, and sums of their momentum
//     match_balance  adds these sums: the momentum to be taken off
//     match_finish   takes it off, and moves the members
// A particle of one cluster is moved at once. For one of several, each cluster writes a correction, and match_gather adds
// their mean.
//
// Weights are masses over the largest of the body; a particle in k clusters counts with its part 1 / k in each, the very
// float that the mean is made with, so that the mean keeps momentum. Fixed particles count as heavy and are not moved.
// launch->relaxation is the part of the way to the goals.
#ifndef SLV_KERNELS_MATCH_H
#define SLV_KERNELS_MATCH_H

#include "kernels/slots.h"

#define SLV_MATCH_NUMBER float
#define SLV_MATCH_BITS int
#define SLV_MATCH(name) slv_match_##name
#define SLV_MATCH_SPREAD(x) (x)
#define SLV_MATCH_ROOT(x) slv_square_root(x)
#define SLV_MATCH_PICK(condition, a, b) ((condition) ? (a) : (b))
#define SLV_MATCH_PICK_BITS(condition, a, b) ((condition) ? (a) : (b))
#define SLV_MATCH_AS_BITS(x) slv_float_bits(x)
#define SLV_MATCH_AS_NUMBER(bits) slv_bits_float(bits)
#define SLV_MATCH_CONVERT(bits) ((float)(bits))

// Limits of the rotation, where |A| is the root of the sum of A's squares. Floats keep seven digits.
#define SLV_MATCH_HALF_TURN 1e-3f    // of |A|: trace and torque are below it half a turn from A
#define SLV_MATCH_INVERTED (-1e-6f)  // of |A|³: least determinant of A where it is not inside out
#define SLV_MATCH_NUDGE 0.1f         // of |A|: torque that leads out of half a turn
#define SLV_MATCH_LINE 1e-4f         // of the trace: added to diagonals, regular then for lines too
#define SLV_MATCH_SINGULAR 1e-5f     // of the trace³: Newton's method needs a larger determinant
#define SLV_MATCH_LONGEST_TURN 1.0f  // radians: of one step towards A
#define SLV_MATCH_LONGEST_SPIN 0.25f // radians: of what is taken off corrections
// Between these, the volume of a cluster over that at rest is taken off its linear transformation: 2 along each axis.
#define SLV_MATCH_LEAST_VOLUME 0.125f
#define SLV_MATCH_MOST_VOLUME 8.0f

#include "kernels/match_math.h"
#undef SLV_MATCH_NUMBER
#undef SLV_MATCH_BITS
#undef SLV_MATCH
#undef SLV_MATCH_SPREAD
#undef SLV_MATCH_ROOT
#undef SLV_MATCH_PICK
#undef SLV_MATCH_PICK_BITS
#undef SLV_MATCH_AS_BITS
#undef SLV_MATCH_AS_NUMBER
#undef SLV_MATCH_CONVERT

enum {
    SLV_MATCH_SMALL = 64,      // members of a small cluster, at most
    SLV_MATCH_MOVES = -1,      // output of a member of one cluster: the particle itself
    SLV_MATCH_FIXED = -2,      // of fixed particles and of padding: none
    SLV_MATCH_REST_FLOATS = 4, // of a member: offset from the center, weight
    SLV_MATCH_SHAPE_FLOATS =
        8, // of a cluster: slv_match_deform's inverse and `kept`, 1 / sum of weights
    SLV_MATCH_SUM_FLOATS = 18,   // of an element's sums
    SLV_MATCH_RECORD_FLOATS = 32 // of a large cluster: slv_match_record
};

// Where positions are: those of averaged Jacobi lie in either of two arrays.
SLV_INLINE int slv_match_positions(const SLV_PRIVATE slv_body_layout *body,
                                   const SLV_PRIVATE slv_launch *launch) {
    return (launch->flags & SLV_FROM_NEXT) != 0 ? body->next : body->q;
}

SLV_INLINE slv_match_vector slv_match_load(const SLV_GLOBAL float *state, int at) {
    return slv_match_make(state[at], state[at + 1], state[at + 2]);
}

SLV_INLINE void slv_match_store(SLV_GLOBAL float *state, int at, slv_match_vector v) {
    state[at] = v.x;
    state[at + 1] = v.y;
    state[at + 2] = v.z;
}

// A particle: position, remainder, and where it was at the start of the step.
typedef struct slv_match_particle {
    slv_match_vector q, u, start, start_remainder;
} slv_match_particle;

SLV_INLINE slv_match_particle slv_match_find(const SLV_GLOBAL float *state,
                                             const SLV_PRIVATE slv_body_layout *body,
                                             const SLV_PRIVATE slv_launch *launch, int offset) {
    slv_match_particle particle;
    slv_match_vector words = slv_match_load(state, body->remainders + offset);
    particle.q = slv_match_load(state, slv_match_positions(body, launch) + offset);
    particle.u = slv_match_load(state, body->u + offset);
    particle.start = slv_match_load(state, slv_step_start(body, launch) + offset);
    particle.start_remainder = slv_match_make(slv_match_get_remainder(words.x, particle.start.x),
                                              slv_match_get_remainder(words.y, particle.start.y),
                                              slv_match_get_remainder(words.z, particle.start.z));
    return particle;
}

// Its position from that of another, to the last bit of the remainders.
SLV_INLINE slv_match_vector slv_match_away(slv_match_particle a, slv_match_particle b) {
    return slv_match_add(slv_match_subtract(a.q, b.q), slv_match_subtract(a.u, b.u));
}

SLV_INLINE slv_match_vector slv_match_start_away(slv_match_particle a, slv_match_particle b) {
    return slv_match_add(slv_match_subtract(a.start, b.start),
                         slv_match_subtract(a.start_remainder, b.start_remainder));
}

// A cluster between its launches. Large ones keep it in state, in this order.
typedef struct slv_match_record {
    slv_match_particle origin;     // its first particle, from which positions count
    slv_match_vector center;       // from that particle
    slv_match_matrix goals;        // turns offsets into goals
    slv_match_vector linear, turn; // what is taken off corrections
} slv_match_record;

// Position from the center, and correction, of a member.
typedef struct slv_match_pair {
    slv_match_vector p, correction;
} slv_match_pair;

// rest: where its offset is.
SLV_INLINE slv_match_pair slv_match_correct(const SLV_GLOBAL float *state,
                                            const SLV_PRIVATE slv_match_record *record,
                                            const SLV_PRIVATE slv_launch *launch,
                                            slv_match_particle particle, int rest) {
    slv_match_pair pair;
    slv_match_vector offset =
        slv_match_make(state[rest], state[rest + SLV_LANES], state[rest + 2 * SLV_LANES]);
    slv_match_vector goal = slv_match_transform(record->goals, offset);
    pair.p = slv_match_subtract(slv_match_away(particle, record->origin), record->center);
    pair.correction = slv_match_scale(launch->relaxation, slv_match_subtract(goal, pair.p));
    return pair;
}

// Moves a particle or notes its correction.
SLV_INLINE void slv_match_put(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch, int offset, int output,
                              slv_match_vector correction) {
    int from = slv_match_positions(body, launch) + offset;
    if (output == SLV_MATCH_MOVES) {
        slv_match_vector q = slv_match_load(state, from);
        slv_match_vector u = slv_match_load(state, body->u + offset);
        slv_two_sum x = slv_add_exactly(q.x, u.x + correction.x);
        slv_two_sum y = slv_add_exactly(q.y, u.y + correction.y);
        slv_two_sum z = slv_add_exactly(q.z, u.z + correction.z);
        slv_match_store(state, from, slv_match_make(x.sum, y.sum, z.sum));
        slv_match_store(state, body->u + offset,
                        slv_match_make(slv_match_round(x.error, x.sum),
                                       slv_match_round(y.error, y.sum),
                                       slv_match_round(z.error, z.sum)));
    } else if (output >= 0) {
        slv_match_store(state, body->match_corrections + output, correction);
    }
}

// --- Clusters: rotations and shapes lie in rows of SLV_LANES, value by value -----------------------------

SLV_INLINE int slv_match_row_value(int array, int floats, int cluster, int value) {
    return array + (cluster / SLV_LANES * floats + value) * SLV_LANES + cluster % SLV_LANES;
}

SLV_INLINE slv_match_quaternion slv_match_load_rotation(const SLV_GLOBAL float *state,
                                                        const SLV_PRIVATE slv_body_layout *body,
                                                        int cluster) {
    int at = slv_match_row_value(body->match_rotations, 4, cluster, 0);
    slv_match_quaternion q;
    q.x = state[at];
    q.y = state[at + SLV_LANES];
    q.z = state[at + 2 * SLV_LANES];
    q.w = state[at + 3 * SLV_LANES];
    return q;
}

SLV_INLINE void slv_match_store_rotation(SLV_GLOBAL float *state,
                                         const SLV_PRIVATE slv_body_layout *body, int cluster,
                                         slv_match_quaternion q) {
    int at = slv_match_row_value(body->match_rotations, 4, cluster, 0);
    state[at] = q.x;
    state[at + SLV_LANES] = q.y;
    state[at + 2 * SLV_LANES] = q.z;
    state[at + 3 * SLV_LANES] = q.w;
}

// 1 / the sum of its weights; 0 of padding.
SLV_INLINE float slv_match_inverse_weight(const SLV_GLOBAL float *state,
                                          const SLV_PRIVATE slv_body_layout *body, int cluster) {
    return state[slv_match_row_value(body->match_shapes, SLV_MATCH_SHAPE_FLOATS, cluster, 7)];
}

// What turns offsets into goals, where the rotation is known.
SLV_INLINE slv_match_matrix slv_match_find_goals(const SLV_GLOBAL float *state,
                                                 const SLV_PRIVATE slv_body_layout *body,
                                                 int cluster, slv_match_quaternion q,
                                                 slv_match_matrix a) {
    slv_match_matrix rotation = slv_match_get_rotation(q);
    if (!(body->match_linear > 0.0f)) {
        return rotation;
    }
    int at = slv_match_row_value(body->match_shapes, SLV_MATCH_SHAPE_FLOATS, cluster, 0);
    return slv_match_deform(
        rotation, a, slv_match_make(state[at], state[at + SLV_LANES], state[at + 2 * SLV_LANES]),
        slv_match_make(state[at + 3 * SLV_LANES], state[at + 4 * SLV_LANES],
                       state[at + 5 * SLV_LANES]),
        state[at + 6 * SLV_LANES], body->match_linear);
}

// Where the rest of a member lies, lane by lane: x, y, z, weight.
SLV_INLINE int slv_match_rest(const SLV_PRIVATE slv_body_layout *body, int row, int lane) {
    return body->match_rests + row * (SLV_MATCH_REST_FLOATS * SLV_LANES) + lane;
}

SLV_INLINE slv_match_vector slv_match_load_rest(const SLV_GLOBAL float *state, int rest) {
    return slv_match_make(state[rest], state[rest + SLV_LANES], state[rest + 2 * SLV_LANES]);
}

// --- Small clusters ---------------------------------------------------------------------------------

// The sum of weighted positions, as its center so far, and A. table has the first of the rows of its members, and
// their number.
SLV_INLINE slv_match_matrix slv_match_measure(const SLV_GLOBAL float *state,
                                              const SLV_GLOBAL int *table,
                                              const SLV_PRIVATE slv_body_layout *body,
                                              const SLV_PRIVATE slv_launch *launch, int first,
                                              int end, int lane,
                                              SLV_PRIVATE slv_match_record *record) {
    slv_match_vector zero = slv_match_make(0.0f, 0.0f, 0.0f);
    slv_match_matrix a = {zero, zero, zero};
    record->center = zero;
    for (int n = first; n < end; n++) {
        int rest = slv_match_rest(body, n, lane);
        int offset = table[body->match_members + n * SLV_LANES + lane];
        slv_match_particle particle = slv_match_find(state, body, launch, offset);
        slv_match_vector heavy =
            slv_match_scale(state[rest + 3 * SLV_LANES], slv_match_away(particle, record->origin));
        record->center = slv_match_add(record->center, heavy);
        a = slv_match_add_product(a, heavy, slv_match_load_rest(state, rest));
    }
    return a;
}

// What the corrections of members in rows first … end - 1 would do to momentum.
SLV_INLINE slv_match_momentum slv_match_weigh(const SLV_GLOBAL float *state,
                                              const SLV_GLOBAL int *table,
                                              const SLV_PRIVATE slv_body_layout *body,
                                              const SLV_PRIVATE slv_launch *launch, int first,
                                              int end, int lane,
                                              const SLV_PRIVATE slv_match_record *record) {
    slv_match_vector zero = slv_match_make(0.0f, 0.0f, 0.0f);
    slv_match_momentum sum = {zero, zero, zero, {zero, zero, zero}};
    for (int n = first; n < end; n++) {
        int rest = slv_match_rest(body, n, lane);
        int offset = table[body->match_members + n * SLV_LANES + lane];
        slv_match_particle particle = slv_match_find(state, body, launch, offset);
        slv_match_pair pair = slv_match_correct(state, record, launch, particle, rest);
        sum =
            slv_match_add_momentum(sum, state[rest + 3 * SLV_LANES], pair.p,
                                   slv_match_start_away(particle, record->origin), pair.correction);
    }
    return sum;
}

// Moves the members in rows first … end - 1.
SLV_INLINE void slv_match_move(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int first, int end, int lane,
                               const SLV_PRIVATE slv_match_record *record) {
    for (int n = first; n < end; n++) {
        int member = n * SLV_LANES + lane;
        int offset = table[body->match_members + member];
        slv_match_particle particle = slv_match_find(state, body, launch, offset);
        slv_match_pair pair =
            slv_match_correct(state, record, launch, particle, slv_match_rest(body, n, lane));
        slv_match_put(state, body, launch, offset, table[body->match_outputs + member],
                      slv_match_settle(pair.correction, record->linear, record->turn, pair.p));
    }
}

// Cluster `lane` of a row of small ones.
SLV_INLINE void slv_match_project(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body,
                                  const SLV_PRIVATE slv_launch *launch, int row, int lane) {
    int first = table[body->match_rows + 2 * row];
    int end = first + table[body->match_rows + 2 * row + 1];
    int cluster = row * SLV_LANES + lane;
    slv_match_record record;
    record.origin =
        slv_match_find(state, body, launch, table[body->match_members + first * SLV_LANES + lane]);
    slv_match_matrix a = slv_match_measure(state, table, body, launch, first, end, lane, &record);
    float inverse_weight = slv_match_inverse_weight(state, body, cluster);
    record.center = slv_match_scale(inverse_weight, record.center);
    slv_match_quaternion q = slv_match_follow(slv_match_load_rotation(state, body, cluster), a);
    slv_match_store_rotation(state, body, cluster, q);
    record.goals = slv_match_find_goals(state, body, cluster, q, a);
    slv_match_momentum sum = slv_match_weigh(state, table, body, launch, first, end, lane, &record);
    record.linear = slv_match_scale(inverse_weight, sum.linear);
    record.turn = slv_match_find_turn(sum, record.linear);
    slv_match_move(state, table, body, launch, first, end, lane, &record);
}

// --- Large clusters ---------------------------------------------------------------------------------

enum {                         // ints of a large cluster in table
    SLV_MATCH_CLUSTER = 0,     // its number
    SLV_MATCH_FIRST_CHUNK = 1, // and the end
    SLV_MATCH_END_CHUNK = 2,
    SLV_MATCH_LARGE_INTS = 4,
    SLV_MATCH_CHUNK_ROWS = SLV_BLOCK / SLV_LANES
};

// Sums of the lanes of a chunk lie value by value.
SLV_INLINE int slv_match_sums_of(const SLV_PRIVATE slv_body_layout *body, int chunk) {
    return body->match_sums + chunk * (SLV_MATCH_SUM_FLOATS * SLV_LANES);
}

SLV_INLINE void slv_match_store_sum(SLV_GLOBAL float *state, int at, int value,
                                    slv_match_vector v) {
    state[at + value * SLV_LANES] = v.x;
    state[at + (value + 1) * SLV_LANES] = v.y;
    state[at + (value + 2) * SLV_LANES] = v.z;
}

SLV_INLINE slv_match_vector slv_match_load_sum(const SLV_GLOBAL float *state, int at, int value) {
    return slv_match_make(state[at + value * SLV_LANES], state[at + (value + 1) * SLV_LANES],
                          state[at + (value + 2) * SLV_LANES]);
}

SLV_INLINE int slv_match_first_row(const SLV_PRIVATE slv_body_layout *body, int chunk) {
    return body->match_large_row + chunk * SLV_MATCH_CHUNK_ROWS;
}

SLV_INLINE slv_match_particle slv_match_find_origin(const SLV_GLOBAL float *state,
                                                    const SLV_GLOBAL int *table,
                                                    const SLV_PRIVATE slv_body_layout *body,
                                                    const SLV_PRIVATE slv_launch *launch,
                                                    int large) {
    int chunk = table[body->match_large + large * SLV_MATCH_LARGE_INTS + SLV_MATCH_FIRST_CHUNK];
    int row = slv_match_first_row(body, chunk);
    return slv_match_find(state, body, launch, table[body->match_members + row * SLV_LANES]);
}

SLV_INLINE slv_match_record slv_match_load_record(const SLV_GLOBAL float *state,
                                                  const SLV_PRIVATE slv_body_layout *body,
                                                  int large) {
    int at = body->match_records + large * SLV_MATCH_RECORD_FLOATS;
    slv_match_record record;
    record.origin.q = slv_match_load(state, at);
    record.origin.u = slv_match_load(state, at + 3);
    record.origin.start = slv_match_load(state, at + 6);
    record.origin.start_remainder = slv_match_load(state, at + 9);
    record.center = slv_match_load(state, at + 12);
    record.goals.x = slv_match_load(state, at + 15);
    record.goals.y = slv_match_load(state, at + 18);
    record.goals.z = slv_match_load(state, at + 21);
    record.linear = slv_match_load(state, at + 24);
    record.turn = slv_match_load(state, at + 27);
    return record;
}

SLV_INLINE void slv_match_sum(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                              const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch, int chunk, int lane) {
    int first = slv_match_first_row(body, chunk);
    slv_match_record record;
    record.origin =
        slv_match_find_origin(state, table, body, launch, table[body->match_chunks + chunk]);
    slv_match_matrix a = slv_match_measure(state, table, body, launch, first,
                                           first + SLV_MATCH_CHUNK_ROWS, lane, &record);
    int at = slv_match_sums_of(body, chunk) + lane;
    slv_match_store_sum(state, at, 0, record.center);
    slv_match_store_sum(state, at, 3, a.x);
    slv_match_store_sum(state, at, 6, a.y);
    slv_match_store_sum(state, at, 9, a.z);
}

// Adds `values` sums of all chunks and lanes of a cluster, as a tree. Returns where they are.
SLV_INLINE int slv_match_add_sums(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int large, int values) {
    int at = body->match_large + large * SLV_MATCH_LARGE_INTS;
    int first = table[at + SLV_MATCH_FIRST_CHUNK];
    int sums = slv_match_sums_of(body, first);
    int stride = SLV_MATCH_SUM_FLOATS * SLV_LANES;
    for (int left = table[at + SLV_MATCH_END_CHUNK] - first; left > 1; left = (left + 1) / 2) {
        int kept = (left + 1) / 2;
        for (int chunk = 0; chunk < left - kept; chunk++) {
            int to = sums + chunk * stride;
            for (int n = to; n < to + values * SLV_LANES; n++) {
                state[n] += state[n + kept * stride];
            }
        }
    }
    for (int width = SLV_LANES / 2; width > 0; width /= 2) {
        for (int value = 0; value < values; value++) {
            int to = sums + value * SLV_LANES;
            for (int lane = to; lane < to + width; lane++) {
                state[lane] += state[lane + width];
            }
        }
    }
    return sums;
}

SLV_INLINE void slv_match_turn(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int large) {
    int cluster = table[body->match_large + large * SLV_MATCH_LARGE_INTS + SLV_MATCH_CLUSTER];
    int sums = slv_match_add_sums(state, table, body, large, 12);
    slv_match_particle origin = slv_match_find_origin(state, table, body, launch, large);
    slv_match_matrix a = {slv_match_load_sum(state, sums, 3), slv_match_load_sum(state, sums, 6),
                          slv_match_load_sum(state, sums, 9)};
    slv_match_quaternion q = slv_match_follow(slv_match_load_rotation(state, body, cluster), a);
    slv_match_matrix goals = slv_match_find_goals(state, body, cluster, q, a);
    int at = body->match_records + large * SLV_MATCH_RECORD_FLOATS;
    slv_match_store_rotation(state, body, cluster, q);
    slv_match_store(state, at, origin.q);
    slv_match_store(state, at + 3, origin.u);
    slv_match_store(state, at + 6, origin.start);
    slv_match_store(state, at + 9, origin.start_remainder);
    slv_match_store(state, at + 12,
                    slv_match_scale(slv_match_inverse_weight(state, body, cluster),
                                    slv_match_load_sum(state, sums, 0)));
    slv_match_store(state, at + 15, goals.x);
    slv_match_store(state, at + 18, goals.y);
    slv_match_store(state, at + 21, goals.z);
}

SLV_INLINE void slv_match_pull(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int chunk, int lane) {
    int first = slv_match_first_row(body, chunk);
    slv_match_record record = slv_match_load_record(state, body, table[body->match_chunks + chunk]);
    slv_match_momentum sum = slv_match_weigh(state, table, body, launch, first,
                                             first + SLV_MATCH_CHUNK_ROWS, lane, &record);
    int at = slv_match_sums_of(body, chunk) + lane;
    slv_match_store_sum(state, at, 0, sum.linear);
    slv_match_store_sum(state, at, 3, sum.angular);
    slv_match_store_sum(state, at, 6, sum.start);
    slv_match_store_sum(state, at, 9, sum.levers.x);
    slv_match_store_sum(state, at, 12, sum.levers.y);
    slv_match_store_sum(state, at, 15, sum.levers.z);
}

SLV_INLINE void slv_match_balance(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int large) {
    int cluster = table[body->match_large + large * SLV_MATCH_LARGE_INTS + SLV_MATCH_CLUSTER];
    int sums = slv_match_add_sums(state, table, body, large, SLV_MATCH_SUM_FLOATS);
    int at = body->match_records + large * SLV_MATCH_RECORD_FLOATS;
    slv_match_momentum sum;
    sum.linear = slv_match_load_sum(state, sums, 0);
    sum.angular = slv_match_load_sum(state, sums, 3);
    sum.start = slv_match_load_sum(state, sums, 6);
    sum.levers.x = slv_match_load_sum(state, sums, 9);
    sum.levers.y = slv_match_load_sum(state, sums, 12);
    sum.levers.z = slv_match_load_sum(state, sums, 15);
    slv_match_vector linear =
        slv_match_scale(slv_match_inverse_weight(state, body, cluster), sum.linear);
    slv_match_store(state, at + 24, linear);
    slv_match_store(state, at + 27, slv_match_find_turn(sum, linear));
}

SLV_INLINE void slv_match_finish(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body,
                                 const SLV_PRIVATE slv_launch *launch, int chunk, int lane) {
    int first = slv_match_first_row(body, chunk);
    slv_match_record record = slv_match_load_record(state, body, table[body->match_chunks + chunk]);
    slv_match_move(state, table, body, launch, first, first + SLV_MATCH_CHUNK_ROWS, lane, &record);
}

// --- Particles of several clusters ------------------------------------------------------------------

// table has the offset of each, and where its corrections lie in match_corrections: the first, and the end.
SLV_INLINE void slv_match_gather(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body,
                                 const SLV_PRIVATE slv_launch *launch, int number) {
    if (number >= body->match_shared_count) {
        return;
    }
    int at = body->match_shared + 3 * number;
    int first = table[at + 1];
    int end = table[at + 2];
    slv_match_vector sum = slv_match_make(0.0f, 0.0f, 0.0f);
    for (int n = first; n < end; n++) {
        sum = slv_match_add(
            sum, slv_match_load(state, body->match_corrections + n * SLV_PARTICLE_FLOATS));
    }
    slv_match_put(state, body, launch, table[at], SLV_MATCH_MOVES,
                  slv_match_scale(1.0f / (float)(end - first), sum));
}

// --- A step that diverged ---------------------------------------------------------------------------

// Keeps the rotations before a step; launch->index 1 restores them. `number` counts floats.
SLV_INLINE void slv_match_keep(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int number) {
    int from = launch->index ? body->match_rotations_before : body->match_rotations;
    int to = launch->index ? body->match_rotations : body->match_rotations_before;
    state[to + number] = state[from + number];
}

#endif
