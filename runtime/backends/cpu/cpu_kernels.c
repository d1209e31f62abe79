// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Best first.
static const slv_instruction_set sets[] = {
#if defined(__x86_64__)
    {"avx512", slv_cpu_kernels_avx512},
    {"avx2", slv_cpu_kernels_avx2},
#endif
    {"baseline", slv_cpu_kernels_baseline},
};

static bool runs_here(const slv_instruction_set *set) {
#if defined(__x86_64__)
    if (set->kernels == slv_cpu_kernels_avx512) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq");
    }
    if (set->kernels == slv_cpu_kernels_avx2) {
        return __builtin_cpu_supports("avx2");
    }
#endif
    return set->kernels == slv_cpu_kernels_baseline;
}

const slv_instruction_set *slv_find_instruction_set(const char *name) {
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if ((!name || strcmp(name, sets[i].name) == 0) && runs_here(&sets[i])) {
            return &sets[i];
        }
    }
    return NULL;
}
