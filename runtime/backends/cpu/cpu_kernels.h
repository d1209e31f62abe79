// SPDX-License-Identifier: MIT
// The kernels on the CPU: loops over rows, compiled once per instruction set. All sets give the same
// bits and differ in speed only.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_KERNELS_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_KERNELS_H

#include "runtime/step/kernel_id.h"

#include "kernels/body_layout.h"

// Runs rows first … end - 1 of a launch.
typedef void slv_cpu_kernel(float *state, int *table, const slv_body_layout *body_layout,
                            const slv_launch *launch, int first, int end);

typedef struct slv_instruction_set {
    const char *name;
    slv_cpu_kernel *const *kernels; // [SLV_KERNEL_COUNT]
} slv_instruction_set;

// The set of that name, or for NULL the best this processor has. NULL where it has none such.
const slv_instruction_set *slv_find_instruction_set(const char *name);

#endif
