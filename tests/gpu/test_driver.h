// SPDX-License-Identifier: MIT
// What the test drivers have in common, the stand-in for CUDA (stand_in.h) and the shim before OpenCL
// (opencl_shim.c): calls are counted, one of them fails on request, and so do all later ones where the device
// is lost. Each is a shared library that exports the functions driver_….
#ifndef SLV_TESTS_GPU_TEST_DRIVER_H
#define SLV_TESTS_GPU_TEST_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#define EXPORT __attribute__((__visibility__("default")))

// --- Exported to tests --------------------------------------------------------------------------------

// The nth call (from 1) of `call` ("cuMemAlloc") fails with `code`. A lost device fails every later call
// too. NULL: no call fails. All counters below except for driver_live start again at zero.
typedef void driver_fail_function(const char *call, unsigned nth, int code, int device_lost);
// Number of calls of `call`.
typedef unsigned driver_calls_function(const char *call);
// Objects that were made and not released.
typedef long driver_live_function(void);
// Bytes sent to the device: from staging memory, which the device reads without waiting, or from any other.
typedef size_t driver_sent_function(int staged);
// Bytes read back.
typedef size_t driver_received_function(void);

EXPORT driver_fail_function driver_fail;
EXPORT driver_calls_function driver_calls;
EXPORT driver_live_function driver_live;
EXPORT driver_sent_function driver_sent;
EXPORT driver_received_function driver_received;

// --- For the libraries --------------------------------------------------------------------------------

enum { DRIVER_NAME_ROOM = 48 };

// Counts a call. Returns the code with which it fails, or 0.
int driver_begin(const char *name);
void driver_add_live(long count);
void driver_add_sent(bool staged, size_t bytes);
void driver_add_received(size_t bytes);

#endif
