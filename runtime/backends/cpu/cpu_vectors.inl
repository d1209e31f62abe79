// SPDX-License-Identifier: MIT
// Vectors for the kernels of one instruction set: several floats, or several particles as vectors of x, of y and of z.
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

typedef float slv_quad __attribute__((__vector_size__(16))); // a particle
typedef int slv_quad_mask __attribute__((__vector_size__(16)));
typedef float slv_wide __attribute__((__vector_size__(4 * SLV_WIDE))); // one number of several
typedef int slv_mask __attribute__((__vector_size__(4 * SLV_WIDE)));

// Several particles.
typedef struct slv_wides {
    slv_wide x, y, z, w;
} slv_wides;

#define SLV_SHUFFLE __builtin_shufflevector

static inline slv_quad load_quad(const float *from) {
    slv_quad quad;
    memcpy(&quad, from, sizeof quad);
    return quad;
}

static inline void store_quad(float *to, slv_quad quad) {
    memcpy(to, &quad, sizeof quad);
}

static inline slv_wide load_wide(const float *from) {
    slv_wide wide;
    memcpy(&wide, from, sizeof wide);
    return wide;
}

static inline void store_wide(float *to, slv_wide wide) {
    memcpy(to, &wide, sizeof wide);
}

static inline slv_wide spread(float value) {
    slv_wide wide;
    for (int i = 0; i < SLV_WIDE; i++) {
        wide[i] = value;
    }
    return wide;
}

static inline slv_wide wide_square_root(slv_wide wide) {
    for (int i = 0; i < SLV_WIDE; i++) {
        wide[i] = sqrtf(wide[i]);
    }
    return wide;
}

// value where the mask is set, 0 elsewhere.
static inline slv_wide select_or_zero(slv_mask mask, slv_wide value) {
    return (slv_wide)((slv_mask)value & mask);
}

// Bit i set where lane i is.
static inline int mask_bits(slv_mask mask) {
#if SLV_WIDE == 8 && defined(__AVX__)
    return __builtin_ia32_movmskps256((slv_wide)mask);
#elif SLV_WIDE == 4 && defined(__SSE2__)
    return __builtin_ia32_movmskps((slv_wide)mask);
#else
    int bits = 0;
    for (int i = 0; i < SLV_WIDE; i++) {
        bits |= (mask[i] & 1) << i;
    }
    return bits;
#endif
}

static inline bool all_set(slv_mask mask) {
    return mask_bits(mask) == (1 << SLV_WIDE) - 1;
}

// a where it is less (or greater), b where it is not or either is NaN.
static inline slv_quad quad_min(slv_quad a, slv_quad b) {
#if defined(__SSE2__)
    return __builtin_ia32_minps(a, b);
#else
    for (int i = 0; i < 4; i++) {
        a[i] = a[i] < b[i] ? a[i] : b[i];
    }
    return a;
#endif
}

static inline slv_quad quad_max(slv_quad a, slv_quad b) {
#if defined(__SSE2__)
    return __builtin_ia32_maxps(a, b);
#else
    for (int i = 0; i < 4; i++) {
        a[i] = a[i] > b[i] ? a[i] : b[i];
    }
    return a;
#endif
}

static inline slv_wide wide_min(slv_wide a, slv_wide b) {
#if SLV_WIDE == 8 && defined(__AVX__)
    return __builtin_ia32_minps256(a, b);
#elif SLV_WIDE == 4
    return quad_min(a, b);
#else
    slv_mask less = a < b;
    return (slv_wide)(((slv_mask)a & less) | ((slv_mask)b & ~less));
#endif
}

static inline slv_wide wide_max(slv_wide a, slv_wide b) {
#if SLV_WIDE == 8 && defined(__AVX__)
    return __builtin_ia32_maxps256(a, b);
#elif SLV_WIDE == 4
    return quad_max(a, b);
#else
    slv_mask more = a > b;
    return (slv_wide)(((slv_mask)a & more) | ((slv_mask)b & ~more));
#endif
}

static inline float min_lane(slv_wide wide) {
#if SLV_WIDE == 8
    slv_quad quad =
        quad_min(SLV_SHUFFLE(wide, wide, 0, 1, 2, 3), SLV_SHUFFLE(wide, wide, 4, 5, 6, 7));
#else
    slv_quad quad = wide;
#endif
    quad = quad_min(quad, SLV_SHUFFLE(quad, quad, 2, 3, 0, 1));
    return quad_min(quad, SLV_SHUFFLE(quad, quad, 1, 0, 3, 2))[0];
}

static inline float max_lane(slv_wide wide) {
#if SLV_WIDE == 8
    slv_quad quad =
        quad_max(SLV_SHUFFLE(wide, wide, 0, 1, 2, 3), SLV_SHUFFLE(wide, wide, 4, 5, 6, 7));
#else
    slv_quad quad = wide;
#endif
    quad = quad_max(quad, SLV_SHUFFLE(quad, quad, 2, 3, 0, 1));
    return quad_max(quad, SLV_SHUFFLE(quad, quad, 1, 0, 3, 2))[0];
}

// Whether x, y and z are within both corners, which are included.
static inline bool is_within(slv_quad point, slv_quad low, slv_quad high) {
    slv_quad_mask within = (point >= low) & (point <= high);
#if defined(__SSE2__)
    return (__builtin_ia32_movmskps((slv_quad)within) & 7) == 7;
#else
    return (within[0] & within[1] & within[2]) != 0;
#endif
}

