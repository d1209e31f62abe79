// SPDX-License-Identifier: MIT
// Preloaded into a program: one allocation fails, and a write past the end of a block ends the program.
// Allocations are counted from the start of main() (tests/programs/fail_at.h); the importer may open no file when one
// fails.
//   SLV_FAIL_PARENT  if set, not in child processes
#define _GNU_SOURCE
#include "tests/programs/fail_at.h"

#include <malloc.h>
#include <string.h>

#pragma GCC visibility push(default)

void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

enum { END_BYTES = 16, END_VALUE = 0xA5, LEAST_ALIGNMENT = 32 };

typedef struct head {
    void *base;
    size_t size;
} head;

static pid_t only; // the process whose allocations fail; 0: all

__attribute__((constructor)) static void start(void) {
    begin_failing();
    only = getenv("SLV_FAIL_PARENT") ? getpid() : 0;
}

static int allocation_fails(void) {
    return (only == 0 || only == getpid()) && fails(ENOMEM, 1);
}

static void *make(size_t alignment, size_t size) {
    alignment = alignment < LEAST_ALIGNMENT ? LEAST_ALIGNMENT : alignment;
    if (size > SIZE_MAX / 2) {
        errno = ENOMEM;
        return NULL;
    }
    unsigned char *base = __libc_memalign(alignment, alignment + size + END_BYTES);
    if (base == NULL) {
        return NULL;
    }
    unsigned char *block = base + alignment;
    memcpy(block - sizeof(head), &(head){base, size}, sizeof(head));
    memset(block, 0x5A, size);
    memset(block + size, END_VALUE, END_BYTES);
    return block;
}

static head head_of(const void *block) {
    head found;
    memcpy(&found, (const unsigned char *)block - sizeof found, sizeof found);
    for (size_t i = 0; i < END_BYTES; i++) {
        if (((const unsigned char *)block)[found.size + i] != END_VALUE) {
            static const char text[] = "fail_allocation: a write past the end of a block\n";
            (void)!write(STDERR_FILENO, text, sizeof text - 1);
            abort();
        }
    }
    return found;
}

void *malloc(size_t size) {
    return allocation_fails() ? NULL : make(0, size);
}

void *calloc(size_t nmemb, size_t size) {
    if (allocation_fails() || (size > 0 && nmemb > SIZE_MAX / size)) {
        return NULL;
    }
    void *block = make(0, nmemb * size);
    return block ? memset(block, 0, nmemb * size) : NULL;
}

void *realloc(void *ptr, size_t size) {
    if (allocation_fails()) {
        return NULL;
    }
    void *block = make(0, size);
    if (block && ptr) {
        const size_t known = head_of(ptr).size;
        memcpy(block, ptr, known < size ? known : size);
        free(ptr);
    }
    return block;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return allocation_fails() ? NULL : make(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    return aligned_alloc(alignment, size);
}

int posix_memalign(void **memptr, size_t alignment, size_t size) {
    void *made = allocation_fails() ? NULL : make(alignment, size);
    if (made == NULL) {
        return ENOMEM;
    }
    *memptr = made;
    return 0;
}

void free(void *ptr) {
    if (ptr) {
        __libc_free(head_of(ptr).base);
    }
}

size_t malloc_usable_size(void *ptr) {
    return ptr ? head_of(ptr).size : 0;
}
