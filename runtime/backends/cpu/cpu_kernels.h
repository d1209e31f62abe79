// SPDX-License-Identifier: MIT
// The kernels on the CPU: loops over rows, compiled once per instruction set. All sets give the same
// bits and differ in speed only.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_KERNELS_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_KERNELS_H

#include "runtime/backends/cpu/cpu_clusters.h"
#include "runtime/backends/cpu/cpu_strain.h"
#include "runtime/step/kernel_id.h"

#include "kernels/body_layout.h"

// What the kernels of an engine work on: the arrays of its layout, and tables of its own.
typedef struct slv_cpu_arrays {
    float *state;
    int *table;
    slv_cpu_clusters *clusters;
    int *strained; // slv_cpu_strain_tiles of the launch's body
} slv_cpu_arrays;

// Those of an engine of the CPU backend, for launches of one body.
slv_cpu_arrays slv_cpu_get_arrays(void *context, int body);

// Runs rows first … end - 1 of a launch.
typedef void slv_cpu_kernel(const slv_cpu_arrays *arrays, const slv_body_layout *body_layout,
                            const slv_launch *launch, int first, int end);

typedef struct slv_instruction_set {
    const char *name;
    slv_cpu_kernel *const *kernels; // [SLV_KERNEL_COUNT]
} slv_instruction_set;

// The set of that name, or for NULL the best this processor has. NULL where it has none such.
const slv_instruction_set *slv_find_instruction_set(const char *name);

// The tables of kernels by instruction set; which of them exist depends on the processor's architecture.
extern slv_cpu_kernel *const slv_cpu_kernels_baseline[SLV_KERNEL_COUNT];
extern slv_cpu_kernel *const slv_cpu_kernels_avx2[SLV_KERNEL_COUNT];
extern slv_cpu_kernel *const slv_cpu_kernels_avx512[SLV_KERNEL_COUNT];

#endif
