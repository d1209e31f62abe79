// SPDX-License-Identifier: MIT
// Memory that is taken piece by piece from the allocator of the world and released as a whole, also after a
// function failed half-way.
#ifndef SLV_RUNTIME_BASE_MEMORY_H
#define SLV_RUNTIME_BASE_MEMORY_H

#include "runtime/include/selvage/selvage.h"

typedef struct slv_memory {
    slv_allocator allocator;
    struct slv_block *blocks;
} slv_memory;

slv_allocator slv_default_allocator(void);

// Zeroed, 64-byte aligned memory for count items of size bytes. NULL: out of memory.
void *slv_memory_take(slv_memory *memory, size_t count, size_t size);
// A larger array in place of the only one that `memory` has: room items of size bytes, of which the first `count` are
// those of the old array. NULL: out of memory, and the old array stays.
void *slv_memory_grow(slv_memory *memory, const void *old, size_t count, size_t room, size_t size);
void slv_memory_release(slv_memory *memory); // everything that was taken; then it can be used again

#endif
