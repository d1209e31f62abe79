// SPDX-License-Identifier: MIT
// Shape matching (Müller et al. 2005): the mathematics of one cluster, or of several side by side. Every particle i of a
// cluster has an offset r_i from the cluster's center at rest and a weight w_i in proportion to its mass. With positions x_i,
//     c = sum w_i x_i / sum w_i,    A = sum w_i (x_i - c) r_i',
// the rotation R nearest to A turns offsets into goals c + R r_i, towards which particles move.
//
// R follows A from iteration to iteration as a quaternion (Müller et al. 2016): no decomposition, only + - * / and
// roots, also of flat clusters and of clusters turned inside out, for which it keeps its direction.
//
// The corrections of a cluster then lose their momentum. The lever of their angular momentum is the position s_i at the
// start of the step: then sum m s x (x - s), which inertia keeps, is kept exactly. (With x_i as the lever a body that
// turns by an angle a in a step loses a²/2 of its spin in it.) A rigid body is integrated as with SHAKE.
//
// Deliberately without an include guard: the CPU includes it again for vectors. The including file defines
//     SLV_MATCH_NUMBER, SLV_MATCH_BITS   float and int, or vectors of them
//     SLV_MATCH(name)                    the name of a type or function
//     SLV_MATCH_SPREAD(x)                a constant
//     SLV_MATCH_ROOT(x)                  square root
//     SLV_MATCH_PICK(condition, a, b)    a where the condition, of type SLV_MATCH_BITS, is true, else b
//     SLV_MATCH_PICK_BITS(…)             the same of SLV_MATCH_BITS
//     SLV_MATCH_AS_BITS(x), SLV_MATCH_AS_NUMBER(bits), SLV_MATCH_CONVERT(bits)
// Its tolerances are in kernels/match.h.

typedef struct SLV_MATCH(vector) {
    SLV_MATCH_NUMBER x, y, z;
} SLV_MATCH(vector);

typedef struct SLV_MATCH(matrix) { // columns
    SLV_MATCH(vector) x, y, z;
} SLV_MATCH(matrix);

typedef struct SLV_MATCH(quaternion) {
    SLV_MATCH_NUMBER x, y, z, w;
} SLV_MATCH(quaternion);

