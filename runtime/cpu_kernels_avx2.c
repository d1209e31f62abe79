// SPDX-License-Identifier: MIT
#include "runtime/cpu_tables.h"

#define SLV_CPU_TABLE slv_cpu_kernels_avx2
#include "runtime/cpu_kernels.inl"
