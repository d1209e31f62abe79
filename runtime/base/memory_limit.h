// SPDX-License-Identifier: MIT
// An allocator that counts what it gives and refuses what would exceed a limit, before the memory is taken.
#ifndef SLV_RUNTIME_BASE_MEMORY_LIMIT_H
#define SLV_RUNTIME_BASE_MEMORY_LIMIT_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"

#include <stdbool.h>
#include <stddef.h>

// Used by one thread at a time, as the world that owns it.
typedef struct slv_memory_limit {
    slv_allocator inner;
    size_t given;     // bytes; 0: slv_default_memory_limit of `packs`
    size_t packs;     // bytes of the files in use
    size_t taken;     // bytes, those reserved included
    bool refused;     // an allocation was, since the flag was cleared
    slv_error reason; // of the last refusal
} slv_memory_limit;

// The limit must outlive the allocator. It may lie in memory that the allocator releases last.
slv_allocator slv_memory_limit_allocator(slv_memory_limit *limit);

size_t slv_memory_limit_get_left(const slv_memory_limit *limit); // bytes

// Counts memory that another allocator gives. False, with a reason, where it exceeds the limit.
bool slv_memory_limit_reserve(slv_memory_limit *limit, size_t size);
void slv_memory_limit_return(slv_memory_limit *limit, size_t size);

// A default limit grows with the files in use.
void slv_memory_limit_add_pack(slv_memory_limit *limit, size_t file_size);
void slv_memory_limit_remove_pack(slv_memory_limit *limit, size_t file_size);

#endif
