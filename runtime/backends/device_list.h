// SPDX-License-Identifier: MIT
// The devices of this machine, as every backend finds its own, and the choice among them.
#ifndef SLV_RUNTIME_BACKENDS_DEVICE_LIST_H
#define SLV_RUNTIME_BACKENDS_DEVICE_LIST_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"

// More than any machine has; a list is cut there.
enum { SLV_DEVICE_LIMIT = 32 };

typedef struct slv_device_list {
    slv_device devices[SLV_DEVICE_LIMIT];
    uint32_t count;
} slv_device_list;

// The next device to be filled in; NULL when the list is full.
slv_device *slv_device_list_add(slv_device_list *list, const char *backend);

// The device that `wanted` names: its number within the list, or a part of its name in any case; NULL
// for the best: real GPUs first, then the one with the most memory, then the first. -1 where nothing
// fits, and what there is in the message.
int slv_device_list_choose(const slv_device_list *list, const char *wanted, slv_error *error);

#endif
