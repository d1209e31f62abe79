// SPDX-License-Identifier: MIT
// Check of a device's rounding. Three numbers are read; their quotient, square root, product plus sum,
// and a subnormal product are written. The host computes the same, and the bits must agree.
#ifndef SLV_KERNELS_PROBE_H
#define SLV_KERNELS_PROBE_H

#include "kernels/platform.h"

enum { SLV_PROBE_IN = 3, SLV_PROBE_OUT = 4 };

SLV_INLINE void slv_probe(const SLV_GLOBAL float *in, SLV_GLOBAL float *out, int number) {
    float a = in[number * SLV_PROBE_IN];
    float b = in[number * SLV_PROBE_IN + 1];
    float c = in[number * SLV_PROBE_IN + 2];
    SLV_GLOBAL float *result = out + number * SLV_PROBE_OUT;
    result[0] = a / b;
    result[1] = slv_square_root(a);
    result[2] = a * b + c;
    result[3] = a * 1.0e-20f * (b * 1.0e-20f);
}

#endif
