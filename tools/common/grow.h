// SPDX-License-Identifier: MIT
// Arrays that grow while a file is being read.
#ifndef SLV_TOOLS_GROW_H
#define SLV_TOOLS_GROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Makes room for `needed` elements of `size` bytes in *array, doubling. False where memory or the
// 32-bit numbers of elements run out; *array stays as it was.
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
