// SPDX-License-Identifier: MIT
// The CUDA driver, loaded at run time, so that the library also starts where it is not installed. The
// driver API is used, not the runtime library: it comes with the device, and the kernels are embedded
// as binaries and PTX.
#ifndef SLV_RUNTIME_BACKENDS_CUDA_CUDA_API_H
#define SLV_RUNTIME_BACKENDS_CUDA_CUDA_API_H

#include "formats/result.h"

#include <stdbool.h>

#include <cuda.h>
#include <cudaGL.h>

// Every function used. Many of the names are macros for versioned names.
#define SLV_CUDA_CALLS(CALL)                                                                       \
    CALL(cuInit)                                                                                   \
    CALL(cuGetErrorName)                                                                           \
    CALL(cuGetErrorString)                                                                         \
    CALL(cuDriverGetVersion)                                                                       \
    CALL(cuDeviceGetCount)                                                                         \
    CALL(cuDeviceGet)                                                                              \
    CALL(cuDeviceGetName)                                                                          \
    CALL(cuDeviceTotalMem)                                                                         \
    CALL(cuDeviceGetAttribute)                                                                     \
    CALL(cuDevicePrimaryCtxRetain)                                                                 \
    CALL(cuDevicePrimaryCtxRelease)                                                                \
    CALL(cuCtxPushCurrent)                                                                         \
    CALL(cuCtxPopCurrent)                                                                          \
    CALL(cuModuleLoadDataEx)                                                                       \
    CALL(cuModuleUnload)                                                                           \
    CALL(cuModuleGetFunction)                                                                      \
    CALL(cuMemAlloc)                                                                               \
    CALL(cuMemFree)                                                                                \
    CALL(cuMemHostAlloc)                                                                           \
    CALL(cuMemFreeHost)                                                                            \
    CALL(cuMemcpyHtoDAsync)                                                                        \
    CALL(cuMemcpyDtoHAsync)                                                                        \
    CALL(cuStreamCreate)                                                                           \
    CALL(cuStreamDestroy)                                                                          \
    CALL(cuStreamSynchronize)                                                                      \
    CALL(cuEventCreate)                                                                            \
    CALL(cuEventDestroy)                                                                           \
    CALL(cuEventRecord)                                                                            \
    CALL(cuEventElapsedTime)                                                                       \
    CALL(cuLaunchKernel)                                                                           \
    CALL(cuGraphCreate)                                                                            \
    CALL(cuGraphDestroy)                                                                           \
    CALL(cuGraphAddKernelNode)                                                                     \
    CALL(cuGraphAddEmptyNode)                                                                      \
    CALL(cuGraphInstantiate)                                                                       \
    CALL(cuGraphExecDestroy)                                                                       \
    CALL(cuGraphExecKernelNodeSetParams)                                                           \
    CALL(cuGraphLaunch)                                                                            \
    CALL(cuGraphicsGLRegisterBuffer)                                                               \
    CALL(cuGraphicsUnregisterResource)                                                             \
    CALL(cuGraphicsMapResources)                                                                   \
    CALL(cuGraphicsUnmapResources)                                                                 \
    CALL(cuGraphicsResourceGetMappedPointer)

typedef struct slv_cuda_api {
    void *library;                             // NULL: not loaded
#define SLV_CALL(name) __typeof__(name) *name; // NOLINT(bugprone-macro-parentheses)
    SLV_CUDA_CALLS(SLV_CALL)
#undef SLV_CALL
} slv_cuda_api;

// Loads libcuda.so.1, or the library in SELVAGE_CUDA_LIBRARY, and initializes it. False, with the
// reason, on failure.
bool slv_cuda_load(slv_cuda_api *api, slv_error *error);
void slv_cuda_unload(slv_cuda_api *api);

// "CUDA_ERROR_OUT_OF_MEMORY: out of memory", as the driver has it.
void slv_cuda_describe(const slv_cuda_api *api, CUresult code, char *text, size_t size);

#endif
