// SPDX-License-Identifier: MIT
// What a float position lacks. A position is the sum of two floats, q and its remainder u, which is about half a unit
// in the last place of q at most. So a displacement much smaller than that unit is not lost, and the displacement of a
// step is the difference of two such sums (docs/PRECISION.md).
//
// Remainders at the starts of this step and the last one are stored as two 16-bit integers in one word, in units of
// 2^-SLV_REMAINDER_BITS of that last place. A word stands in state as the bits of a float, which may be those of a NaN:
// no kernel computes with it.
#ifndef SLV_KERNELS_REMAINDER_H
#define SLV_KERNELS_REMAINDER_H

#include "kernels/platform.h"

enum {
    SLV_REMAINDER_BITS = 15,       // the range is one unit in the last place to either side
    SLV_REMAINDER_SHIFT = 23 + 15, // from a power of two to the unit of remainders
    SLV_REMAINDER_EXPONENT = 117   // of a float: positions below 2^-10 m have the unit of 2^-10 m
};
#define SLV_REMAINDER_LIMIT 32767.0f

// A sum and its rounding error.
typedef struct slv_two_sum {
    float sum, error;
} slv_two_sum;

// Dekker's: exact where |a| >= |b|; elsewhere the error is off by the last bit of b at most.
SLV_INLINE slv_two_sum slv_add_exactly(float a, float b) {
    slv_two_sum result;
    result.sum = a + b;
    result.error = b - (result.sum - a);
    return result;
}

// The exponent bits of a position, bounded from below.
SLV_INLINE int slv_remainder_exponent(float q) {
    int exponent = slv_float_bits(q) & 0x7f800000;
    return exponent < SLV_REMAINDER_EXPONENT << 23 ? SLV_REMAINDER_EXPONENT << 23 : exponent;
}

// The unit of the remainders of a position, metres; a power of two.
SLV_INLINE float slv_remainder_unit(float q) {
    return slv_bits_float(slv_remainder_exponent(q) - (SLV_REMAINDER_SHIFT << 23));
}

// A remainder of position q as an integer. NaN becomes the largest.
SLV_INLINE int slv_round_remainder(float remainder, float q) {
    float scale =
        slv_bits_float((254 << 23) - (slv_remainder_exponent(q) - (SLV_REMAINDER_SHIFT << 23)));
    float units = remainder * scale;
    units = units < SLV_REMAINDER_LIMIT ? units : SLV_REMAINDER_LIMIT;
    units = units > 0.0f - SLV_REMAINDER_LIMIT ? units : 0.0f - SLV_REMAINDER_LIMIT;
    return (int)(units + 32768.5f) - 32768;
}

SLV_INLINE float slv_scale_remainder(int units, float q) {
    return (float)units * slv_remainder_unit(q);
}

// The word of the remainders now and a step before.
SLV_INLINE float slv_pack_remainders(int now, int before) {
    return slv_bits_float((int)((unsigned)now << 16 | ((unsigned)before & 0xffffu)));
}

SLV_INLINE int slv_remainder_now(float word) {
    return slv_float_bits(word) >> 16;
}

SLV_INLINE int slv_remainder_before(float word) {
    return (int)((unsigned)slv_float_bits(word) << 16) >> 16;
}

#endif
