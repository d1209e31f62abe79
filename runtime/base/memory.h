// SPDX-License-Identifier: MIT
// Memory that is taken piece by piece and given back all at once, from the allocator of the world: a
// builder that fails half-way needs no list of what it had.
#ifndef SLV_RUNTIME_BASE_MEMORY_H
#define SLV_RUNTIME_BASE_MEMORY_H

#include "runtime/include/selvage/selvage.h"

typedef struct slv_memory {
    slv_allocator allocator;
    struct slv_block *blocks;
} slv_memory;

slv_allocator slv_default_allocator(void);

// Zeroed, 64-byte aligned room for count items of size bytes; NULL when there is not that much.
void *slv_memory_take(slv_memory *memory, size_t count, size_t size);
void slv_memory_release(slv_memory *memory); // everything taken; may be used again

#endif
