// SPDX-License-Identifier: MIT
#include "runtime/player/output/offscreen_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdlib.h>

enum { MOST_DEVICES = 8 };

struct slv_offscreen_context {
    EGLDisplay display;
    EGLContext context;
};

static bool make_current(slv_offscreen_context *c, const int version[2], bool debug) {
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 version[0],
                                 EGL_CONTEXT_MINOR_VERSION,
                                 version[1],
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_CONTEXT_OPENGL_DEBUG,
                                 debug,
                                 EGL_NONE};
    c->context = eglCreateContext(c->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    return c->context != EGL_NO_CONTEXT &&
           eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->context);
}

static void close_display(slv_offscreen_context *c) {
    if (c->context != EGL_NO_CONTEXT) {
        (void)eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        (void)eglDestroyContext(c->display, c->context);
    }
    (void)eglTerminate(c->display);
    *c = (slv_offscreen_context){.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT};
}

static bool open_display(slv_offscreen_context *c, EGLDisplay display, bool debug) {
    c->display = display;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        c->display = EGL_NO_DISPLAY;
        return false;
    }
    for (int i = 0; i < SLV_GL_VERSIONS && eglBindAPI(EGL_OPENGL_API); i++) {
        if (make_current(c, slv_gl_versions[i], debug)) {
            return true;
        }
    }
    close_display(c);
    return false;
}

// Tries the graphics devices in EGL's order, then Mesa's platform without surfaces.
static bool open_any_display(slv_offscreen_context *c, bool debug) {
    const PFNEGLQUERYDEVICESEXTPROC query_devices =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDeviceEXT devices[MOST_DEVICES];
    EGLint count = 0;
    if (!get_display) {
        return false;
    }
    if (!query_devices || !query_devices(MOST_DEVICES, devices, &count)) {
        count = 0;
    }
    for (EGLint i = 0; i < count; i++) {
        if (open_display(c, get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL), debug)) {
            return true;
        }
    }
    return open_display(c, get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL),
                        debug);
}

slv_result slv_offscreen_open(bool debug, slv_offscreen_context **context, slv_gl_info *info,
                              slv_error *error) {
    slv_offscreen_context *c = calloc(1, sizeof *c);
    *context = c;
    if (c == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    if (!open_any_display(c, debug)) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "drawing without a window needs OpenGL 3.3 core through EGL, and no EGL "
                        "driver here offers it; on Debian and Ubuntu: apt install libegl1 "
                        "libgl1-mesa-dri");
    }
    return slv_gl_load(debug, info, error);
}

slv_gl_native slv_offscreen_native(const slv_offscreen_context *c) {
    return (slv_gl_native){.context = c->context, .display = c->display, .egl = true};
}

void slv_offscreen_close(slv_offscreen_context *c) {
    if (c && c->display != EGL_NO_DISPLAY) {
        close_display(c);
    }
    free(c);
}
