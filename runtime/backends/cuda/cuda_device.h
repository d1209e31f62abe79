// SPDX-License-Identifier: MIT
// An open CUDA device: its primary context, a stream, and the kernels.
#ifndef SLV_RUNTIME_BACKENDS_CUDA_CUDA_DEVICE_H
#define SLV_RUNTIME_BACKENDS_CUDA_CUDA_DEVICE_H

#include "runtime/backends/backend.h"
#include "runtime/backends/cuda/cuda_api.h"
#include "runtime/step/kernel_id.h"

enum { SLV_CUDA_BLOCK = 128 }; // threads of a block

typedef struct slv_cuda_device {
    slv_cuda_api api;
    CUdevice id;
    CUcontext context; // NULL: not retained
    CUstream stream;
    CUmodule module;
    CUfunction kernels[SLV_KERNEL_COUNT];
    CUfunction end_step, export_positions;
    slv_device about;
    char rounding[128]; // operations that are not rounded as IEEE 754 requires; empty without any
} slv_cuda_device;

// Adds the devices of this machine; without any, the reason is in error.
void slv_cuda_list(slv_device_list *list, slv_error *error);

// On failure nothing is left behind.
slv_result slv_cuda_device_open(slv_cuda_device *device, const slv_engine_def *def,
                                slv_error *error);
void slv_cuda_device_close(slv_cuda_device *device);

// Makes the device's context current and restores the caller's. All calls to the device are between
// these.
slv_result slv_cuda_enter(const slv_cuda_device *device, slv_error *error);
void slv_cuda_leave(const slv_cuda_device *device);

// Says which call failed and how; SLV_OK for CUDA_SUCCESS, else SLV_ERROR_MEMORY or
// SLV_ERROR_DEVICE.
slv_result slv_cuda_check(const slv_cuda_device *device, slv_error *error, const char *call,
                          CUresult code);

// slv_cuda_check of a call by its name: SLV_CUDA_TRY(device, error, cuStreamSynchronize, (stream)).
#define SLV_CUDA_TRY(device, error, call, arguments)                                               \
    slv_cuda_check(device, error, #call, (device)->api.call arguments)

#endif
