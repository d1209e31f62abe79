// SPDX-License-Identifier: MIT
// The few types and numbers of EGL and OSMesa that are used stand here, as their specifications have
// them, so that nobody needs their headers to build.
#define _POSIX_C_SOURCE 200809L
#include "runtime/player/output/offscreen_context.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void *handle; // EGLDisplay, EGLContext, OSMesaContext, …

struct slv_offscreen {
    handle display; // EGL
    handle context;
    uint8_t *pixels; // OSMesa draws its own framebuffer here; we draw to others
    int (*make_current)(handle display, handle draw, handle read, handle context);
    unsigned (*destroy_context)(handle display, handle context);
    unsigned (*terminate)(handle display);
    void (*destroy_osmesa)(handle context);
};

// Versions from the best on; the first that a driver has is taken.
static const int versions[][2] = {{4, 5}, {4, 0}, {3, 3}};
enum { VERSION_COUNT = sizeof versions / sizeof *versions };

typedef struct wanted {
    const char *name;
    void *function; // where its address goes
} wanted;

// Functions of a library, through memcpy since ISO C has no cast from an object to a function. False where
// one is missing, or the library.
static bool find_all(void *library, const wanted *list, size_t count) {
    bool found = library != NULL;
    for (size_t i = 0; i < count && found; i++) {
        void *symbol = dlsym(library, list[i].name);
        memcpy(list[i].function, &symbol, sizeof symbol);
        found = symbol != NULL;
    }
    return found;
}

// --- EGL -----------------------------------------------------------------------------------------

enum {
    EGL_NONE = 0x3038,
    EGL_OPENGL_API = 0x30A2,
    EGL_CONTEXT_MAJOR_VERSION = 0x3098,
    EGL_CONTEXT_MINOR_VERSION = 0x30FB,
    EGL_CONTEXT_OPENGL_PROFILE_MASK = 0x30FD,
    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT = 1,
    EGL_CONTEXT_OPENGL_DEBUG = 0x31B0,
    EGL_PLATFORM_DEVICE = 0x313F,
    EGL_PLATFORM_SURFACELESS = 0x31DD,
    MOST_DEVICES = 8
};

typedef struct egl_functions {
    slv_gl_function (*get_proc)(const char *name);
    unsigned (*initialize)(handle display, int *major, int *minor);
    unsigned (*bind_api)(unsigned api);
    handle (*create_context)(handle display, handle config, handle share, const int *attributes);
    handle (*platform_display)(unsigned platform, handle native, const int *attributes);
    unsigned (*query_devices)(int room, handle *devices, int *count);
} egl_functions;

static egl_functions egl;

static slv_gl_function find_egl(const char *name) {
    return egl.get_proc(name);
}

static bool load_egl(slv_offscreen *o) {
    const wanted list[] = {
        {"eglGetProcAddress", &egl.get_proc}, {"eglInitialize", &egl.initialize},
        {"eglBindAPI", &egl.bind_api},        {"eglCreateContext", &egl.create_context},
        {"eglMakeCurrent", &o->make_current}, {"eglDestroyContext", &o->destroy_context},
        {"eglTerminate", &o->terminate},
    };
    void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!find_all(library, list, sizeof list / sizeof *list)) {
        return false;
    }
    egl.platform_display =
        (handle(*)(unsigned, handle, const int *))egl.get_proc("eglGetPlatformDisplayEXT");
    egl.query_devices = (unsigned (*)(int, handle *, int *))egl.get_proc("eglQueryDevicesEXT");
    return egl.platform_display != NULL;
}

static bool make_egl_context(slv_offscreen *o, bool debug) {
    int major = 0;
    int minor = 0;
    if (o->display == NULL || !egl.initialize(o->display, &major, &minor)) {
        return false;
    }
    for (int i = 0; i < VERSION_COUNT && egl.bind_api(EGL_OPENGL_API); i++) {
        const int attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  versions[i][0],
                                  EGL_CONTEXT_MINOR_VERSION,
                                  versions[i][1],
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_CONTEXT_OPENGL_DEBUG,
                                  debug,
                                  EGL_NONE};
        o->context = egl.create_context(o->display, NULL, NULL, attributes);
        if (o->context && o->make_current(o->display, NULL, NULL, o->context)) {
            return true;
        }
    }
    (void)o->terminate(o->display);
    return false;
}

