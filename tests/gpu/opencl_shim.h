// SPDX-License-Identifier: MIT
// What the shim before OpenCL exports beside the functions of every test driver (test_driver.h).
#ifndef SLV_TESTS_GPU_OPENCL_SHIM_H
#define SLV_TESTS_GPU_OPENCL_SHIM_H

#include "tests/gpu/test_driver.h"

typedef const float *shim_gl_function(void); // what OpenGL would see: 99 particles

#endif
