// SPDX-License-Identifier: MIT
// Ids with a generation: what the public ids of garments, clips, colliders and locks are made of. A handle names a slot
// of a list and the generation of what is in it; removing something ends that generation, so an old id never
// names what took its slot.
#ifndef SLV_RUNTIME_WORLD_HANDLES_H
#define SLV_RUNTIME_WORLD_HANDLES_H

#include "runtime/base/memory.h"
#include "runtime/include/selvage/world.h"

typedef struct slv_handle {
    uint32_t slot; // counts from 1; 0 in the null handle
    uint32_t generation;
} slv_handle;

typedef struct slv_handle_slot {
    uint32_t generation; // from 1 on
    uint32_t index;      // what it names; SLV_NO_INDEX where the slot is free
} slv_handle_slot;

typedef struct slv_handle_list {
    slv_memory memory;
    slv_handle_slot *slots; // [capacity]
    uint32_t count;         // slots that have been used
    uint32_t capacity;
    uint32_t first_free; // no slot before this one is free
} slv_handle_list;

// Makes room for one handle more; false without memory.
bool slv_handles_grow(slv_handle_list *list);
// A new handle of an index. slv_handles_grow must have succeeded since the last one.
slv_handle slv_handles_add(slv_handle_list *list, uint32_t index);
void slv_handles_remove(slv_handle_list *list, uint32_t slot);
// The index of a handle; SLV_NO_INDEX where it is null or names what is gone.
uint32_t slv_handles_find(const slv_handle_list *list, slv_handle handle);
// The present handle of a slot in use.
slv_handle slv_handles_get(const slv_handle_list *list, uint32_t slot);

#endif
