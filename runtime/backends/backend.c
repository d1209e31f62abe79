// SPDX-License-Identifier: MIT
#include "runtime/backends/backend.h"

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
