// SPDX-License-Identifier: MIT
#include "tests/gpu/stand_in_driver.h"

#include <stdlib.h>
#include <string.h>

// --- Streams: work is done when a stream is synchronized --------------------------------------------

static _Thread_local stand_in_job
    *jobs; // a world is used by one thread at a time, and so is its stream
static _Thread_local size_t job_count, job_room;

stand_in_job *stand_in_add_job(void) {
    if (job_count == job_room) {
        job_room = 2 * job_room + 16; // most streams hold few jobs
        jobs = realloc(jobs, job_room * sizeof *jobs);
        if (!jobs) {
            abort();
        }
    }
    return &jobs[job_count++];
}

void stand_in_do_jobs(void) {
    for (size_t i = 0; i < job_count; i++) {
        stand_in_job *one = &jobs[i];
        if (one->kernel) {
            stand_in_run(one->kernel, one->grid, one->block, one->arguments);
        } else {
            memcpy(one->to, one->from, one->size);
        }
    }
    free(jobs);
    jobs = NULL;
    job_count = job_room = 0;
}

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    (void)flags;
    BEGIN_WITHIN("cuStreamCreate")
    *stream = stand_in_make(1);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamDestroy(CUstream stream) {
    return stand_in_give_back("cuStreamDestroy", stream);
}

EXPORT CUresult cuStreamSynchronize(CUstream stream) {
    (void)stream;
    CUresult code = stand_in_begin("cuStreamSynchronize");
    if (code != CUDA_SUCCESS) {
        job_count = 0; // after a wait that fails, the caller frees the memory of the jobs
        return code;
    }
    stand_in_do_jobs();
    return CUDA_SUCCESS;
}

static CUresult copy(void *to, const void *from, size_t size, CUdeviceptr device) {
    if (!stand_in_is_device(device, size)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *stand_in_add_job() = (stand_in_job){.to = to, .from = from, .size = size};
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
    (void)stream;
    BEGIN_WITHIN("cuMemcpyHtoDAsync")
    driver_add_sent(stand_in_is_pinned(from, size), size);
    return copy((void *)(uintptr_t)to, from, size, to);
}

EXPORT CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream) {
    (void)stream;
    BEGIN_WITHIN("cuMemcpyDtoHAsync")
    driver_add_received(size);
    return copy(to, (const void *)(uintptr_t)from, size, from);
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                               unsigned bx, unsigned by, unsigned bz, unsigned shared,
                               CUstream stream, void **arguments, void **extra) {
    (void)shared;
    (void)stream;
    (void)extra;
    BEGIN_WITHIN("cuLaunchKernel")
    if (bx * by * bz > 1024 || gy > 65535 || gz > 65535 || gx * gy * gz == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    stand_in_job *one = stand_in_add_job();
    *one = (stand_in_job){
        .kernel = stand_in_kernel_of(function), .grid = {gx, gy, gz}, .block = {bx, by, bz}};
    return stand_in_copy_arguments(one->kernel, arguments, one->arguments)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

// --- Events: there is nothing to measure ------------------------------------------------------------

EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags) {
    (void)flags;
    BEGIN_WITHIN("cuEventCreate")
    *event = stand_in_make(1);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventDestroy(CUevent event) {
    return stand_in_give_back("cuEventDestroy", event);
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
    (void)event;
    (void)stream;
    BEGIN_WITHIN("cuEventRecord")
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent first, CUevent last) {
    (void)first;
    (void)last;
    BEGIN_WITHIN("cuEventElapsedTime")
    *milliseconds = 0.001f;
    return CUDA_SUCCESS;
}
