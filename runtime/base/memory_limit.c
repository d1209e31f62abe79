// SPDX-License-Identifier: MIT
#include "runtime/base/memory_limit.h"

#include "formats/reader.h"

static size_t get_limit(const slv_memory_limit *limit) {
    const uint64_t bytes =
        limit->given > 0 ? limit->given : slv_default_memory_limit((uint64_t)limit->packs);
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

size_t slv_memory_limit_get_left(const slv_memory_limit *limit) {
    const size_t most = get_limit(limit);
    return most > limit->taken ? most - limit->taken : 0;
}

static double to_mib(size_t bytes) {
    return (double)bytes / (1024.0 * 1024.0);
}

bool slv_memory_limit_reserve(slv_memory_limit *limit, size_t size) {
    if (size > slv_memory_limit_get_left(limit)) {
        limit->refused = true;
        (void)slv_fail(&limit->reason, SLV_ERROR_MEMORY,
                       "%.3g MiB more would exceed the memory limit of %.0f MiB, of which %.3g are "
                       "taken; memory_limit of the world sets it (--memory-limit MiB)",
                       to_mib(size), to_mib(get_limit(limit)), to_mib(limit->taken));
        return false;
    }
    limit->taken += size;
    return true;
}

void slv_memory_limit_return(slv_memory_limit *limit, size_t size) {
    limit->taken -= size;
}

static void *allocate(void *context, size_t size, size_t alignment) {
    slv_memory_limit *limit = context;
    if (!slv_memory_limit_reserve(limit, size)) {
        return NULL;
    }
    void *memory = limit->inner.allocate(limit->inner.context, size, alignment);
    if (!memory) {
        slv_memory_limit_return(limit, size);
    }
    return memory;
}

static void release(void *context, void *memory, size_t size) {
    slv_memory_limit *limit = context;
    const slv_allocator inner = limit->inner; // the limit may lie in this memory
    slv_memory_limit_return(limit, size);
    inner.release(inner.context, memory, size);
}

slv_allocator slv_memory_limit_allocator(slv_memory_limit *limit) {
    return (slv_allocator){.allocate = allocate, .release = release, .context = limit};
}

void slv_memory_limit_add_pack(slv_memory_limit *limit, size_t file_size) {
    limit->packs += file_size;
}

void slv_memory_limit_remove_pack(slv_memory_limit *limit, size_t file_size) {
    limit->packs -= file_size;
}
