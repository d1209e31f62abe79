// SPDX-License-Identifier: MIT
// The kernels as the stand-in runs them: the text that nvcc compiles, read by a C compiler with CUDA's
// keywords as macros, and called thread by thread.
#include "tests/gpu/stand_in_device.h"

#include <string.h>

// NOLINTBEGIN: these are CUDA's names
#define __CUDACC__ 1
#define __global__ static
#define __device__
#define __forceinline__ inline __attribute__((__always_inline__, __unused__))
#define __grid_constant__
#define __noinline__
#define __fsqrt_rn(x) __builtin_sqrtf(x)
#define __float_as_int(x)                                                                          \
    (((union {                                                                                     \
         float number;                                                                             \
         int bits;                                                                                 \
     }){x})                                                                                        \
         .bits)
#define __int_as_float(x)                                                                          \
    (((union {                                                                                     \
         int bits;                                                                                 \
         float number;                                                                             \
     }){x})                                                                                        \
         .number)
#define fabsf(x) __builtin_fabsf(x)
#define atomicExch(address, value) (*(address) = (value))
#define atomicAdd(address, value) (*(address) += (value))

typedef struct uint3 {
    unsigned x, y, z;
} uint3;
static uint3 threadIdx, blockIdx, blockDim;
// NOLINTEND

#include "device.txt"

// --- Calling a kernel with what cuLaunchKernel is given ---------------------------------------------

enum { MANY = 6 };

typedef void caller(void **arguments);

#define SLV_KERNEL(name, domain, traits, call)                                                     \
    static void call_##name(void **a) {                                                            \
        slv_run_##name(*(float **)a[0], *(int **)a[1], *(slv_body_layout *)a[2],                   \
                       *(slv_launch *)a[3], *(int *)a[4], *(int *)a[5]);                           \
    }
#include "kernels/list.h"

static void call_end_step(void **a) {
    slv_end_step(*(float **)a[0]);
}

static void call_share_positions(void **a) {
    slv_export_positions(*(float **)a[0], *(int **)a[1], *(float **)a[2], *(slv_body_layout *)a[3],
                         *(int *)a[4]);
}

static int wrong_rounding;

static void call_probe_rounding(void **a) {
    float *out = *(float **)a[1];
    slv_probe_rounding(*(float **)a[0], out, *(int *)a[2]);
    if (wrong_rounding) { // as a device with a fast square root might
        out[1] = out[1] * 1.0000002f;
    }
}

void stand_in_set_wrong_rounding(int wrong) {
    wrong_rounding = wrong;
}

struct stand_in_kernel {
    const char *name;
    caller *call;
    size_t count;
    size_t sizes[MANY];
};

#define SLV_KERNEL(name, domain, traits, call)                                                     \
    {"slv_run_" #name,                                                                             \
     call_##name,                                                                                  \
     6,                                                                                            \
     {sizeof(void *), sizeof(void *), sizeof(slv_body_layout), sizeof(slv_launch), sizeof(int),    \
      sizeof(int)}},
static const struct stand_in_kernel kernels[] = {
#include "kernels/list.h"
    {"slv_end_step", call_end_step, 1, {sizeof(void *)}},
    {"slv_export_positions",
     call_share_positions,
     5,
     {sizeof(void *), sizeof(void *), sizeof(void *), sizeof(slv_body_layout), sizeof(int)}},
    {"slv_probe_rounding", call_probe_rounding, 3, {sizeof(void *), sizeof(void *), sizeof(int)}},
};

const stand_in_kernel *stand_in_find_kernel(const char *name) {
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (strcmp(kernels[i].name, name) == 0) {
            return &kernels[i];
        }
    }
    return NULL;
}

bool stand_in_copy_arguments(const stand_in_kernel *kernel, void *const *arguments,
                             unsigned char room[STAND_IN_ARGUMENT_BYTES]) {
    size_t at = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        if (at + kernel->sizes[i] > STAND_IN_ARGUMENT_BYTES) {
            return false;
        }
        memcpy(room + at, arguments[i], kernel->sizes[i]);
        at += (kernel->sizes[i] + 7) / 8 * 8;
    }
    return true;
}

// Threads of a launch must not depend on one another's order: every second launch runs backwards.
void stand_in_run(const stand_in_kernel *kernel, const unsigned grid[3], const unsigned block[3],
                  unsigned char *bytes) {
    static unsigned launches;
    void *arguments[MANY];
    size_t at = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        arguments[i] = bytes + at;
        at += (kernel->sizes[i] + 7) / 8 * 8;
    }
    const int backwards = (int)(launches++ & 1);
    const size_t threads = (size_t)block[0] * block[1] * block[2];
    const size_t total = threads * grid[0] * grid[1] * grid[2];
    blockDim = (uint3){block[0], block[1], block[2]};
    for (size_t n = 0; n < total; n++) {
        size_t number = backwards ? total - 1 - n : n;
        size_t thread = number % threads;
        size_t where = number / threads;
        threadIdx = (uint3){(unsigned)(thread % block[0]), (unsigned)(thread / block[0] % block[1]),
                            (unsigned)(thread / block[0] / block[1])};
        blockIdx = (uint3){(unsigned)(where % grid[0]), (unsigned)(where / grid[0] % grid[1]),
                           (unsigned)(where / grid[0] / grid[1])};
        kernel->call(arguments);
    }
}
