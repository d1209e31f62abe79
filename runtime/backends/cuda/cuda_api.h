// SPDX-License-Identifier: MIT
// The CUDA driver, found at run time: one binary starts where there is none. The driver and not the
// runtime library, since it comes with the device and its kernels come as bytes, compiled or as PTX.
#ifndef SLV_RUNTIME_BACKENDS_CUDA_CUDA_API_H
#define SLV_RUNTIME_BACKENDS_CUDA_CUDA_API_H

#include "formats/result.h"

#include <stdbool.h>

#include <cuda.h>
#include <cudaGL.h>

// Every call there is. Many of the names are macros for the version that the header means.
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

// Loads libcuda.so.1, or what SELVAGE_CUDA_LIBRARY names, and starts it. False, and why not, where there
// is none or it cannot.
bool slv_cuda_load(slv_cuda_api *api, slv_error *error);
void slv_cuda_unload(slv_cuda_api *api);

// "CUDA_ERROR_OUT_OF_MEMORY: out of memory", in the driver's own words.
void slv_cuda_describe(const slv_cuda_api *api, CUresult code, char *text, size_t size);

#endif
