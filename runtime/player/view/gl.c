// SPDX-License-Identifier: MIT
#include "runtime/player/view/gl.h"

#include <stdio.h>
#include <string.h>

enum { OLDEST = 330 };

#define SLV_GL_DEFINE(TYPE, name) PFNGL##TYPE##PROC gl##name;
SLV_GL_FUNCTIONS(SLV_GL_DEFINE)
SLV_GL_OPTIONAL_FUNCTIONS(SLV_GL_DEFINE)
#undef SLV_GL_DEFINE

static unsigned error_count;
static char first_error[256];

static void note_error(const char *text) {
    if (error_count++ == 0) {
        (void)snprintf(first_error, sizeof first_error, "%s", text);
    }
}

static void APIENTRY on_message(GLenum source, GLenum type, GLuint id, GLenum severity,
                                GLsizei length, const GLchar *message, const void *context) {
    (void)source;
    (void)id;
    (void)severity;
    (void)length;
    (void)context;
    if (type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR) {
        note_error(message);
    }
}

static slv_result read_version(slv_gl_info *info, slv_error *error) {
    const char *version = (const char *)glGetString(GL_VERSION);
    const char *driver = (const char *)glGetString(GL_RENDERER);
    int major = 0;
    int minor = 0;
    if (version == NULL || sscanf(version, "%d.%d", &major, &minor) != 2) { // NOLINT(cert-err34-c)
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "OpenGL does not say its version");
    }
    info->version = 100 * major + 10 * minor;
    (void)snprintf(info->driver, sizeof info->driver, "%s", driver ? driver : "unknown driver");
    info->software = strstr(info->driver, "llvmpipe") || strstr(info->driver, "softpipe") ||
                     strstr(info->driver, "SWR");
    if (info->version < OLDEST) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "OpenGL 3.3 core is needed, and %s offers %d.%d; update the driver, or set "
                        "LIBGL_ALWAYS_SOFTWARE=1 to draw on the processor",
                        info->driver, major, minor);
    }
    return SLV_OK;
}

static void listen_to_errors(slv_gl_info *info, bool debug) {
    error_count = 0;
    first_error[0] = '\0';
    info->debug = debug && glDebugMessageCallback != NULL;
    if (info->debug) {
        glEnable(GL_DEBUG_OUTPUT);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDebugMessageCallback(on_message, NULL);
    }
}

slv_result slv_gl_load(slv_gl_finder find, bool debug, slv_gl_info *info, slv_error *error) {
    const char *missing = NULL;
    *info = (slv_gl_info){.version = 0};
#define SLV_GL_FIND(TYPE, name) gl##name = (PFNGL##TYPE##PROC)find("gl" #name);
#define SLV_GL_CHECK(TYPE, name) missing = gl##name || missing ? missing : "gl" #name;
    SLV_GL_FUNCTIONS(SLV_GL_FIND)
    SLV_GL_OPTIONAL_FUNCTIONS(SLV_GL_FIND)
    SLV_GL_FUNCTIONS(SLV_GL_CHECK)
#undef SLV_GL_FIND
#undef SLV_GL_CHECK
    slv_result result = glGetString ? read_version(info, error) : SLV_OK;
    if (result == SLV_OK && missing) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "the OpenGL driver (%s) lacks %s, which OpenGL 3.3 core has", info->driver,
                        missing);
    }
    if (result == SLV_OK) {
        info->tessellation = info->version >= 400 && glPatchParameteri;
        listen_to_errors(info, debug);
    }
    return result;
}

unsigned slv_gl_errors(const char **first) {
    const GLenum code = glGetError();
    if (code != GL_NO_ERROR) {
        char text[64];
        (void)snprintf(text, sizeof text, "OpenGL error 0x%04x", (unsigned)code);
        note_error(text);
    }
    if (first) {
        *first = first_error;
    }
    return error_count;
}
