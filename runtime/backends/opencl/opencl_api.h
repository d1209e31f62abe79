// SPDX-License-Identifier: MIT
// OpenCL 1.2, loaded at run time, so that the library also starts where it is not installed.
#ifndef SLV_RUNTIME_BACKENDS_OPENCL_OPENCL_API_H
#define SLV_RUNTIME_BACKENDS_OPENCL_OPENCL_API_H

#include "formats/result.h"

#include <stdbool.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_gl.h>

// Every function used, without its "cl".
#define SLV_OPENCL_CALLS(CALL)                                                                     \
    CALL(GetPlatformIDs)                                                                           \
    CALL(GetPlatformInfo)                                                                          \
    CALL(GetDeviceIDs)                                                                             \
    CALL(GetDeviceInfo)                                                                            \
    CALL(CreateContext)                                                                            \
    CALL(ReleaseContext)                                                                           \
    CALL(CreateCommandQueue)                                                                       \
    CALL(ReleaseCommandQueue)                                                                      \
    CALL(CreateProgramWithSource)                                                                  \
    CALL(CreateProgramWithBinary)                                                                  \
    CALL(BuildProgram)                                                                             \
    CALL(GetProgramInfo)                                                                           \
    CALL(GetProgramBuildInfo)                                                                      \
    CALL(ReleaseProgram)                                                                           \
    CALL(CreateKernel)                                                                             \
    CALL(SetKernelArg)                                                                             \
    CALL(ReleaseKernel)                                                                            \
    CALL(CreateBuffer)                                                                             \
    CALL(ReleaseMemObject)                                                                         \
    CALL(EnqueueWriteBuffer)                                                                       \
    CALL(EnqueueMapBuffer)                                                                         \
    CALL(EnqueueUnmapMemObject)                                                                    \
    CALL(EnqueueReadBuffer)                                                                        \
    CALL(EnqueueNDRangeKernel)                                                                     \
    CALL(Flush)                                                                                    \
    CALL(Finish)                                                                                   \
    CALL(GetEventProfilingInfo)                                                                    \
    CALL(ReleaseEvent)                                                                             \
    CALL(CreateFromGLBuffer)                                                                       \
    CALL(EnqueueAcquireGLObjects)                                                                  \
    CALL(EnqueueReleaseGLObjects)

typedef struct slv_opencl_api {
    void *library;                                 // NULL: not loaded
#define SLV_CALL(name) __typeof__(cl##name) *name; // NOLINT(bugprone-macro-parentheses)
    SLV_OPENCL_CALLS(SLV_CALL)
#undef SLV_CALL
} slv_opencl_api;

// Loads libOpenCL.so.1, or the library in SELVAGE_OPENCL_LIBRARY. False, with the reason, where there
// is none.
bool slv_opencl_load(slv_opencl_api *api, slv_error *error);
void slv_opencl_unload(slv_opencl_api *api);

// "CL_OUT_OF_RESOURCES" for -5.
const char *slv_opencl_error_name(cl_int code);

#endif
