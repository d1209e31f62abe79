// SPDX-License-Identifier: MIT
// The locks of a world, in the order of adding.
#ifndef SLV_RUNTIME_WORLD_LOCK_LIST_H
#define SLV_RUNTIME_WORLD_LOCK_LIST_H

#include "runtime/step/step_settings.h"
#include "runtime/world/handles.h"

typedef struct slv_lock_list {
    slv_memory memory;
    slv_lock_link *links; // [room]
    uint32_t count, room;
    uint64_t version; // grows with each change
    slv_memory slot_memory;
    uint32_t *slots; // [room] of the handle of each
    slv_handle_list handles;
} slv_lock_list;

// Makes room for one lock more; false without memory.
bool slv_locks_grow(slv_lock_list *list);
// A lock more. slv_locks_grow must have succeeded since the last one.
slv_handle slv_locks_add(slv_lock_list *list, const slv_lock_link *link);
void slv_locks_remove(slv_lock_list *list, uint32_t index);

// The body at an index was removed, with its locks; those after it have moved up.
void slv_locks_forget_body(slv_lock_list *list, uint32_t body);

#endif
