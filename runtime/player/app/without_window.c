// SPDX-License-Identifier: MIT
// Takes the place of the window in a build without GLFW.
#include "runtime/player/app/play_window.h"

slv_result slv_play_window(const slv_play_request *request, slv_console *console,
                           slv_error *error) {
    (void)request;
    (void)console;
    return slv_fail(
        error, SLV_ERROR_UNSUPPORTED,
        "this build has no window (GLFW was not found when it was built); use --headless, "
        "or --offscreen for pictures");
}
