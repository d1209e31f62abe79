// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // madvise
#include "runtime/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    ALIGNMENT = 64,
    LARGE_PAGE = 2 << 20 // bytes
};

typedef struct slv_block {
    struct slv_block *next;
    size_t size; // of the whole block, this head included
} slv_block;

static void *allocate(void *context, size_t size, size_t alignment) {
    (void)context;
#if defined(MADV_HUGEPAGE)
    // A step over a large grid reads many arrays at once: large pages avoid misses of the TLB.
    if (size >= 2 * (size_t)LARGE_PAGE) {
        size_t whole = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
        void *memory = aligned_alloc(LARGE_PAGE, whole);
        if (memory) {
            (void)madvise(memory, whole, MADV_HUGEPAGE);
        }
        return memory;
    }
#endif
    return aligned_alloc(alignment, size);
}

static void release(void *context, void *memory, size_t size) {
    (void)context;
    (void)size;
    free(memory);
}

slv_allocator slv_default_allocator(void) {
    return (slv_allocator){.allocate = allocate, .release = release};
}

void *slv_memory_take(slv_memory *memory, size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX / 2 - 2 * ALIGNMENT) / size) {
        return NULL;
    }
    size_t room = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
    slv_block *block = memory->allocator.allocate(memory->allocator.context, room, ALIGNMENT);
    if (!block) {
        return NULL;
    }
    memset(block, 0, room);
    block->next = memory->blocks;
    block->size = room;
    memory->blocks = block;
    return (char *)block + ALIGNMENT;
}

void *slv_memory_grow(slv_memory *memory, const void *old, size_t count, size_t room, size_t size) {
    slv_memory grown = {.allocator = memory->allocator};
    void *array = slv_memory_take(&grown, room, size);
    if (array && count > 0) {
        memcpy(array, old, count * size);
    }
    if (array) {
        slv_memory_release(memory);
        *memory = grown;
    }
    return array;
}

void slv_memory_release(slv_memory *memory) {
    slv_block *block = memory->blocks;
    while (block) {
        slv_block *next = block->next;
        memory->allocator.release(memory->allocator.context, block, block->size);
        block = next;
    }
    memory->blocks = NULL;
}