#if SLV_WIDE == 8
static inline slv_wides load_particles(const float *q, const int *offsets) {
    slv_wide a =
        SLV_SHUFFLE(load_quad(q + offsets[0]), load_quad(q + offsets[4]), 0, 1, 2, 3, 4, 5, 6, 7);
    slv_wide b =
        SLV_SHUFFLE(load_quad(q + offsets[1]), load_quad(q + offsets[5]), 0, 1, 2, 3, 4, 5, 6, 7);
    slv_wide c =
        SLV_SHUFFLE(load_quad(q + offsets[2]), load_quad(q + offsets[6]), 0, 1, 2, 3, 4, 5, 6, 7);
    slv_wide d =
        SLV_SHUFFLE(load_quad(q + offsets[3]), load_quad(q + offsets[7]), 0, 1, 2, 3, 4, 5, 6, 7);
    slv_wide ab_xy = SLV_SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    slv_wide cd_xy = SLV_SHUFFLE(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    slv_wide ab_zw = SLV_SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    slv_wide cd_zw = SLV_SHUFFLE(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    slv_wides particles = {
        SLV_SHUFFLE(ab_xy, cd_xy, 0, 1, 8, 9, 4, 5, 12, 13),
        SLV_SHUFFLE(ab_xy, cd_xy, 2, 3, 10, 11, 6, 7, 14, 15),
        SLV_SHUFFLE(ab_zw, cd_zw, 0, 1, 8, 9, 4, 5, 12, 13),
        SLV_SHUFFLE(ab_zw, cd_zw, 2, 3, 10, 11, 6, 7, 14, 15),
    };
    return particles;
}

static inline void store_particles(float *q, const int *offsets, slv_wides p) {
    slv_wide xy_low = SLV_SHUFFLE(p.x, p.y, 0, 8, 1, 9, 4, 12, 5, 13);
    slv_wide xy_high = SLV_SHUFFLE(p.x, p.y, 2, 10, 3, 11, 6, 14, 7, 15);
    slv_wide zw_low = SLV_SHUFFLE(p.z, p.w, 0, 8, 1, 9, 4, 12, 5, 13);
    slv_wide zw_high = SLV_SHUFFLE(p.z, p.w, 2, 10, 3, 11, 6, 14, 7, 15);
    slv_wide a = SLV_SHUFFLE(xy_low, zw_low, 0, 1, 8, 9, 4, 5, 12, 13);
    slv_wide b = SLV_SHUFFLE(xy_low, zw_low, 2, 3, 10, 11, 6, 7, 14, 15);
    slv_wide c = SLV_SHUFFLE(xy_high, zw_high, 0, 1, 8, 9, 4, 5, 12, 13);
    slv_wide d = SLV_SHUFFLE(xy_high, zw_high, 2, 3, 10, 11, 6, 7, 14, 15);
    store_quad(q + offsets[0], SLV_SHUFFLE(a, a, 0, 1, 2, 3));
    store_quad(q + offsets[1], SLV_SHUFFLE(b, b, 0, 1, 2, 3));
    store_quad(q + offsets[2], SLV_SHUFFLE(c, c, 0, 1, 2, 3));
    store_quad(q + offsets[3], SLV_SHUFFLE(d, d, 0, 1, 2, 3));
    store_quad(q + offsets[4], SLV_SHUFFLE(a, a, 4, 5, 6, 7));
    store_quad(q + offsets[5], SLV_SHUFFLE(b, b, 4, 5, 6, 7));
    store_quad(q + offsets[6], SLV_SHUFFLE(c, c, 4, 5, 6, 7));
    store_quad(q + offsets[7], SLV_SHUFFLE(d, d, 4, 5, 6, 7));
}
#else
static inline slv_wides transpose(slv_quad a, slv_quad b, slv_quad c, slv_quad d) {
    slv_quad ab_xy = SLV_SHUFFLE(a, b, 0, 4, 1, 5);
    slv_quad cd_xy = SLV_SHUFFLE(c, d, 0, 4, 1, 5);
    slv_quad ab_zw = SLV_SHUFFLE(a, b, 2, 6, 3, 7);
    slv_quad cd_zw = SLV_SHUFFLE(c, d, 2, 6, 3, 7);
    slv_wides transposed = {
        SLV_SHUFFLE(ab_xy, cd_xy, 0, 1, 4, 5),
        SLV_SHUFFLE(ab_xy, cd_xy, 2, 3, 6, 7),
        SLV_SHUFFLE(ab_zw, cd_zw, 0, 1, 4, 5),
        SLV_SHUFFLE(ab_zw, cd_zw, 2, 3, 6, 7),
    };
    return transposed;
}

static inline slv_wides load_particles(const float *q, const int *offsets) {
    return transpose(load_quad(q + offsets[0]), load_quad(q + offsets[1]),
                     load_quad(q + offsets[2]), load_quad(q + offsets[3]));
}

static inline void store_particles(float *q, const int *offsets, slv_wides p) {
    slv_wides transposed = transpose(p.x, p.y, p.z, p.w);
    store_quad(q + offsets[0], transposed.x);
    store_quad(q + offsets[1], transposed.y);
    store_quad(q + offsets[2], transposed.z);
    store_quad(q + offsets[3], transposed.w);
}
#endif

// Particles that lie side by side: those of a slice from `lane` on.
static inline void find_offsets(int slice, int lane, int offsets[SLV_WIDE]) {
    for (int i = 0; i < SLV_WIDE; i++) {
        offsets[i] = (slice * SLV_LANES + lane + i) * SLV_PARTICLE_FLOATS;
    }
}

static inline slv_wides load_slice(const float *vectors, int slice, int lane) {
    int offsets[SLV_WIDE];
    find_offsets(slice, lane, offsets);
    return load_particles(vectors, offsets);
}

static inline void store_slice(float *vectors, int slice, int lane, slv_wides values) {
    int offsets[SLV_WIDE];
    find_offsets(slice, lane, offsets);
    store_particles(vectors, offsets, values);
}
