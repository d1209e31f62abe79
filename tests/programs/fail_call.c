// SPDX-License-Identifier: MIT
// Preloaded into a program: one call on a file fails (tests/programs/fail_at.h). The mark becomes 1 when that happens,
// 2 where the program may do without the call.
// Counted are writing, flushing, closing and mapping of regular files, and renaming. The C library's own calls, as those
// behind fwrite(), cannot be reached. A failing close() closes, as the kernel does.
#define _GNU_SOURCE
#include "tests/programs/fail_at.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#pragma GCC visibility push(default)

// The names of parameters in system headers are reserved ones, and syscall() gives pointers as numbers.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,performance-no-int-to-ptr)

__attribute__((constructor)) static void start(void) {
    begin_failing();
}

enum { NEEDED = 1, DISPENSABLE = 2 };

static int is_regular(int file) {
    struct stat status;
    const int kept = errno;
    const int regular =
        file > STDERR_FILENO && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    errno = kept;
    return regular;
}

static int is_output(int file) {
    return is_regular(file) && (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

ssize_t write(int file, const void *bytes, size_t size) {
    return is_output(file) && fails(ENOSPC, NEEDED) ? -1 : syscall(SYS_write, file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    return is_output(file) && fails(EIO, NEEDED) ? -1
                                                 : syscall(SYS_pwrite64, file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
    return pwrite(file, bytes, size, offset);
}

int fsync(int file) {
    return fails(EIO, is_output(file) ? NEEDED : DISPENSABLE) ? -1 : (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    return fails(EIO, is_output(file) ? NEEDED : DISPENSABLE) ? -1
                                                              : (int)syscall(SYS_fdatasync, file);
}

int ftruncate(int file, off_t size) {
    return fails(EIO, DISPENSABLE) ? -1 : (int)syscall(SYS_ftruncate, file, size);
}

int rename(const char *from, const char *to) {
    return fails(EACCES, DISPENSABLE)
               ? -1
               : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    return fails(EACCES, DISPENSABLE)
               ? -1
               : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) {
    return fails(EACCES, DISPENSABLE) ? -1
                                      : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int close(int file) {
    const int failed = is_output(file) && fails(EIO, DISPENSABLE);
    const int result = (int)syscall(SYS_close, file);
    if (failed) {
        errno = EIO;
    }
    return failed ? -1 : result;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if (file >= 0 && is_regular(file) && fails(ENOMEM, DISPENSABLE)) {
        return MAP_FAILED;
    }
    const long mapped = syscall(SYS_mmap, address, size, protection, flags, file, offset);
    return (void *)(intptr_t)mapped;
}

void *mmap64(void *address, size_t size, int protection, int flags, int file, off64_t offset) {
    return mmap(address, size, protection, flags, file, offset);
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name,performance-no-int-to-ptr)
