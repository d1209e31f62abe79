// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/memory_limit.h"

#include "formats/reader.h"
#include "tools/common/sanitizer.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t thread_bytes = UINT64_C(16) << 20; // stack and the C library's own lists

static char hint[80]; // empty: no limit

// Bytes of private memory that the process has now; 0 where the system does not tell.
static uint64_t get_data_size(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%*s %*s %*s %*s %*s %lu", &pages) != 1) { // NOLINT(cert-err34-c)
            pages = 0;
        }
        (void)fclose(file);
    }
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void limit_process(uint64_t bytes) {
    struct rlimit limit;
    if (!SLV_SANITIZED && getrlimit(RLIMIT_DATA, &limit) == 0 &&
        (limit.rlim_max == RLIM_INFINITY || bytes < limit.rlim_max)) {
        limit.rlim_cur = (rlim_t)bytes;
        (void)setrlimit(RLIMIT_DATA, &limit);
    }
}

uint64_t slv_limit_memory(uint64_t mib, const char *file, unsigned threads, uint64_t work) {
    struct stat status = {0};
    const uint64_t size = file != NULL && stat(file, &status) == 0 ? (uint64_t)status.st_size : 0;
    const uint64_t pack = mib > 0 ? mib << 20 : slv_default_memory_limit(size);
    const uint64_t all = mib > 0 ? pack : pack + work;
    (void)snprintf(hint, sizeof hint, "; the limit is --memory-limit %llu (MiB)",
                   (unsigned long long)(all >> 20));
    limit_process(get_data_size() + all + threads * thread_bytes);
    return pack;
}

const char *slv_memory_limit_hint(slv_result result) {
    return result == SLV_ERROR_MEMORY ? hint : "";
}
