// SPDX-License-Identifier: MIT
#include "runtime/player/app/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stdio.h>
#include <stdlib.h>

struct slv_window {
    GLFWwindow *glfw;
    GLFWwindow *shared_context; // invisible window with the second context; NULL: none
    slv_gl_native native;       // handles of the second context
    slv_window_callbacks callbacks;
    int x, y, width, height; // before full screen
};

static char last_error[256]; // of GLFW

static void on_error(int code, const char *text) {
    (void)code;
    (void)snprintf(last_error, sizeof last_error, "%s", text);
}

// --- Events --------------------------------------------------------------------------------

static slv_window_callbacks *callbacks_of(GLFWwindow *glfw) {
    return &((slv_window *)glfwGetWindowUserPointer(glfw))->callbacks;
}

void slv_window_size(const slv_window *window, int *width, int *height, float *scale) {
    float other = 1.0f;
    glfwGetFramebufferSize(window->glfw, width, height);
    glfwGetWindowContentScale(window->glfw, scale, &other);
    *scale = *scale >= 0.5f && *scale <= 8.0f ? *scale : 1.0f;
}

// GLFW's screen coordinates are pixels on some systems and points on others.
static void find_points(const slv_window *window, double *x, double *y) {
    int width = 1;
    int height = 1;
    int pixels_wide = 1;
    int pixels_high = 1;
    float scale = 1.0f;
    glfwGetWindowSize(window->glfw, &width, &height);
    slv_window_size(window, &pixels_wide, &pixels_high, &scale);
    *x *= width > 0 ? (double)pixels_wide / width / (double)scale : 1.0;
    *y *= height > 0 ? (double)pixels_high / height / (double)scale : 1.0;
}

static void on_key(GLFWwindow *glfw, int key, int code, int action, int modifiers) {
    (void)code;
    if (action != GLFW_RELEASE) {
        const slv_window_callbacks *callbacks = callbacks_of(glfw);
        callbacks->key(callbacks->context, key, modifiers & (GLFW_MOD_SHIFT | GLFW_MOD_CONTROL),
                       action == GLFW_REPEAT);
    }
}

static void on_button(GLFWwindow *glfw, int button, int action, int modifiers) {
    const slv_window_callbacks *callbacks = callbacks_of(glfw);
    if (button <= GLFW_MOUSE_BUTTON_MIDDLE) {
        callbacks->button(callbacks->context, (slv_button)button, action == GLFW_PRESS,
                          modifiers & (GLFW_MOD_SHIFT | GLFW_MOD_CONTROL));
    }
}

static void on_move(GLFWwindow *glfw, double x, double y) {
    const slv_window_callbacks *callbacks = callbacks_of(glfw);
    find_points(glfwGetWindowUserPointer(glfw), &x, &y);
    callbacks->moved(callbacks->context, x, y);
}

static void on_scroll(GLFWwindow *glfw, double x, double y) {
    (void)x;
    const slv_window_callbacks *callbacks = callbacks_of(glfw);
    callbacks->scrolled(callbacks->context, y);
}

static void on_drop(GLFWwindow *glfw, int count, const char **paths) {
    const slv_window_callbacks *callbacks = callbacks_of(glfw);
    callbacks->dropped(callbacks->context, count, paths);
}

static void on_refresh(GLFWwindow *glfw) {
    const slv_window_callbacks *callbacks = callbacks_of(glfw);
    callbacks->exposed(callbacks->context);
}

static void on_size(GLFWwindow *glfw, int width, int height) {
    (void)width;
    (void)height;
    on_refresh(glfw);
}

static void on_focus(GLFWwindow *glfw, int focused) {
    (void)focused;
    on_refresh(glfw);
}

static void listen(slv_window *window) {
    glfwSetWindowUserPointer(window->glfw, window);
    (void)glfwSetKeyCallback(window->glfw, on_key);
    (void)glfwSetMouseButtonCallback(window->glfw, on_button);
    (void)glfwSetCursorPosCallback(window->glfw, on_move);
    (void)glfwSetScrollCallback(window->glfw, on_scroll);
    (void)glfwSetDropCallback(window->glfw, on_drop);
    (void)glfwSetWindowRefreshCallback(window->glfw, on_refresh);
    (void)glfwSetFramebufferSizeCallback(window->glfw, on_size);
    (void)glfwSetWindowFocusCallback(window->glfw, on_focus);
}

// --- Opening -------------------------------------------------------------------------------------

// A window with the newest core context that the driver offers. It shares objects with `family`, which may be NULL.
static GLFWwindow *make_glfw_window(const slv_window_def *def, bool visible, GLFWwindow *family) {
    GLFWwindow *glfw = NULL;
    for (int i = 0; i < SLV_GL_VERSIONS && glfw == NULL; i++) {
        glfwDefaultWindowHints();
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, slv_gl_versions[i][0]);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, slv_gl_versions[i][1]);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, def->debug);
        glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
        glfwWindowHint(GLFW_DEPTH_BITS, 0); // the renderer has its own depth buffer and samples
        glfwWindowHint(GLFW_STENCIL_BITS, 0);
        glfwWindowHint(GLFW_VISIBLE, visible);
        glfw = glfwCreateWindow(def->width, def->height, def->title, NULL, family);
    }
    return glfw;
}

