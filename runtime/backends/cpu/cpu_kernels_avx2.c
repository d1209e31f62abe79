// SPDX-License-Identifier: MIT
#define SLV_CPU_TABLE slv_cpu_kernels_avx2
#define SLV_WIDE 8
#include "runtime/backends/cpu/cpu_kernels.inl"
