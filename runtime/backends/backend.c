// SPDX-License-Identifier: MIT
#include "runtime/backends/backend.h"

#include <stdio.h>
#include <string.h>

const slv_backend *const slv_backends[] = {
#if defined(SLV_HAS_CUDA)
    &slv_cuda_backend,
#endif
#if defined(SLV_HAS_OPENCL)
    &slv_opencl_backend,
#endif
    &slv_cpu_backend,
    NULL,
};

// A backend that is not built in is known by name and says how to enable it.
static const struct {
    const char *name;
    const char *remedy;
} absent[] = {
    {"opencl", "built without OpenCL; build it where CL/cl.h is (Debian: opencl-c-headers)"},
    {"cuda", "built without CUDA; build it where nvcc is (NVIDIA's CUDA Toolkit)"},
};

const slv_backend *slv_find_backend(const char *name, slv_error *error) {
    for (const slv_backend *const *one = slv_backends; *one; one++) {
        if (strcmp(name, (*one)->name) == 0) {
            return *one;
        }
    }
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        if (strcmp(name, absent[i].name) == 0) {
            (void)slv_fail(error, SLV_ERROR_UNSUPPORTED, "this library was %s", absent[i].remedy);
            return NULL;
        }
    }
    (void)slv_fail(error, SLV_ERROR_ARGUMENT,
                   "backend is '%s', should be \"auto\", \"cpu\", \"opencl\" or \"cuda\"", name);
    return NULL;
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
