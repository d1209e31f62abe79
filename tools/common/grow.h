// SPDX-License-Identifier: MIT
// Growing arrays for readers.
#ifndef SLV_TOOLS_GROW_H
#define SLV_TOOLS_GROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Reserves `needed` elements of `size` bytes in *array, with doubling. False, with *array
// unchanged, where memory or 32-bit indices are exhausted.
static inline bool slv_grow(void **array, uint32_t *capacity, uint64_t needed, size_t size) {
    if (*array && needed <= *capacity) {
        return true;
    }
    uint64_t room = (uint64_t)*capacity * 2;
    room = room < needed ? needed : room;
    room = room < 64 ? 64 : room;
    room = room < UINT32_MAX ? room : UINT32_MAX - 1;
    if (room < needed || room > SIZE_MAX / size) {
        return false;
    }
    void *grown = realloc(*array, (size_t)room * size);
    if (grown == NULL) {
        return false;
    }
    *array = grown;
    *capacity = (uint32_t)room;
    return true;
}

#endif
