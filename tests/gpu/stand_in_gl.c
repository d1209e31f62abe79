// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/gpu/stand_in_gl.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

enum { COPY_WRITE_BUFFER = 0x8F37, BUFFER_SIZE = 0x8764, WRITE = 2, INVALIDATE = 8 };

static struct {
    unsigned char (*IsBuffer)(unsigned name);
    void (*BindBuffer)(unsigned target, unsigned name);
    void (*GetBufferParameteri64v)(unsigned target, unsigned what, int64_t *value);
    void *(*MapBufferRange)(unsigned target, intptr_t first, intptr_t size, unsigned access);
    unsigned char (*UnmapBuffer)(unsigned target);
} gl;

// The dispatcher of GLX and EGL sends each call to the thread's current context.
static bool load(void) {
    const struct {
        const char *name;
        void *function;
    } list[] = {{"glIsBuffer", &gl.IsBuffer},
                {"glBindBuffer", &gl.BindBuffer},
                {"glGetBufferParameteri64v", &gl.GetBufferParameteri64v},
                {"glMapBufferRange", &gl.MapBufferRange},
                {"glUnmapBuffer", &gl.UnmapBuffer}};
    void *library = dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    bool found = library != NULL;
    for (size_t i = 0; i < sizeof list / sizeof *list && found; i++) {
        void *symbol = dlsym(library, list[i].name);
        memcpy(list[i].function, &symbol, sizeof symbol);
        found = symbol != NULL;
    }
    return found;
}

bool stand_in_gl_knows(unsigned name) {
    return (gl.UnmapBuffer || load()) && gl.IsBuffer(name);
}

void *stand_in_gl_map(unsigned name, size_t *size) {
    int64_t bytes = 0;
    gl.BindBuffer(COPY_WRITE_BUFFER, name);
    gl.GetBufferParameteri64v(COPY_WRITE_BUFFER, BUFFER_SIZE, &bytes);
    *size = (size_t)bytes;
    return gl.MapBufferRange(COPY_WRITE_BUFFER, 0, (intptr_t)bytes, WRITE | INVALIDATE);
}

bool stand_in_gl_unmap(unsigned name) {
    gl.BindBuffer(COPY_WRITE_BUFFER, name);
    return gl.UnmapBuffer(COPY_WRITE_BUFFER);
}
