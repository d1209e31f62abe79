// SPDX-License-Identifier: MIT
// A stand-in for the CUDA driver: the calls of runtime/backends/cuda/cuda_api.h as a shared library that runs everything
// on the CPU. It is strict where a real driver may be kind: copies and launches are put off until somebody
// waits, launches that a graph lets run abreast come in another order than they were recorded, memory is
// checked, and calls without a context are refused. And it fails when told to.
#ifndef SLV_TESTS_STAND_IN_H
#define SLV_TESTS_STAND_IN_H

#include <stddef.h>

// The nth call (from 1) of `call` ("cuMemAlloc") fails with a CUresult. A lost device fails every later
// call too. NULL: nothing fails any more, and counting begins anew.
typedef void stand_in_fail_function(const char *call, unsigned nth, int code, int device_lost);
// How often `call` was called since.
typedef unsigned stand_in_calls_function(const char *call);
// Objects that were made and not given back: contexts, modules, streams, events, memory, graphs, buffers.
typedef long stand_in_live_function(void);
// Bytes sent to the device since: from page-locked memory, or from any other.
typedef size_t stand_in_sent_function(int page_locked);
typedef size_t stand_in_received_function(void); // bytes read back since
// What cuGraphicsGLRegisterBuffer will find under a name.
typedef void stand_in_gl_function(unsigned name, void *bytes, size_t size);
// 1: the device's square roots are not exact.
typedef void stand_in_rounding_function(int wrong);
typedef void stand_in_devices_function(int count);

#endif
