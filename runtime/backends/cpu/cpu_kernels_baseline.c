// SPDX-License-Identifier: MIT
#define SLV_CPU_TABLE slv_cpu_kernels_baseline
#define SLV_WIDE 4
#include "runtime/backends/cpu/cpu_kernels.inl"
