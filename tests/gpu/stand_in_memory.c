// SPDX-License-Identifier: MIT
// Memory of the device and of the host, and buffers of OpenGL.
#include "tests/gpu/stand_in.h"
#include "tests/gpu/stand_in_driver.h"
#include "tests/gpu/stand_in_gl.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- The device's memory ----------------------------------------------------------------------------

enum { BLOCK_LIMIT = 256 };
typedef struct block {
    char *bytes;
    size_t size;
} block;

static block device_blocks[BLOCK_LIMIT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // two worlds may be used by two threads

static void *take(block *blocks, size_t size) {
    void *bytes = NULL;
    (void)pthread_mutex_lock(&lock);
    for (int i = 0; i < BLOCK_LIMIT && !bytes; i++) {
        if (!blocks[i].bytes) {
            bytes = stand_in_make(size);
            memset(bytes, 0xA5, size); // memory of a driver is not zeroed
            blocks[i] = (block){bytes, size};
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return bytes;
}

static CUresult drop(const char *name, block *blocks, const void *memory) {
    for (int i = 0; memory && i < BLOCK_LIMIT; i++) {
        if (blocks[i].bytes == memory) {
            void *bytes = blocks[i].bytes;
            blocks[i].bytes = NULL;
            return stand_in_give_back(name, bytes);
        }
    }
    return CUDA_ERROR_INVALID_VALUE;
}

static bool holds(const block *blocks, const void *memory, size_t size) {
    const char *first = memory;
    bool mine = false;
    for (int i = 0; i < BLOCK_LIMIT; i++) {
        mine = mine || (blocks[i].bytes && first >= blocks[i].bytes &&
                        first + size <= blocks[i].bytes + blocks[i].size);
    }
    return mine;
}

EXPORT CUresult cuMemAlloc(CUdeviceptr *memory, size_t size) {
    BEGIN_WITHIN("cuMemAlloc")
    void *bytes = take(device_blocks, size);
    *memory = (CUdeviceptr)(uintptr_t)bytes;
    return bytes ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

// Waits for work in progress, as the real call does.
EXPORT CUresult cuMemFree(CUdeviceptr memory) {
    stand_in_do_jobs();
    return drop("cuMemFree", device_blocks, (const void *)(uintptr_t)memory);
}

bool stand_in_is_device(CUdeviceptr memory, size_t size) {
    return holds(device_blocks, (const void *)(uintptr_t)memory, size);
}

// --- Page-locked memory -----------------------------------------------------------------------------

static block host_blocks[BLOCK_LIMIT];

EXPORT CUresult cuMemHostAlloc(void **memory, size_t size, unsigned flags) {
    (void)flags;
    BEGIN_WITHIN("cuMemHostAlloc")
    *memory = take(host_blocks, size);
    return *memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

// Does not wait: freeing memory that a copy still reads is found by the address sanitizer.
EXPORT CUresult cuMemFreeHost(void *memory) {
    return drop("cuMemFreeHost", host_blocks, memory);
}

bool stand_in_is_pinned(const void *memory, size_t size) {
    return holds(host_blocks, memory, size);
}

// --- OpenGL -----------------------------------------------------------------------------------------

enum { GL_LIMIT = 8 };
static struct {
    unsigned name;
    void *bytes;
    size_t size;
} gl_buffers[GL_LIMIT];

EXPORT stand_in_gl_function stand_in_gl_buffer;

void stand_in_gl_buffer(unsigned name, void *bytes, size_t size) {
    gl_buffers[name % GL_LIMIT].name = name;
    gl_buffers[name % GL_LIMIT].bytes = bytes;
    gl_buffers[name % GL_LIMIT].size = size;
}

struct CUgraphicsResource_st {
    unsigned name;
    int mapped;
    bool real; // of OpenGL itself, not of a test
    void *bytes;
    size_t size;
};

EXPORT CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, GLuint name,
                                           unsigned flags) {
    (void)flags;
    BEGIN_WITHIN("cuGraphicsGLRegisterBuffer")
    bool real = stand_in_gl_knows(name);
    if (!real && (!gl_buffers[name % GL_LIMIT].bytes || gl_buffers[name % GL_LIMIT].name != name)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *resource = stand_in_make(sizeof **resource);
    (*resource)->name = name;
    (*resource)->real = real;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource) {
    if (resource->real && !stand_in_gl_knows(resource->name)) {
        (void)fprintf(stderr,
                      "stand-in: buffer %u is unregistered too late, or by a thread without "
                      "its context\n",
                      resource->name);
        abort();
    }
    return stand_in_give_back("cuGraphicsUnregisterResource", resource);
}

EXPORT CUresult cuGraphicsMapResources(unsigned count, CUgraphicsResource *resources,
                                       CUstream stream) {
    (void)count;
    (void)stream;
    BEGIN_WITHIN("cuGraphicsMapResources")
    CUgraphicsResource one = resources[0];
    one->bytes =
        one->real ? stand_in_gl_map(one->name, &one->size) : gl_buffers[one->name % GL_LIMIT].bytes;
    one->size = one->real ? one->size : gl_buffers[one->name % GL_LIMIT].size;
    one->mapped = one->bytes != NULL;
    return one->mapped ? CUDA_SUCCESS : CUDA_ERROR_MAP_FAILED;
}

// OpenGL may read the buffer from here on.
EXPORT CUresult cuGraphicsUnmapResources(unsigned count, CUgraphicsResource *resources,
                                         CUstream stream) {
    (void)count;
    (void)stream;
    resources[0]->mapped = 0;
    BEGIN_WITHIN("cuGraphicsUnmapResources")
    stand_in_do_jobs();
    return !resources[0]->real || stand_in_gl_unmap(resources[0]->name) ? CUDA_SUCCESS
                                                                        : CUDA_ERROR_UNMAP_FAILED;
}

EXPORT CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr *memory, size_t *size,
                                                   CUgraphicsResource resource) {
    BEGIN_WITHIN("cuGraphicsResourceGetMappedPointer")
    if (!resource->mapped) {
        return CUDA_ERROR_NOT_MAPPED;
    }
    *memory = (CUdeviceptr)(uintptr_t)resource->bytes;
    *size = resource->size;
    return CUDA_SUCCESS;
}
