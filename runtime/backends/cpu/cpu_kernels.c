// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool always(void) {
    return true;
}

#if defined(SLV_HAS_AVX2)
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2");
}
#endif

#if defined(SLV_HAS_AVX512)
static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}
#endif

// Best first; those that the build has (SELVAGE_INSTRUCTION_SETS).
static const struct {
    slv_instruction_set set;
    bool (*runs_here)(void);
} sets[] = {
#if defined(SLV_HAS_AVX512)
    {{"avx512", slv_cpu_kernels_avx512}, has_avx512},
#endif
#if defined(SLV_HAS_AVX2)
    {{"avx2", slv_cpu_kernels_avx2}, has_avx2},
#endif
    {{"baseline", slv_cpu_kernels_baseline}, always},
};

const slv_instruction_set *slv_find_instruction_set(const char *name) {
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if ((!name || strcmp(name, sets[i].set.name) == 0) && sets[i].runs_here()) {
            return &sets[i].set;
        }
    }
    return NULL;
}
