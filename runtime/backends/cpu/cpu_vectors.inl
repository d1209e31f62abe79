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

// Particles as they are loaded: lane i and lane i + 4 of them in vector i, or lane i where vectors hold one.
typedef struct slv_pairs {
    slv_wide of[4];
} slv_pairs;

#if SLV_WIDE == 8
// Lane i in vector i, and lane i + 4 in its upper half.
static inline slv_pairs spread_lanes(slv_wide wide) {
    return (slv_pairs){{
        SLV_SHUFFLE(wide, wide, 0, 0, 0, 0, 4, 4, 4, 4),
        SLV_SHUFFLE(wide, wide, 1, 1, 1, 1, 5, 5, 5, 5),
        SLV_SHUFFLE(wide, wide, 2, 2, 2, 2, 6, 6, 6, 6),
        SLV_SHUFFLE(wide, wide, 3, 3, 3, 3, 7, 7, 7, 7),
    }};
}

static inline slv_wide load_pair(const float *from, const int *offsets) {
    return SLV_SHUFFLE(load_quad(from + offsets[0]), load_quad(from + offsets[4]), 0, 1, 2, 3, 4, 5,
                       6, 7);
}

static inline void store_pair(float *to, const int *offsets, slv_wide pair) {
    store_quad(to + offsets[0], SLV_SHUFFLE(pair, pair, 0, 1, 2, 3));
    store_quad(to + offsets[4], SLV_SHUFFLE(pair, pair, 4, 5, 6, 7));
}

static inline slv_wides transpose(slv_pairs p) {
    slv_wide ab_xy = SLV_SHUFFLE(p.of[0], p.of[1], 0, 8, 1, 9, 4, 12, 5, 13);
    slv_wide cd_xy = SLV_SHUFFLE(p.of[2], p.of[3], 0, 8, 1, 9, 4, 12, 5, 13);
    slv_wide ab_zw = SLV_SHUFFLE(p.of[0], p.of[1], 2, 10, 3, 11, 6, 14, 7, 15);
    slv_wide cd_zw = SLV_SHUFFLE(p.of[2], p.of[3], 2, 10, 3, 11, 6, 14, 7, 15);
    slv_wides particles = {
        SLV_SHUFFLE(ab_xy, cd_xy, 0, 1, 8, 9, 4, 5, 12, 13),
        SLV_SHUFFLE(ab_xy, cd_xy, 2, 3, 10, 11, 6, 7, 14, 15),
        SLV_SHUFFLE(ab_zw, cd_zw, 0, 1, 8, 9, 4, 5, 12, 13),
        SLV_SHUFFLE(ab_zw, cd_zw, 2, 3, 10, 11, 6, 7, 14, 15),
    };
    return particles;
}

static inline slv_pairs transpose_back(slv_wides p) {
    slv_wide xy_low = SLV_SHUFFLE(p.x, p.y, 0, 8, 1, 9, 4, 12, 5, 13);
    slv_wide xy_high = SLV_SHUFFLE(p.x, p.y, 2, 10, 3, 11, 6, 14, 7, 15);
    slv_wide zw_low = SLV_SHUFFLE(p.z, p.w, 0, 8, 1, 9, 4, 12, 5, 13);
    slv_wide zw_high = SLV_SHUFFLE(p.z, p.w, 2, 10, 3, 11, 6, 14, 7, 15);
    slv_pairs pairs = {{
        SLV_SHUFFLE(xy_low, zw_low, 0, 1, 8, 9, 4, 5, 12, 13),
        SLV_SHUFFLE(xy_low, zw_low, 2, 3, 10, 11, 6, 7, 14, 15),
        SLV_SHUFFLE(xy_high, zw_high, 0, 1, 8, 9, 4, 5, 12, 13),
        SLV_SHUFFLE(xy_high, zw_high, 2, 3, 10, 11, 6, 7, 14, 15),
    }};
    return pairs;
}
#else
static inline slv_pairs spread_lanes(slv_wide wide) {
    return (slv_pairs){{
        SLV_SHUFFLE(wide, wide, 0, 0, 0, 0),
        SLV_SHUFFLE(wide, wide, 1, 1, 1, 1),
        SLV_SHUFFLE(wide, wide, 2, 2, 2, 2),
        SLV_SHUFFLE(wide, wide, 3, 3, 3, 3),
    }};
}

static inline slv_wide load_pair(const float *from, const int *offsets) {
    return load_quad(from + offsets[0]);
}

static inline void store_pair(float *to, const int *offsets, slv_wide pair) {
    store_quad(to + offsets[0], pair);
}

static inline slv_wides transpose(slv_pairs p) {
    slv_quad ab_xy = SLV_SHUFFLE(p.of[0], p.of[1], 0, 4, 1, 5);
    slv_quad cd_xy = SLV_SHUFFLE(p.of[2], p.of[3], 0, 4, 1, 5);
    slv_quad ab_zw = SLV_SHUFFLE(p.of[0], p.of[1], 2, 6, 3, 7);
    slv_quad cd_zw = SLV_SHUFFLE(p.of[2], p.of[3], 2, 6, 3, 7);
    slv_wides transposed = {
        SLV_SHUFFLE(ab_xy, cd_xy, 0, 1, 4, 5),
        SLV_SHUFFLE(ab_xy, cd_xy, 2, 3, 6, 7),
        SLV_SHUFFLE(ab_zw, cd_zw, 0, 1, 4, 5),
        SLV_SHUFFLE(ab_zw, cd_zw, 2, 3, 6, 7),
    };
    return transposed;
}

static inline slv_pairs transpose_back(slv_wides p) {
    slv_wides t = transpose((slv_pairs){{p.x, p.y, p.z, p.w}});
    return (slv_pairs){{t.x, t.y, t.z, t.w}};
}
#endif

static inline slv_pairs load_pairs(const float *from, const int *offsets) {
    slv_pairs pairs;
    for (int i = 0; i < 4; i++) {
        pairs.of[i] = load_pair(from, offsets + i);
    }
    return pairs;
}

static inline slv_wides load_particles(const float *from, const int *offsets) {
    return transpose(load_pairs(from, offsets));
}

static inline void store_particles(float *to, const int *offsets, slv_wides p) {
    slv_pairs pairs = transpose_back(p);
    for (int i = 0; i < 4; i++) {
        store_pair(to, offsets + i, pairs.of[i]);
    }
}

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

// The same for particles that lie side by side, from a slot on.
static inline slv_pairs load_own_pairs(const float *vectors, int slot) {
    int offsets[SLV_WIDE];
    find_offsets(0, slot, offsets);
    return load_pairs(vectors, offsets);
}

static inline void store_own_pairs(float *vectors, int slot, slv_pairs pairs) {
    int offsets[SLV_WIDE];
    find_offsets(0, slot, offsets);
    for (int i = 0; i < 4; i++) {
        store_pair(vectors, offsets + i, pairs.of[i]);
    }
}
