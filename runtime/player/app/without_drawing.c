// SPDX-License-Identifier: MIT
// Takes the place of drawing in a build without OpenGL, EGL, GLEW or libpng.
#include "runtime/player/app/play_offscreen.h"
#include "runtime/player/view/gl_interop.h"

slv_result slv_play_offscreen(const slv_play_request *request, slv_console *console,
                              slv_error *error) {
    (void)request;
    (void)console;
    return slv_fail(
        error, SLV_ERROR_UNSUPPORTED,
        "this build draws nothing (OpenGL, EGL, GLEW or libpng was not found when it was "
        "built); use --headless");
}

slv_gl_interop_outcome slv_gl_interop_fill(slv_snapshots *snapshots, slv_world *world,
                                           uint64_t nanoseconds) {
    (void)snapshots;
    (void)world;
    (void)nanoseconds;
    return SLV_GL_INTEROP_REFUSED;
}

void slv_gl_interop_forget(slv_snapshots *snapshots, slv_world *world) {
    (void)snapshots;
    (void)world;
}
