// SPDX-License-Identifier: MIT
// Random numbers that are the same on every machine.
#ifndef SLV_TESTS_RANDOM_H
#define SLV_TESTS_RANDOM_H

#include <stdint.h>

// The next state of a linear congruential generator. Its lower bits have short periods.
static inline uint32_t next_bits(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed;
}

// The upper 24 bits of the next state.
static inline uint32_t next_random(uint32_t *seed) {
    return next_bits(seed) >> 8;
}

// From 0 up to 1.
static inline float next_fraction(uint32_t *seed) {
    return (float)next_random(seed) / 16777216.0f;
}

#endif
