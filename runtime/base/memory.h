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
void slv_memory_release(slv_memory *memory); // everything that was taken; then it can be used again

#endif
