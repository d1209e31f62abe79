// SPDX-License-Identifier: MIT
// An open OpenCL device: a context, an in-order queue, and the compiled kernels.
#ifndef SLV_RUNTIME_BACKENDS_OPENCL_OPENCL_DEVICE_H
#define SLV_RUNTIME_BACKENDS_OPENCL_OPENCL_DEVICE_H

#include "runtime/backends/backend.h"
#include "runtime/backends/gpu/program_cache.h"
#include "runtime/backends/opencl/opencl_api.h"

typedef struct slv_opencl_device {
    slv_opencl_api api;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    slv_cached_program cached; // only while the device is opened
    slv_device about;
    size_t group_limit; // threads of a work group
    bool is_cpu;
    bool shares_gl;
    char rounding[128]; // operations that are not rounded as IEEE 754 requires; empty without any
} slv_opencl_device;

// Adds the devices of this machine; without any, the reason is in error.
void slv_opencl_list(slv_device_list *list, slv_error *error);

// On failure nothing is left behind.
slv_result slv_opencl_device_open(slv_opencl_device *device, const slv_engine_def *def,
                                  slv_error *error);
void slv_opencl_device_close(slv_opencl_device *device);

// Says which call failed and how; SLV_ERROR_MEMORY or SLV_ERROR_DEVICE.
slv_result slv_opencl_fail(slv_error *error, const char *call, cl_int code);

#endif
