// SPDX-License-Identifier: MIT
// An OpenGL context of EGL, which needs no display and no window.
#ifndef SLV_PLAYER_OFFSCREEN_CONTEXT_H
#define SLV_PLAYER_OFFSCREEN_CONTEXT_H

#include "runtime/player/view/gl_context.h"

typedef struct slv_offscreen_context slv_offscreen_context;

// Makes a core context current in this thread and loads its functions. It has no framebuffer of its own.
slv_result slv_offscreen_open(bool debug, slv_offscreen_context **context, slv_gl_info *info,
                              slv_error *error);
slv_gl_native slv_offscreen_native(const slv_offscreen_context *context);
void slv_offscreen_close(slv_offscreen_context *context); // NULL is fine

#endif
