// SPDX-License-Identifier: MIT
#include "runtime/backends/device_list.h"

#include "runtime/backends/backend.h"

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

// --- Choosing ---------------------------------------------------------------------------------------

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

// --- Public functions -------------------------------------------------------------------------------

static slv_result check_backend(const char *name, slv_error *error) {
    slv_device_list list = {.count = 0};
    const slv_backend *backend = slv_find_backend(name, error);
    if (!backend) {
        return error->code == SLV_ERROR_ARGUMENT ? SLV_ERROR_ARGUMENT : SLV_ERROR_UNSUPPORTED;
    }
    if (backend->list) {
        backend->list(&list, error);
    }
    return list.count > 0 || !backend->list ? SLV_OK : SLV_ERROR_UNSUPPORTED;
}

slv_result slv_check_backend(const char *backend, char *message, size_t size) {
    slv_error error = {.code = SLV_OK};
    const slv_result status = check_backend(backend ? backend : "", &error);
    if (message && size > 0) {
        (void)snprintf(message, size, "%s", status == SLV_OK ? "" : error.text);
    }
    return status;
}

uint32_t slv_list_devices(slv_device *devices, uint32_t room) {
    uint32_t count = 0;
    for (const slv_backend *const *backend = slv_backends; *backend; backend++) {
        slv_device_list list = {.count = 0};
        slv_error error;
        if ((*backend)->list) {
            (*backend)->list(&list, &error);
        }
        for (uint32_t i = 0; i < list.count; i++, count++) {
            if (count < room) {
                devices[count] = list.devices[i];
            }
        }
    }
    return count;
}
