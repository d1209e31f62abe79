// SPDX-License-Identifier: MIT
// Functions that the files of the stand-in for CUDA share: counted objects, known memory, deferred
// jobs.
#ifndef SLV_TESTS_STAND_IN_DRIVER_H
#define SLV_TESTS_STAND_IN_DRIVER_H

#include "runtime/backends/cuda/cuda_api.h"
#include "tests/gpu/stand_in_device.h"
#include "tests/gpu/test_driver.h"

#include <stdbool.h>
#include <stdint.h>

// Counts a call; returns the code with which it fails, or CUDA_SUCCESS.
CUresult stand_in_begin(const char *name);
bool stand_in_within(void); // whether a context is current

// A call that makes something or works on it.
#define BEGIN(name)                                                                                \
    CUresult code = stand_in_begin(name);                                                          \
    if (code != CUDA_SUCCESS) {                                                                    \
        return code;                                                                               \
    }
// The same, within a context.
#define BEGIN_WITHIN(name)                                                                         \
    BEGIN(name)                                                                                    \
    if (!stand_in_within()) {                                                                      \
        return CUDA_ERROR_INVALID_CONTEXT;                                                         \
    }

// An object, all zeros, counted as live until it is released. A call that releases does so even where
// it fails.
void *stand_in_make(size_t size);
CUresult stand_in_give_back(const char *name, void *object);

const stand_in_kernel *stand_in_kernel_of(CUfunction function);

// Whether an extent of memory is the device's own, or page-locked memory of the host.
bool stand_in_is_device(CUdeviceptr memory, size_t size);
bool stand_in_is_pinned(const void *memory, size_t size);

typedef struct stand_in_job {
    const stand_in_kernel *kernel; // NULL: a copy
    unsigned grid[3], block[3];
    unsigned char arguments[STAND_IN_ARGUMENT_BYTES];
    void *to;
    const void *from;
    size_t size;
} stand_in_job;

stand_in_job *stand_in_add_job(void);
void stand_in_do_jobs(void);

#endif
