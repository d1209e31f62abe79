// SPDX-License-Identifier: MIT
// For libraries that are preloaded into a program and make one of its calls fail. Included once by each.
//   SLV_FAIL_AT=N    the Nth call fails, counted from 1
//   SLV_FAIL_MARK=F  the file F gets a byte when that happens
#ifndef SLV_TESTS_FAIL_AT_H
#define SLV_TESTS_FAIL_AT_H

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long count; // calls so far
static long fail_at;      // 0: none fails
static char *mark;        // a page that all processes share, or NULL

// Reads the environment. By system calls: mmap() and close() may be among the calls that fail.
static void begin_failing(void) {
    const char *number = getenv("SLV_FAIL_AT");
    const char *file = getenv("SLV_FAIL_MARK");
    const int descriptor = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        const long page =
            syscall(SYS_mmap, NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        mark = page == -1 ? NULL : (char *)(intptr_t)page; // NOLINT(performance-no-int-to-ptr)
        (void)syscall(SYS_close, descriptor);
    }
    count = 0;
    fail_at = number ? strtol(number, NULL, 10) : 0;
}

// Whether this call, the next one to be counted, fails. Then errno becomes `reason` and the byte in the file `kind`.
static int fails(int reason, char kind) {
    if (fail_at == 0 || atomic_fetch_add(&count, 1) + 1 != fail_at) {
        return 0;
    }
    if (mark) {
        *mark = kind;
    }
    errno = reason;
    return 1;
}

#endif
