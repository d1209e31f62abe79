// SPDX-License-Identifier: MIT
// Zigzag coding: integers of either sign become unsigned ones that are small where the integer is small.
#ifndef SLV_FORMATS_ZIGZAG_H
#define SLV_FORMATS_ZIGZAG_H

#include <stdint.h>

// 0, -1, 1, -2, … (modulo 2^32) become 0, 1, 2, 3, …
static inline uint32_t slv_zigzag(uint32_t value) {
    return (value << 1) ^ (0u - (value >> 31));
}

static inline uint32_t slv_zigzag_undo(uint32_t coded) {
    return (coded >> 1) ^ (0u - (coded & 1));
}

#endif
