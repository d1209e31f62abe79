// SPDX-License-Identifier: MIT
// The backends and devices of this machine.
#include "runtime/backends/backend.h"
#include "runtime/base/float_modes.h"

#include <stdio.h>

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
    SLV_DEFAULT_FLOAT_MODES;
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
