// SPDX-License-Identifier: MIT
// Preloaded into a program: one allocation fails, and a write past the end of a block ends the program.
//   SLV_FAIL_AT=N    the Nth allocation after the start of main() fails, counted from 1
//   SLV_FAIL_MARK=F  a byte of the file F becomes 1 when that happens; the importer may open no file then
//   SLV_FAIL_PARENT  if set, not in child processes
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#pragma GCC visibility push(default)

void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

enum { END_BYTES = 16, END_VALUE = 0xA5, LEAST_ALIGNMENT = 32 };

typedef struct head {
    void *base;
    size_t size;
} head;

static atomic_long count;
static long fail_at;
static pid_t only; // the process whose allocations fail; 0: all
static char *mark; // a page that all processes share, or NULL

__attribute__((constructor)) static void start(void) {
    const char *number = getenv("SLV_FAIL_AT");
    const char *file = getenv("SLV_FAIL_MARK");
    const int descriptor = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        void *page = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        mark = page == MAP_FAILED ? NULL : page;
        (void)close(descriptor);
    }
    only = getenv("SLV_FAIL_PARENT") ? getpid() : 0;
    count = 0;
    fail_at = number ? strtol(number, NULL, 10) : 0;
}

static int fails(void) {
    if (fail_at == 0 || (only != 0 && only != getpid()) ||
        atomic_fetch_add(&count, 1) + 1 != fail_at) {
        return 0;
    }
    if (mark) {
        *mark = 1;
    }
    errno = ENOMEM;
    return 1;
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
    return fails() ? NULL : make(0, size);
}

void *calloc(size_t nmemb, size_t size) {
    if (fails() || (size > 0 && nmemb > SIZE_MAX / size)) {
        return NULL;
    }
    void *block = make(0, nmemb * size);
    return block ? memset(block, 0, nmemb * size) : NULL;
}

void *realloc(void *ptr, size_t size) {
    if (fails()) {
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
    return fails() ? NULL : make(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    return aligned_alloc(alignment, size);
}

int posix_memalign(void **memptr, size_t alignment, size_t size) {
    void *made = fails() ? NULL : make(alignment, size);
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
