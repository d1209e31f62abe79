// SPDX-License-Identifier: MIT
// A GLFW window with an OpenGL context, and its events. Only this module and keys.c use GLFW.
#ifndef SLV_PLAYER_WINDOW_H
#define SLV_PLAYER_WINDOW_H

#include "runtime/player/view/gl_context.h"

typedef enum slv_button { SLV_BUTTON_LEFT, SLV_BUTTON_RIGHT, SLV_BUTTON_MIDDLE } slv_button;
enum { SLV_SHIFT = 1, SLV_CONTROL = 2 }; // modifier bits of GLFW

// Event handlers, called during slv_window_wait only. Positions are points from the top left corner.
typedef struct slv_window_callbacks {
    void *context;
    void (*key)(void *context, int key, int modifiers, bool again); // again: key repeat
    void (*button)(void *context, slv_button button, bool down, int modifiers);
    void (*moved)(void *context, double x, double y);
    void (*scrolled)(void *context, double steps);
    void (*dropped)(void *context, int count, const char **paths);
    void (*exposed)(void *context); // needs a redraw
} slv_window_callbacks;

typedef struct slv_window slv_window;

typedef struct slv_window_def {
    const char *title;
    int width, height; // points
    bool debug;        // debug context
    bool vsync;
} slv_window_def;

slv_result slv_window_open(slv_window **window, const slv_window_def *def,
                           const slv_window_callbacks *callbacks, slv_gl_info *info,
                           slv_error *error);
void slv_window_close(slv_window *window); // NULL is fine

// Creates a second context for another thread, which shares objects with that of the window. False on failure.
bool slv_window_make_shared_context(slv_window *window, slv_gl_native *native);
void slv_window_make_shared_current(void *window); // in the calling thread
void slv_window_release_shared(void *window);

// Handles pending events; where there are none, waits for one, at most this many seconds.
void slv_window_wait(slv_window *window, double seconds);
bool slv_window_closing(const slv_window *window);
void slv_window_ask_to_close(slv_window *window);
bool slv_window_hidden(const slv_window *window); // minimized or not mapped
void slv_window_set_title(slv_window *window, const char *title);

// Size in pixels and pixels per point.
void slv_window_size(const slv_window *window, int *width, int *height, float *scale);
bool slv_window_key_down(const slv_window *window, int key);
void slv_window_show(slv_window *window);               // swaps buffers
bool slv_window_toggle_full_screen(slv_window *window); // returns the new state

#endif
