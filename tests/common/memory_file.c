// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // memfd_create
#include "tests/common/memory_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

const char *memory_file(const void *bytes, size_t size) {
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("fuzz", MFD_CLOEXEC);
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    const int failed = ftruncate(file, 0) != 0 || pwrite(file, bytes, size, 0) != (ssize_t)size;
    return failed ? NULL : path;
}
