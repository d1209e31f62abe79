// SPDX-License-Identifier: MIT
// A stand-in for the CUDA driver: the calls of runtime/backends/cuda/cuda_api.h as a shared library that runs everything
// on the CPU. It is strict where a real driver may be lenient: copies and launches are deferred until the stream
// is synchronized, independent nodes of a graph run in another order than they were recorded, memory is
// checked, and calls without a context are refused. Calls fail on request (test_driver.h).
#ifndef SLV_TESTS_STAND_IN_H
#define SLV_TESTS_STAND_IN_H

#include <stddef.h>

// The memory that cuGraphicsGLRegisterBuffer finds under a name.
typedef void stand_in_gl_function(unsigned name, void *bytes, size_t size);
// 1: the device's square roots are not exact.
typedef void stand_in_rounding_function(int wrong);
typedef void stand_in_devices_function(int count);

#endif
