// SPDX-License-Identifier: MIT
// An OpenGL context without a display. EGL or OSMesa, found when the program runs: a machine that has
// neither still starts it.
#ifndef SLV_PLAYER_OFFSCREEN_CONTEXT_H
#define SLV_PLAYER_OFFSCREEN_CONTEXT_H

#include "runtime/player/view/gl.h"

typedef struct slv_offscreen slv_offscreen;

// Makes a context current and hands out how to find its functions. `driver` is "egl", "osmesa", or
// NULL for the first that works; its libraries stay loaded until the program ends.
slv_result slv_offscreen_open(const char *driver, bool debug, slv_offscreen **offscreen,
                              slv_gl_finder *find, slv_error *error);
slv_gl_native slv_offscreen_native(const slv_offscreen *offscreen);
void slv_offscreen_close(slv_offscreen *offscreen); // NULL is fine

#endif
