// SPDX-License-Identifier: MIT
// SIMD types: eight floats or four doubles, by the vector extensions of gcc and clang. The same
// source gives SSE2, AVX2 or NEON code. Only +, -, *, comparisons and bit-wise selection are used,
// so every lane gives the same bits on all of them. Intrinsics replace the generic form only where
// that takes several instructions.
#ifndef SLV_VOXELIZE_LANES_H
#define SLV_VOXELIZE_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef float slv_f4 __attribute__((vector_size(16)));
typedef int32_t slv_i4 __attribute__((vector_size(16)));
typedef float slv_f8 __attribute__((vector_size(32)));
typedef int32_t slv_i8 __attribute__((vector_size(32)));
typedef double slv_d4 __attribute__((vector_size(32)));
typedef int64_t slv_l4 __attribute__((vector_size(32)));

static inline slv_f8 slv_f8_all(float a) {
    return (slv_f8){a, a, a, a, a, a, a, a};
}

static inline slv_f8 slv_f8_load(const float *from) {
    slv_f8 a;
    memcpy(&a, from, sizeof a);
    return a;
}

static inline void slv_f8_store(float *to, slv_f8 a) {
    memcpy(to, &a, sizeof a);
}

static inline slv_d4 slv_d4_all(double a) {
    return (slv_d4){a, a, a, a};
}

#if defined(__AVX2__)

static inline slv_f8 slv_f8_max(slv_f8 a, slv_f8 b) {
    return (slv_f8)_mm256_max_ps((__m256)a, (__m256)b);
}
static inline slv_f8 slv_f8_min(slv_f8 a, slv_f8 b) {
    return (slv_f8)_mm256_min_ps((__m256)a, (__m256)b);
}
static inline slv_f8 slv_f8_sqrt(slv_f8 a) {
    return (slv_f8)_mm256_sqrt_ps((__m256)a);
}
static inline slv_f8 slv_f8_select(slv_i8 mask, slv_f8 a, slv_f8 b) {
    return (slv_f8)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
}
static inline slv_f4 slv_f4_min(slv_f4 a, slv_f4 b) {
    return (slv_f4)_mm_min_ps((__m128)a, (__m128)b);
}
static inline slv_f4 slv_f4_max(slv_f4 a, slv_f4 b) {
    return (slv_f4)_mm_max_ps((__m128)a, (__m128)b);
}
static inline slv_d4 slv_d4_min(slv_d4 a, slv_d4 b) {
    return (slv_d4)_mm256_min_pd((__m256d)a, (__m256d)b);
}
static inline slv_d4 slv_d4_max(slv_d4 a, slv_d4 b) {
    return (slv_d4)_mm256_max_pd((__m256d)a, (__m256d)b);
}
static inline slv_d4 slv_d4_select(slv_l4 mask, slv_d4 a, slv_d4 b) {
    return (slv_d4)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
}
// One bit per lane.
static inline unsigned slv_i8_bits(slv_i8 mask) {
    return (unsigned)_mm256_movemask_ps((__m256)mask);
}
static inline unsigned slv_l4_bits(slv_l4 mask) {
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
}

#else

static inline slv_d4 slv_d4_select(slv_l4 mask, slv_d4 a, slv_d4 b) {
    return (slv_d4)((mask & (slv_l4)a) | (~mask & (slv_l4)b));
}
static inline slv_f8 slv_f8_select(slv_i8 mask, slv_f8 a, slv_f8 b) {
    return (slv_f8)((mask & (slv_i8)a) | (~mask & (slv_i8)b));
}
static inline slv_f8 slv_f8_max(slv_f8 a, slv_f8 b) {
    return slv_f8_select(a > b, a, b);
}
static inline slv_f8 slv_f8_min(slv_f8 a, slv_f8 b) {
    return slv_f8_select(a < b, a, b);
}
static inline slv_f8 slv_f8_sqrt(slv_f8 a) {
    for (int lane = 0; lane < 8; lane++) {
        a[lane] = sqrtf(a[lane]);
    }
    return a;
}
static inline slv_f4 slv_f4_min(slv_f4 a, slv_f4 b) {
    const slv_i4 mask = a < b;
    return (slv_f4)((mask & (slv_i4)a) | (~mask & (slv_i4)b));
}
static inline slv_f4 slv_f4_max(slv_f4 a, slv_f4 b) {
    const slv_i4 mask = a > b;
    return (slv_f4)((mask & (slv_i4)a) | (~mask & (slv_i4)b));
}
static inline slv_d4 slv_d4_min(slv_d4 a, slv_d4 b) {
    return slv_d4_select(a < b, a, b);
}
static inline slv_d4 slv_d4_max(slv_d4 a, slv_d4 b) {
    return slv_d4_select(a > b, a, b);
}
static inline unsigned slv_i8_bits(slv_i8 mask) {
    unsigned bits = 0;
    for (unsigned lane = 0; lane < 8; lane++) {
        bits |= ((unsigned)mask[lane] & 1u) << lane;
    }
    return bits;
}
static inline unsigned slv_l4_bits(slv_l4 mask) {
    unsigned bits = 0;
    for (unsigned lane = 0; lane < 4; lane++) {
        bits |= ((unsigned)mask[lane] & 1u) << lane;
    }
    return bits;
}

#endif

#endif