// Graphics cards first, each asked in turn, then Mesa without any surface.
static bool open_egl(slv_offscreen *o, bool debug) {
    handle devices[MOST_DEVICES];
    int count = 0;
    if (!load_egl(o)) {
        return false;
    }
    if (egl.query_devices == NULL || !egl.query_devices(MOST_DEVICES, devices, &count)) {
        count = 0;
    }
    for (int i = 0; i < count; i++) {
        o->display = egl.platform_display(EGL_PLATFORM_DEVICE, devices[i], NULL);
        if (make_egl_context(o, debug)) {
            return true;
        }
    }
    o->display = egl.platform_display(EGL_PLATFORM_SURFACELESS, NULL, NULL);
    return make_egl_context(o, debug);
}

// --- OSMesa --------------------------------------------------------------------------------------

enum {
    OSMESA_FORMAT = 0x22,
    OSMESA_RGBA = 0x1908,
    OSMESA_DEPTH_BITS = 0x30,
    OSMESA_PROFILE = 0x33,
    OSMESA_CORE_PROFILE = 0x34,
    OSMESA_CONTEXT_MAJOR_VERSION = 0x36,
    OSMESA_CONTEXT_MINOR_VERSION = 0x37,
    OSMESA_SIDE = 16 // pixels
};

static slv_gl_function (*osmesa_get_proc)(const char *name);

static slv_gl_function find_osmesa(const char *name) {
    return osmesa_get_proc(name);
}

static void *open_osmesa_library(void) {
    static const char *const names[] = {"libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && library == NULL; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

static bool open_osmesa(slv_offscreen *o) {
    handle (*create)(const int *attributes, handle share) = NULL;
    unsigned char (*make_current)(handle context, void *pixels, unsigned type, int width,
                                  int height) = NULL;
    const wanted list[] = {
        {"OSMesaCreateContextAttribs", &create},
        {"OSMesaMakeCurrent", &make_current},
        {"OSMesaDestroyContext", &o->destroy_osmesa},
        {"OSMesaGetProcAddress", &osmesa_get_proc},
    };
    if (!find_all(open_osmesa_library(), list, sizeof list / sizeof *list)) {
        return false;
    }
    o->pixels = calloc((size_t)OSMESA_SIDE * OSMESA_SIDE, 4);
    for (int i = 0; i < VERSION_COUNT && o->pixels; i++) {
        const int attributes[] = {OSMESA_FORMAT,
                                  OSMESA_RGBA,
                                  OSMESA_DEPTH_BITS,
                                  24,
                                  OSMESA_PROFILE,
                                  OSMESA_CORE_PROFILE,
                                  OSMESA_CONTEXT_MAJOR_VERSION,
                                  versions[i][0],
                                  OSMESA_CONTEXT_MINOR_VERSION,
                                  versions[i][1],
                                  0};
        o->context = create(attributes, NULL);
        if (o->context &&
            make_current(o->context, o->pixels, GL_UNSIGNED_BYTE, OSMESA_SIDE, OSMESA_SIDE)) {
            return true;
        }
    }
    return false;
}

// --- Either --------------------------------------------------------------------------------------

slv_result slv_offscreen_open(const char *driver, bool debug, slv_offscreen **offscreen,
                              slv_gl_finder *find, slv_error *error) {
    if (driver && strcmp(driver, "egl") != 0 && strcmp(driver, "osmesa") != 0) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "SELVAGE_OFFSCREEN: \"%.100s\" should be egl or osmesa", driver);
    }
    slv_offscreen *o = calloc(1, sizeof *o);
    if (o == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    *offscreen = o;
    if ((driver == NULL || strcmp(driver, "egl") == 0) && open_egl(o, debug)) {
        *find = find_egl;
        return SLV_OK;
    }
    *o = (slv_offscreen){.display = NULL};
    if ((driver == NULL || strcmp(driver, "osmesa") == 0) && open_osmesa(o)) {
        *find = find_osmesa;
        return SLV_OK;
    }
    slv_offscreen_close(o);
    *offscreen = NULL;
    return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                    "drawing off-screen needs OpenGL 3.3 by EGL or OSMesa, and neither works here; "
                    "on Debian and Ubuntu: apt install libegl1 libgl1-mesa-dri, or libosmesa6");
}

slv_gl_native slv_offscreen_native(const slv_offscreen *o) {
    return o->display ? (slv_gl_native){.context = o->context, .display = o->display, .egl = true}
                      : (slv_gl_native){.context = NULL}; // OSMesa shares with nobody
}

void slv_offscreen_close(slv_offscreen *o) {
    if (o == NULL) {
        return;
    }
    if (o->terminate && o->context) {
        (void)o->make_current(o->display, NULL, NULL, NULL);
        (void)o->destroy_context(o->display, o->context);
        (void)o->terminate(o->display);
    } else if (o->destroy_osmesa && o->context) {
        o->destroy_osmesa(o->context);
    }
    free(o->pixels);
    free(o);
}
