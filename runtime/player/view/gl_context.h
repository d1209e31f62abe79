// SPDX-License-Identifier: MIT
// The current OpenGL context: its functions are loaded by GLEW, its version checked, its errors counted.
#ifndef SLV_PLAYER_GL_CONTEXT_H
#define SLV_PLAYER_GL_CONTEXT_H

#include "formats/result.h"

#include <stdbool.h>

typedef struct slv_gl_info {
    int version; // 330, 450, …
    bool tessellation;
    bool software;   // the driver draws on the processor
    bool debug;      // the driver reports errors as messages
    char driver[96]; // "llvmpipe (LLVM 15.0.6, 256 bits)"
} slv_gl_info;

// The oldest and the other versions that are requested when a context is made, newest first.
enum { SLV_GL_VERSIONS = 3 };
extern const int slv_gl_versions[SLV_GL_VERSIONS][2]; // major, minor

// Loads all functions of the current context. A context older than OpenGL 3.3 is SLV_ERROR_UNSUPPORTED.
// `debug` also counts the errors that the driver reports as messages.
slv_result slv_gl_load(bool debug, slv_gl_info *info, slv_error *error);

// The handles that CUDA and OpenCL need to share buffers with a context; NULL: sharing is not possible.
typedef struct slv_gl_native {
    void *context, *display;
    bool egl; // false: GLX
} slv_gl_native;

// Number of OpenGL errors since slv_gl_load. *first (may be NULL) is the text of the first one.
unsigned slv_gl_errors(const char **first);

#endif
