// SPDX-License-Identifier: MIT
#include "runtime/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

typedef struct slv_block {
    struct slv_block *next;
    size_t size; // of the whole block, this head included
} slv_block;

static void *allocate(void *context, size_t size, size_t alignment) {
    (void)context;
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

void slv_memory_release(slv_memory *memory) {
    slv_block *block = memory->blocks;
    while (block) {
        slv_block *next = block->next;
        memory->allocator.release(memory->allocator.context, block, block->size);
        block = next;
    }
    memory->blocks = NULL;
}
