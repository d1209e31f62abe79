// SPDX-License-Identifier: MIT
// A window with an OpenGL context, by GLFW, and what happens to it. The only file that knows GLFW,
// besides the list of keys.
#ifndef SLV_PLAYER_WINDOW_H
#define SLV_PLAYER_WINDOW_H

#include "runtime/player/view/gl_context.h"

typedef enum slv_button { SLV_BUTTON_LEFT, SLV_BUTTON_RIGHT, SLV_BUTTON_MIDDLE } slv_button;
enum { SLV_SHIFT = 1, SLV_CONTROL = 2 }; // modifiers, as GLFW has them

// Who is told; called during slv_window_wait only. Places are points from the top left corner.
typedef struct slv_window_callbacks {
    void *context;
    void (*key)(void *context, int key, int modifiers, bool again); // again: it is held down
    void (*button)(void *context, slv_button button, bool down, int modifiers);
    void (*moved)(void *context, double x, double y);
    void (*scrolled)(void *context, double steps);
    void (*dropped)(void *context, int count, const char **paths);
    void (*exposed)(void *context); // must be drawn again
} slv_window_callbacks;

typedef struct slv_window slv_window;

typedef struct slv_window_def {
    const char *title;
    int width, height; // points
    bool debug;        // ask the driver for its complaints
    bool vsync;
} slv_window_def;

slv_result slv_window_open(slv_window **window, const slv_window_def *def,
                           const slv_window_callbacks *callbacks, slv_gl_info *info,
                           slv_error *error);
void slv_window_close(slv_window *window); // NULL is fine

// A second context, for another thread, that shares buffers with the window's. False where there is none.
bool slv_window_make_shared_context(slv_window *window, slv_gl_native *native);
void slv_window_make_shared_current(void *window); // makes it current in the calling thread
void slv_window_release_shared(void *window);

// Handles what has happened; where nothing has, waits for it, at most this many seconds.
void slv_window_wait(slv_window *window, double seconds);
bool slv_window_closing(const slv_window *window);
void slv_window_ask_to_close(slv_window *window);
bool slv_window_hidden(const slv_window *window); // minimised, or taken off the screen
void slv_window_set_title(slv_window *window, const char *title);

// Size in pixels and pixels per point.
void slv_window_size(const slv_window *window, int *width, int *height, float *scale);
bool slv_window_key_down(const slv_window *window, int key);
void slv_window_show(slv_window *window);               // what has been drawn
bool slv_window_toggle_full_screen(slv_window *window); // whether it is now

#endif
