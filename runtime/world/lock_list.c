// SPDX-License-Identifier: MIT
#include "runtime/world/lock_list.h"

bool slv_locks_grow(slv_lock_list *list) {
    if (!slv_handles_grow(&list->handles)) {
        return false;
    }
    if (list->count < list->room) {
        return true;
    }
    const uint32_t room = 2 * list->room + 8;
    uint32_t *slots =
        slv_memory_grow(&list->slot_memory, list->slots, list->count, room, sizeof *slots);
    list->slots = slots ? slots : list->slots;
    slv_lock_link *links =
        slots ? slv_memory_grow(&list->memory, list->links, list->count, room, sizeof *links)
              : NULL;
    list->links = links ? links : list->links;
    list->room = links ? room : list->room;
    return links != NULL;
}

slv_handle slv_locks_add(slv_lock_list *list, const slv_lock_link *link) {
    const slv_handle handle = slv_handles_add(&list->handles, list->count);
    list->slots[list->count] = handle.slot;
    list->links[list->count++] = *link;
    list->version++;
    return handle;
}

void slv_locks_remove(slv_lock_list *list, uint32_t index) {
    slv_handles_remove(&list->handles, list->slots[index]);
    list->count--;
    for (uint32_t i = index; i < list->count; i++) {
        list->links[i] = list->links[i + 1];
        list->slots[i] = list->slots[i + 1];
        list->handles.slots[list->slots[i] - 1].index = i;
    }
    list->version++;
}

void slv_locks_forget_body(slv_lock_list *list, uint32_t body) {
    uint32_t kept = 0;
    bool changed = false;
    for (uint32_t i = 0; i < list->count; i++) {
        slv_lock_link link = list->links[i];
        if (link.bodies[0] == body || link.bodies[1] == body) {
            slv_handles_remove(&list->handles, list->slots[i]);
            changed = true;
            continue;
        }
        for (int k = 0; k < 2; k++) {
            changed = changed || link.bodies[k] > body;
            link.bodies[k] -= link.bodies[k] > body ? 1 : 0;
        }
        list->links[kept] = link;
        list->slots[kept] = list->slots[i];
        list->handles.slots[list->slots[kept] - 1].index = kept;
        kept++;
    }
    list->count = kept;
    list->version += changed ? 1 : 0; // a layout without these locks still fits
}
