// SPDX-License-Identifier: MIT
// The devices of this machine, as each backend finds its own, and the choice among them.
#ifndef SLV_RUNTIME_BACKENDS_DEVICE_LIST_H
#define SLV_RUNTIME_BACKENDS_DEVICE_LIST_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"

// Capacity of a list; further devices are ignored.
enum { SLV_DEVICE_LIMIT = 32 };

typedef struct slv_device_list {
    slv_device devices[SLV_DEVICE_LIMIT];
    uint32_t count;
} slv_device_list;

// Appends a device, to be filled in; NULL when the list is full.
slv_device *slv_device_list_add(slv_device_list *list, const char *backend);

// The index of the device that `wanted` names: its number within the list, or a part of its name in any
// case. NULL selects the best: GPUs first, then the one with the most memory, then the first. -1, and
// the reason in error, where none fits.
int slv_device_list_choose(const slv_device_list *list, const char *wanted, slv_error *error);

#endif