slv_result slv_window_open(slv_window **window, const slv_window_def *def,
                           const slv_window_callbacks *callbacks, slv_gl_info *info,
                           slv_error *error) {
    *window = NULL;
    (void)glfwSetErrorCallback(on_error);
    if (!glfwInit()) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "no window can be opened here (%s); use --headless, or --offscreen for "
                        "pictures",
                        last_error);
    }
    *window = calloc(1, sizeof **window);
    if (*window == NULL) {
        glfwTerminate();
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    (*window)->callbacks = *callbacks;
    (*window)->glfw = make_glfw_window(def, true, NULL);
    if ((*window)->glfw == NULL) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "no window with OpenGL 3.3 core can be opened (%s); update the driver, or "
                        "set LIBGL_ALWAYS_SOFTWARE=1 to draw on the processor",
                        last_error);
    }
    listen(*window);
    glfwMakeContextCurrent((*window)->glfw);
    glfwSwapInterval(def->vsync);
    return slv_gl_load(def->debug, info, error);
}

void slv_window_close(slv_window *window) {
    if (window) {
        if (window->shared_context) {
            glfwDestroyWindow(window->shared_context);
        }
        if (window->glfw) {
            glfwDestroyWindow(window->glfw);
        }
        glfwTerminate();
        free(window);
    }
}

// Handles of the current context. EGL is tried first: eglGetCurrentContext returns NULL for a GLX context, while
// GLX functions may exist without GLX.
static slv_gl_native find_native(void) {
    typedef void *(*getter)(void);
    const getter egl_context = (getter)glfwGetProcAddress("eglGetCurrentContext");
    const getter egl_display = (getter)glfwGetProcAddress("eglGetCurrentDisplay");
    void *context = egl_context && egl_display ? egl_context() : NULL;
    if (context) {
        return (slv_gl_native){.context = context, .display = egl_display(), .egl = true};
    }
    const getter glx_context = (getter)glfwGetProcAddress("glXGetCurrentContext");
    const getter glx_display = (getter)glfwGetProcAddress("glXGetCurrentDisplay");
    context = glx_context && glx_display ? glx_context() : NULL;
    return context ? (slv_gl_native){.context = context, .display = glx_display()}
                   : (slv_gl_native){.context = NULL};
}

bool slv_window_make_shared_context(slv_window *window, slv_gl_native *native) {
    if (window->shared_context == NULL) {
        const slv_window_def def = {.title = "", .width = 1, .height = 1};
        window->shared_context = make_glfw_window(&def, false, window->glfw);
        if (window->shared_context) {
            glfwMakeContextCurrent(window->shared_context);
            window->native = find_native();
            glfwMakeContextCurrent(window->glfw);
        }
    }
    *native = window->native;
    return window->shared_context != NULL;
}

void slv_window_make_shared_current(void *window) {
    glfwMakeContextCurrent(((slv_window *)window)->shared_context);
}

void slv_window_release_shared(void *window) {
    (void)window;
    glfwMakeContextCurrent(NULL);
}

// --- State --------------------------------------------------------------------------------------

void slv_window_wait(slv_window *window, double seconds) {
    (void)window;
    if (seconds > 0.0) {
        glfwWaitEventsTimeout(seconds);
    } else {
        glfwPollEvents();
    }
}

bool slv_window_closing(const slv_window *window) {
    return glfwWindowShouldClose(window->glfw);
}

void slv_window_ask_to_close(slv_window *window) {
    glfwSetWindowShouldClose(window->glfw, GLFW_TRUE);
}

bool slv_window_hidden(const slv_window *window) {
    int width = 0;
    int height = 0;
    glfwGetFramebufferSize(window->glfw, &width, &height);
    return width < 1 || height < 1 || glfwGetWindowAttrib(window->glfw, GLFW_ICONIFIED) ||
           !glfwGetWindowAttrib(window->glfw, GLFW_VISIBLE);
}

void slv_window_set_title(slv_window *window, const char *title) {
    glfwSetWindowTitle(window->glfw, title);
}

bool slv_window_key_down(const slv_window *window, int key) {
    return glfwGetKey(window->glfw, key) == GLFW_PRESS;
}

void slv_window_show(slv_window *window) {
    glfwSwapBuffers(window->glfw);
}

bool slv_window_toggle_full_screen(slv_window *window) {
    if (glfwGetWindowMonitor(window->glfw)) {
        glfwSetWindowMonitor(window->glfw, NULL, window->x, window->y, window->width,
                             window->height, GLFW_DONT_CARE);
        return false;
    }
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    if (mode) {
        glfwGetWindowPos(window->glfw, &window->x, &window->y);
        glfwGetWindowSize(window->glfw, &window->width, &window->height);
        glfwSetWindowMonitor(window->glfw, monitor, 0, 0, mode->width, mode->height,
                             mode->refreshRate);
    }
    return mode != NULL;
}
