// SPDX-License-Identifier: MIT
// How the shim before OpenCL is told to fail; as the stand-in for CUDA (stand_in.h).
#ifndef SLV_TESTS_OPENCL_SHIM_H
#define SLV_TESTS_OPENCL_SHIM_H

#include <stddef.h>

typedef void shim_fail_function(const char *call, unsigned nth, int code, int device_lost);
typedef unsigned shim_calls_function(const char *call);
typedef long shim_live_function(void);
// Bytes sent to the device since: without waiting, from memory that is mapped; or in any other way.
typedef size_t shim_sent_function(int mapped);
typedef size_t shim_received_function(void); // bytes read back since
typedef const float *shim_gl_function(void); // what OpenGL would see: 99 particles

#endif
