// SPDX-License-Identifier: MIT
#include "runtime/backends/device_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

slv_device *slv_device_list_add(slv_device_list *list, const char *backend) {
    if (list->count == SLV_DEVICE_LIMIT) {
        return NULL;
    }
    slv_device *device = &list->devices[list->count];
    *device = (slv_device){.index = list->count++};
    (void)snprintf(device->backend, sizeof device->backend, "%s", backend);
    return device;
}

static bool is_better(const slv_device *one, const slv_device *other) {
    if (one->is_gpu != other->is_gpu) {
        return one->is_gpu;
    }
    return one->memory_bytes > other->memory_bytes;
}

static char lower(char letter) {
    return (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
}

static bool contains(const char *name, const char *part) {
    for (; *name; name++) {
        size_t n = 0;
        while (part[n] && lower(name[n]) == lower(part[n])) {
            n++;
        }
        if (!part[n]) {
            return true;
        }
    }
    return false;
}

static bool is_wanted(const slv_device *device, const char *wanted) {
    char *end = NULL;
    unsigned long number = strtoul(wanted, &end, 10);
    return wanted[0] >= '0' && wanted[0] <= '9' && *end == '\0' ? number == device->index
                                                                : contains(device->name, wanted);
}

int slv_device_list_choose(const slv_device_list *list, const char *wanted, slv_error *error) {
    int best = -1;
    for (uint32_t i = 0; i < list->count; i++) {
        const slv_device *device = &list->devices[i];
        if ((!wanted || is_wanted(device, wanted)) &&
            (best < 0 || is_better(device, &list->devices[best]))) {
            best = (int)i;
        }
    }
    if (best < 0) {
        (void)slv_fail(error, SLV_ERROR_UNSUPPORTED,
                       wanted ? "device '%s': none of that number or name here" : "no device here",
                       wanted);
    }
    return best;
}
