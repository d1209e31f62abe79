// SPDX-License-Identifier: MIT
// An OpenCL device made ready: a context, a queue in order, and the kernels compiled for it.
#ifndef SLV_RUNTIME_BACKENDS_OPENCL_OPENCL_DEVICE_H
#define SLV_RUNTIME_BACKENDS_OPENCL_OPENCL_DEVICE_H

#include "runtime/backends/device_list.h"
#include "runtime/backends/opencl/opencl_api.h"

typedef struct slv_opencl_device {
    slv_opencl_api api;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    slv_device about;
    size_t group_limit; // threads of a work group
    bool is_cpu;
    bool shares_gl;
    char rounding[128]; // what it does not round as IEEE 754 wants; empty where all is well
} slv_opencl_device;

// Adds what is here; leaves why there is nothing in error.
void slv_opencl_list(slv_device_list *list, slv_error *error);

// On failure nothing is left behind.
slv_result slv_opencl_device_open(slv_opencl_device *device, const slv_world_def *def,
                                  slv_error *error);
void slv_opencl_device_close(slv_opencl_device *device);

// Says which call failed and how; SLV_ERROR_MEMORY or SLV_ERROR_DEVICE.
slv_result slv_opencl_fail(slv_error *error, const char *call, cl_int code);

#endif
