// SPDX-License-Identifier: MIT
// The tables of kernels by instruction set. Which of them exist is the build's affair.
#ifndef SLV_RUNTIME_CPU_TABLES_H
#define SLV_RUNTIME_CPU_TABLES_H

#include "runtime/cpu_kernels.h"

extern const slv_cpu_kernels slv_cpu_kernels_baseline;
extern const slv_cpu_kernels slv_cpu_kernels_avx2;
extern const slv_cpu_kernels slv_cpu_kernels_avx512;

#endif
