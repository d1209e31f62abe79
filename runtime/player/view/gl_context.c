// SPDX-License-Identifier: MIT
#include "runtime/player/view/gl_context.h"

#include <GL/glew.h>
#include <stdio.h>
#include <string.h>

enum { OLDEST_VERSION = 330 };

const int slv_gl_versions[SLV_GL_VERSIONS][2] = {{4, 5}, {4, 0}, {3, 3}};

static unsigned error_count;
static char first_error[256];

static void note_error(const char *text) {
    if (error_count++ == 0) {
        (void)snprintf(first_error, sizeof first_error, "%s", text);
    }
}

static void on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                       const GLchar *message, const void *context) {
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
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "the OpenGL driver reports no version");
    }
    info->version = 100 * major + 10 * minor;
    (void)snprintf(info->driver, sizeof info->driver, "%s", driver ? driver : "unknown driver");
    info->software = strstr(info->driver, "llvmpipe") || strstr(info->driver, "softpipe") ||
                     strstr(info->driver, "SWR");
    if (info->version < OLDEST_VERSION) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "OpenGL 3.3 core is needed, and %s offers %d.%d; update the driver, or set "
                        "LIBGL_ALWAYS_SOFTWARE=1 to draw on the processor",
                        info->driver, major, minor);
    }
    return SLV_OK;
}

static void count_errors(slv_gl_info *info, bool debug) {
    error_count = 0;
    first_error[0] = '\0';
    info->debug = debug && glewGetExtension("GL_KHR_debug");
    if (info->debug) {
        glEnable(GL_DEBUG_OUTPUT);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDebugMessageCallback(on_message, NULL);
    }
}

slv_result slv_gl_load(bool debug, slv_gl_info *info, slv_error *error) {
    *info = (slv_gl_info){.version = 0};
    // A core context may leave out the names of extensions that are part of its version.
    glewExperimental = GL_TRUE;
    const GLenum status = glewInit();
    // GLEW loads OpenGL first and GLX after it. An EGL context has no GLX display, and needs none.
    if (status != GLEW_OK && status != GLEW_ERROR_NO_GLX_DISPLAY) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "OpenGL cannot be loaded: %s",
                        (const char *)glewGetErrorString(status));
    }
    const slv_result result = read_version(info, error);
    if (result != SLV_OK) {
        return result;
    }
    if (!GLEW_VERSION_3_3) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "the OpenGL driver (%s) lacks functions of OpenGL 3.3 core", info->driver);
    }
    info->tessellation = info->version >= 400 && glPatchParameteri;
    count_errors(info, debug);
    return SLV_OK;
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
