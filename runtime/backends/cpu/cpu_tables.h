// SPDX-License-Identifier: MIT
// The tables of kernels by instruction set. Which of them exist is the build's affair.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_TABLES_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_TABLES_H

#include "runtime/backends/cpu/cpu_kernels.h"

extern slv_cpu_kernel *const slv_cpu_kernels_baseline[SLV_KERNEL_COUNT];
extern slv_cpu_kernel *const slv_cpu_kernels_avx2[SLV_KERNEL_COUNT];
extern slv_cpu_kernel *const slv_cpu_kernels_avx512[SLV_KERNEL_COUNT];

#endif
