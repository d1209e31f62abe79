// SPDX-License-Identifier: MIT
// How the shim before OpenCL is told to fail; as the stand-in for CUDA (stand_in.h).
#ifndef SLV_TESTS_OPENCL_SHIM_H
#define SLV_TESTS_OPENCL_SHIM_H

typedef void shim_fail_function(const char *call, unsigned nth, int code, int device_lost);
typedef unsigned shim_calls_function(const char *call);
typedef long shim_live_function(void);
typedef const float *shim_gl_function(void); // what OpenGL would see: 99 particles

#endif
