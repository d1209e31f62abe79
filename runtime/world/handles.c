// SPDX-License-Identifier: MIT
#include "runtime/world/handles.h"

#include <string.h>

static uint32_t find_free(const slv_handle_list *list) {
    uint32_t slot = list->first_free;
    while (slot < list->count && list->slots[slot].index != SLV_NO_INDEX) {
        slot++;
    }
    return slot;
}

bool slv_handles_grow(slv_handle_list *list) {
    if (find_free(list) < list->capacity) {
        return true;
    }
    const uint32_t capacity = 2 * list->capacity + 8;
    slv_handle_slot *slots =
        slv_memory_grow(&list->memory, list->slots, list->count, capacity, sizeof *slots);
    if (!slots) {
        return false;
    }
    list->slots = slots;
    list->capacity = capacity;
    return true;
}

slv_handle slv_handles_add(slv_handle_list *list, uint32_t index) {
    const uint32_t slot = find_free(list);
    if (slot == list->count) {
        list->slots[slot].generation = 1;
        list->count++;
    }
    list->slots[slot].index = index;
    list->first_free = slot + 1;
    return slv_handles_get(list, slot + 1);
}

void slv_handles_remove(slv_handle_list *list, uint32_t slot) {
    slv_handle_slot *one = &list->slots[slot - 1];
    one->index = SLV_NO_INDEX;
    list->first_free = slot - 1 < list->first_free ? slot - 1 : list->first_free;
    one->generation = one->generation == UINT32_MAX ? 1 : one->generation + 1;
}

uint32_t slv_handles_find(const slv_handle_list *list, slv_handle handle) {
    if (handle.slot == 0 || handle.slot > list->count) {
        return SLV_NO_INDEX;
    }
    const slv_handle_slot *one = &list->slots[handle.slot - 1];
    return one->generation == handle.generation ? one->index : SLV_NO_INDEX;
}

slv_handle slv_handles_get(const slv_handle_list *list, uint32_t slot) {
    return (slv_handle){slot, list->slots[slot - 1].generation};
}