SLV_INLINE SLV_MATCH(vector)
    SLV_MATCH(make)(SLV_MATCH_NUMBER x, SLV_MATCH_NUMBER y, SLV_MATCH_NUMBER z) {
    SLV_MATCH(vector) v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

SLV_INLINE SLV_MATCH(vector) SLV_MATCH(add)(SLV_MATCH(vector) a, SLV_MATCH(vector) b) {
    return SLV_MATCH(make)(a.x + b.x, a.y + b.y, a.z + b.z);
}

SLV_INLINE SLV_MATCH(vector) SLV_MATCH(subtract)(SLV_MATCH(vector) a, SLV_MATCH(vector) b) {
    return SLV_MATCH(make)(a.x - b.x, a.y - b.y, a.z - b.z);
}

SLV_INLINE SLV_MATCH(vector) SLV_MATCH(scale)(SLV_MATCH_NUMBER s, SLV_MATCH(vector) a) {
    return SLV_MATCH(make)(s * a.x, s * a.y, s * a.z);
}

// a + s b
SLV_INLINE SLV_MATCH(vector)
    SLV_MATCH(add_scaled)(SLV_MATCH(vector) a, SLV_MATCH_NUMBER s, SLV_MATCH(vector) b) {
    return SLV_MATCH(make)(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

SLV_INLINE SLV_MATCH_NUMBER SLV_MATCH(dot)(SLV_MATCH(vector) a, SLV_MATCH(vector) b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SLV_INLINE SLV_MATCH(vector) SLV_MATCH(cross)(SLV_MATCH(vector) a, SLV_MATCH(vector) b) {
    return SLV_MATCH(make)(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

SLV_INLINE SLV_MATCH(vector) SLV_MATCH(transform)(SLV_MATCH(matrix) m, SLV_MATCH(vector) v) {
    return SLV_MATCH(make)(m.x.x * v.x + m.y.x * v.y + m.z.x * v.z,
                           m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
                           m.x.z * v.x + m.y.z * v.y + m.z.z * v.z);
}

SLV_INLINE SLV_MATCH_NUMBER SLV_MATCH(determinant)(SLV_MATCH(matrix) m) {
    return SLV_MATCH(dot)(m.x, SLV_MATCH(cross)(m.y, m.z));
}

// m += a b'
SLV_INLINE SLV_MATCH(matrix)
    SLV_MATCH(add_product)(SLV_MATCH(matrix) m, SLV_MATCH(vector) a, SLV_MATCH(vector) b) {
    m.x = SLV_MATCH(add_scaled)(m.x, b.x, a);
    m.y = SLV_MATCH(add_scaled)(m.y, b.y, a);
    m.z = SLV_MATCH(add_scaled)(m.z, b.z, a);
    return m;
}

// x with (m + add I) x = b.
SLV_INLINE SLV_MATCH(vector)
    SLV_MATCH(solve)(SLV_MATCH(matrix) m, SLV_MATCH_NUMBER add, SLV_MATCH(vector) b) {
    m.x.x += add;
    m.y.y += add;
    m.z.z += add;
    SLV_MATCH(vector) yz = SLV_MATCH(cross)(m.y, m.z);
    SLV_MATCH_NUMBER determinant = SLV_MATCH(dot)(m.x, yz);
    SLV_MATCH_NUMBER none = SLV_MATCH_SPREAD(0.0f);
    SLV_MATCH_NUMBER one = SLV_MATCH_SPREAD(1.0f);
    SLV_MATCH_BITS regular = determinant != none;
    SLV_MATCH_NUMBER reciprocal =
        SLV_MATCH_PICK(regular, one / SLV_MATCH_PICK(regular, determinant, one), none);
    return SLV_MATCH(scale)(reciprocal,
                            SLV_MATCH(make)(SLV_MATCH(dot)(yz, b),
                                            SLV_MATCH(dot)(SLV_MATCH(cross)(m.z, m.x), b),
                                            SLV_MATCH(dot)(SLV_MATCH(cross)(m.x, m.y), b)));
}

// At most `most` long.
SLV_INLINE SLV_MATCH(vector) SLV_MATCH(shorten)(SLV_MATCH(vector) v, float most) {
    SLV_MATCH_NUMBER limit = SLV_MATCH_SPREAD(most);
    SLV_MATCH_NUMBER length = SLV_MATCH_ROOT(SLV_MATCH(dot)(v, v));
    SLV_MATCH_NUMBER longer = SLV_MATCH_PICK(length > limit, length, limit);
    return SLV_MATCH(scale)(limit / longer, v);
}

// --- Rotation ---------------------------------------------------------------------------------------

SLV_INLINE SLV_MATCH(matrix) SLV_MATCH(get_rotation)(SLV_MATCH(quaternion) q) {
    SLV_MATCH_NUMBER one = SLV_MATCH_SPREAD(1.0f);
    SLV_MATCH_NUMBER x2 = q.x + q.x;
    SLV_MATCH_NUMBER y2 = q.y + q.y;
    SLV_MATCH_NUMBER z2 = q.z + q.z;
    SLV_MATCH(matrix) m;
    m.x = SLV_MATCH(make)(one - (q.y * y2 + q.z * z2), q.x * y2 + q.w * z2, q.x * z2 - q.w * y2);
    m.y = SLV_MATCH(make)(q.x * y2 - q.w * z2, one - (q.x * x2 + q.z * z2), q.y * z2 + q.w * x2);
    m.z = SLV_MATCH(make)(q.x * z2 + q.w * y2, q.y * z2 - q.w * x2, one - (q.x * x2 + q.y * y2));
    return m;
}

// The quaternion turned by 2 atan(|v| / 2) around v.
SLV_INLINE SLV_MATCH(quaternion) SLV_MATCH(turn_by)(SLV_MATCH(quaternion) q, SLV_MATCH(vector) v) {
    SLV_MATCH(vector) part = SLV_MATCH(scale)(SLV_MATCH_SPREAD(0.5f), v);
    SLV_MATCH(vector) own = SLV_MATCH(make)(q.x, q.y, q.z);
    SLV_MATCH(vector)
    turned = SLV_MATCH(add)(SLV_MATCH(add_scaled)(own, q.w, part), SLV_MATCH(cross)(part, own));
    SLV_MATCH_NUMBER w = q.w - SLV_MATCH(dot)(part, own);
    SLV_MATCH_NUMBER length = SLV_MATCH_ROOT(SLV_MATCH(dot)(turned, turned) + w * w);
    SLV_MATCH_NUMBER reciprocal = SLV_MATCH_SPREAD(1.0f) / length;
    q.x = reciprocal * turned.x;
    q.y = reciprocal * turned.y;
    q.z = reciprocal * turned.z;
    q.w = reciprocal * w;
    return q;
}

// Half a turn from A no direction is better than another, though all are better than none: a small turn leads out. Not
// where A is turned inside out, whose nearest rotation this may be.
SLV_INLINE SLV_MATCH(vector) SLV_MATCH(leave_half_turn)(SLV_MATCH(matrix) a, SLV_MATCH_NUMBER trace,
                                                        SLV_MATCH(vector) torque) {
    SLV_MATCH_NUMBER square =
        SLV_MATCH(dot)(a.x, a.x) + SLV_MATCH(dot)(a.y, a.y) + SLV_MATCH(dot)(a.z, a.z);
    SLV_MATCH_NUMBER size = SLV_MATCH_ROOT(square);
    SLV_MATCH_NUMBER small = SLV_MATCH_SPREAD(SLV_MATCH_HALF_TURN);
    SLV_MATCH_NUMBER inverted = SLV_MATCH_SPREAD(SLV_MATCH_INVERTED);
    SLV_MATCH_BITS apart = trace < small * size;
    SLV_MATCH_BITS balanced = SLV_MATCH(dot)(torque, torque) < (small * small) * square;
    SLV_MATCH_BITS proper = SLV_MATCH(determinant)(a) > inverted * (square * size);
    SLV_MATCH_NUMBER push =
        SLV_MATCH_PICK(apart & balanced & proper, SLV_MATCH_SPREAD(SLV_MATCH_NUDGE) * size,
                       SLV_MATCH_SPREAD(0.0f));
    torque.x += push; // in any direction, but for those of lattices
    torque.y += SLV_MATCH_SPREAD(0.5f) * push;
    torque.z += SLV_MATCH_SPREAD(0.25f) * push;
    return torque;
}

// Turns q towards the rotation nearest to A, which maximizes the trace of R'A. By Newton's method near that rotation,
// else by the step of Müller et al. 2016, which is shorter.
SLV_INLINE SLV_MATCH(quaternion)
    SLV_MATCH(follow_once)(SLV_MATCH(quaternion) q, SLV_MATCH(matrix) a) {
    SLV_MATCH(matrix) r = SLV_MATCH(get_rotation)(q);
    SLV_MATCH(matrix) m; // A R'
    m.x = SLV_MATCH(make)(a.x.x * r.x.x + a.y.x * r.y.x + a.z.x * r.z.x,
                          a.x.y * r.x.x + a.y.y * r.y.x + a.z.y * r.z.x,
                          a.x.z * r.x.x + a.y.z * r.y.x + a.z.z * r.z.x);
    m.y = SLV_MATCH(make)(a.x.x * r.x.y + a.y.x * r.y.y + a.z.x * r.z.y,
                          a.x.y * r.x.y + a.y.y * r.y.y + a.z.y * r.z.y,
                          a.x.z * r.x.y + a.y.z * r.y.y + a.z.z * r.z.y);
    m.z = SLV_MATCH(make)(a.x.x * r.x.z + a.y.x * r.y.z + a.z.x * r.z.z,
                          a.x.y * r.x.z + a.y.y * r.y.z + a.z.y * r.z.z,
                          a.x.z * r.x.z + a.y.z * r.y.z + a.z.z * r.z.z);
    SLV_MATCH_NUMBER trace = m.x.x + m.y.y + m.z.z;
    SLV_MATCH(vector) torque = SLV_MATCH(make)(m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x);
    torque = SLV_MATCH(leave_half_turn)(a, trace, torque);
    SLV_MATCH_NUMBER none = SLV_MATCH_SPREAD(0.0f);
    SLV_MATCH_NUMBER minus_half = SLV_MATCH_SPREAD(-0.5f);
    SLV_MATCH_NUMBER add = SLV_MATCH_SPREAD(SLV_MATCH_LINE) * trace;
    SLV_MATCH(matrix) h; // trace I less the symmetric part
    h.x = SLV_MATCH(make)(m.y.y + m.z.z + add, minus_half * (m.x.y + m.y.x),
                          minus_half * (m.x.z + m.z.x));
    h.y = SLV_MATCH(make)(h.x.y, m.x.x + m.z.z + add, minus_half * (m.y.z + m.z.y));
    h.z = SLV_MATCH(make)(h.x.z, h.y.z, m.x.x + m.y.y + add);
    SLV_MATCH(vector) newton = SLV_MATCH(solve)(h, none, torque);
    SLV_MATCH_NUMBER size = SLV_MATCH_PICK(trace < none, none - trace, trace);
    SLV_MATCH_NUMBER step = SLV_MATCH_SPREAD(1.0f) / (size + SLV_MATCH_SPREAD(1e-30f));
    SLV_MATCH_NUMBER least = SLV_MATCH_SPREAD(SLV_MATCH_SINGULAR) * (trace * (trace * trace));
    SLV_MATCH_BITS first = h.x.x > none; // all leading minors are positive
    SLV_MATCH_BITS second = h.x.x * h.y.y - h.x.y * h.x.y > none;
    SLV_MATCH_BITS third = SLV_MATCH(determinant)(h) > least;
    SLV_MATCH_BITS forward = trace > none;
    SLV_MATCH_BITS near = first & second & third & forward;
    SLV_MATCH(vector)
    turn = SLV_MATCH(make)(SLV_MATCH_PICK(near, newton.x, step * torque.x),
                           SLV_MATCH_PICK(near, newton.y, step * torque.y),
                           SLV_MATCH_PICK(near, newton.z, step * torque.z));
    return SLV_MATCH(turn_by)(q, SLV_MATCH(shorten)(turn, SLV_MATCH_LONGEST_TURN));
}

// Two steps in each iteration: Newton's method doubles the digits, and turns between iterations are small.
SLV_INLINE SLV_MATCH(quaternion) SLV_MATCH(follow)(SLV_MATCH(quaternion) q, SLV_MATCH(matrix) a) {
    return SLV_MATCH(follow_once)(SLV_MATCH(follow_once)(q, a), a);
}

// --- Deformation ------------------------------------------------------------------------------------

// In what turns offsets into goals, the best linear transformation F = A inverse(sum w r r') has the weight `linear`, the
// rotation the rest. F is scaled to keep the volume, by 2 at most; where F is flatter than that, or inside out, the
// rotation takes over. inverse: xx, yy, zz, xy, xz, yz; `kept` is 0 of flat clusters, whose volume is 0, else 1.
SLV_INLINE SLV_MATCH(matrix)
    SLV_MATCH(deform)(SLV_MATCH(matrix) rotation, SLV_MATCH(matrix) a, SLV_MATCH(vector) diagonal,
                      SLV_MATCH(vector) others, SLV_MATCH_NUMBER kept, float linear) {
    SLV_MATCH_NUMBER one = SLV_MATCH_SPREAD(1.0f);
    SLV_MATCH_NUMBER none = SLV_MATCH_SPREAD(0.0f);
    SLV_MATCH_NUMBER least = SLV_MATCH_SPREAD(SLV_MATCH_LEAST_VOLUME);
    SLV_MATCH_NUMBER most = SLV_MATCH_SPREAD(SLV_MATCH_MOST_VOLUME);
    SLV_MATCH(matrix) f;
    f.x = SLV_MATCH(transform)(a, SLV_MATCH(make)(diagonal.x, others.x, others.y));
    f.y = SLV_MATCH(transform)(a, SLV_MATCH(make)(others.x, diagonal.y, others.z));
    f.z = SLV_MATCH(transform)(a, SLV_MATCH(make)(others.y, others.z, diagonal.z));
    SLV_MATCH_NUMBER volume = SLV_MATCH(determinant)(f);
    volume = SLV_MATCH_PICK(kept > none, volume, one);
    SLV_MATCH_NUMBER weight = SLV_MATCH_PICK(volume < least, most * volume, one);
    weight = SLV_MATCH_PICK(weight > none, weight, none);
    volume = SLV_MATCH_PICK(volume > least, volume, least);
    volume = SLV_MATCH_PICK(volume < most, volume, most);
    SLV_MATCH_NUMBER root = one; // cube root by Newton's method: within 1/8 … 8 six rounds suffice
    SLV_MATCH_NUMBER third = SLV_MATCH_SPREAD(1.0f / 3.0f);
    for (int n = 0; n < 6; n++) {
        root = third * (root + root + volume / (root * root));
    }
    weight = SLV_MATCH_SPREAD(linear) * weight;
    SLV_MATCH_NUMBER own = one - weight;
    weight = weight / root;
    SLV_MATCH(matrix) blend;
    blend.x = SLV_MATCH(add_scaled)(SLV_MATCH(scale)(own, rotation.x), weight, f.x);
    blend.y = SLV_MATCH(add_scaled)(SLV_MATCH(scale)(own, rotation.y), weight, f.y);
    blend.z = SLV_MATCH(add_scaled)(SLV_MATCH(scale)(own, rotation.z), weight, f.z);
    return blend;
}

// --- Momentum ---------------------------------------------------------------------------------------

// What corrections would do to momentum. p: position from the center; s: position at the start
// of the step from that of the cluster's first particle.
typedef struct SLV_MATCH(momentum) {
    SLV_MATCH(vector) linear;  // sum w correction
    SLV_MATCH(vector) angular; // sum w s x correction
    SLV_MATCH(vector) start;   // sum w s
    SLV_MATCH(matrix) levers;  // sum w p s'
} SLV_MATCH(momentum);

SLV_INLINE SLV_MATCH(momentum)
    SLV_MATCH(add_momentum)(SLV_MATCH(momentum) sum, SLV_MATCH_NUMBER w, SLV_MATCH(vector) p,
                            SLV_MATCH(vector) s, SLV_MATCH(vector) correction) {
    SLV_MATCH(vector) heavy = SLV_MATCH(scale)(w, correction);
    sum.linear = SLV_MATCH(add)(sum.linear, heavy);
    sum.angular = SLV_MATCH(add)(sum.angular, SLV_MATCH(cross)(s, heavy));
    sum.start = SLV_MATCH(add_scaled)(sum.start, w, s);
    sum.levers = SLV_MATCH(add_product)(sum.levers, SLV_MATCH(scale)(w, p), s);
    return sum;
}

// The turn (radians, along its axis) that has this angular momentum, without that of the mean correction `linear`:
// (trace I - levers) turn = angular momentum around the center. Of a line no turn around itself counts; 0
// where the cluster has turned by more than a right angle since the start of the step.
SLV_INLINE SLV_MATCH(vector)
    SLV_MATCH(find_turn)(SLV_MATCH(momentum) sum, SLV_MATCH(vector) linear) {
    SLV_MATCH_NUMBER none = SLV_MATCH_SPREAD(0.0f);
    SLV_MATCH_NUMBER trace = sum.levers.x.x + sum.levers.y.y + sum.levers.z.z;
    SLV_MATCH(vector)
    angular = SLV_MATCH(subtract)(sum.angular, SLV_MATCH(cross)(sum.start, linear));
    SLV_MATCH(matrix) k;
    k.x = SLV_MATCH(make)(trace - sum.levers.x.x, none - sum.levers.x.y, none - sum.levers.x.z);
    k.y = SLV_MATCH(make)(none - sum.levers.y.x, trace - sum.levers.y.y, none - sum.levers.y.z);
    k.z = SLV_MATCH(make)(none - sum.levers.z.x, none - sum.levers.z.y, trace - sum.levers.z.z);
    SLV_MATCH_NUMBER small = SLV_MATCH_SPREAD(SLV_MATCH_LINE);
    SLV_MATCH_BITS regular = SLV_MATCH(determinant)(k) > small * (trace * (trace * trace));
    SLV_MATCH_NUMBER add = SLV_MATCH_PICK(regular, none, small * trace);
    SLV_MATCH(vector) turn = SLV_MATCH(solve)(k, add, angular);
    SLV_MATCH(vector) rest = SLV_MATCH(subtract)(angular, SLV_MATCH(transform)(k, turn));
    turn = SLV_MATCH(add)(turn, SLV_MATCH(solve)(k, add, rest));
    turn = SLV_MATCH(shorten)(turn, SLV_MATCH_LONGEST_SPIN);
    SLV_MATCH_BITS forward = trace > none;
    return SLV_MATCH(make)(SLV_MATCH_PICK(forward, turn.x, none),
                           SLV_MATCH_PICK(forward, turn.y, none),
                           SLV_MATCH_PICK(forward, turn.z, none));
}

// The correction without that momentum.
SLV_INLINE SLV_MATCH(vector)
    SLV_MATCH(settle)(SLV_MATCH(vector) correction, SLV_MATCH(vector) linear,
                      SLV_MATCH(vector) turn, SLV_MATCH(vector) p) {
    return SLV_MATCH(subtract)(SLV_MATCH(subtract)(correction, linear), SLV_MATCH(cross)(turn, p));
}

// --- Remainders -------------------------------------------------------------------------------------

// As slv_remainder_exponent (kernels/remainder.h), less SLV_REMAINDER_SHIFT: the exponent bits of the unit of remainders.
SLV_INLINE SLV_MATCH_BITS SLV_MATCH(get_unit)(SLV_MATCH_NUMBER q) {
    SLV_MATCH_BITS exponent = SLV_MATCH_AS_BITS(q) & 0x7f800000;
    SLV_MATCH_BITS least = (exponent & 0) + (SLV_REMAINDER_EXPONENT << 23);
    exponent = SLV_MATCH_PICK_BITS(exponent < least, least, exponent);
    return exponent - (SLV_REMAINDER_SHIFT << 23);
}

// The remainder now, in a word, of position q; metres.
SLV_INLINE SLV_MATCH_NUMBER SLV_MATCH(get_remainder)(SLV_MATCH_NUMBER word, SLV_MATCH_NUMBER q) {
    return SLV_MATCH_CONVERT(SLV_MATCH_AS_BITS(word) >> 16) *
           SLV_MATCH_AS_NUMBER(SLV_MATCH(get_unit)(q));
}

// A remainder of position q in whole units, ties to even. Corrections have few bits below a unit, so that ties are
// frequent; slv_round_remainder, which rounds them up, would make all bodies drift towards +x, +y and +z.
SLV_INLINE SLV_MATCH_NUMBER SLV_MATCH(round)(SLV_MATCH_NUMBER remainder, SLV_MATCH_NUMBER q) {
    SLV_MATCH_BITS unit = SLV_MATCH(get_unit)(q);
    SLV_MATCH_NUMBER large = SLV_MATCH_SPREAD(12582912.0f); // 1.5 * 2^23: its last bit is 1
    SLV_MATCH_NUMBER units = remainder * SLV_MATCH_AS_NUMBER((254 << 23) - unit);
    return ((units + large) - large) * SLV_MATCH_AS_NUMBER(unit);
}
