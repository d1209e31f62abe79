// SPDX-License-Identifier: MIT
// In place of the window, where the program was built without GLFW.
#include "runtime/player/app/play_window.h"

slv_result slv_play_window(const slv_play_request *request, slv_console *console,
                           slv_error *error) {
    (void)request;
    (void)console;
    return slv_fail(
        error, SLV_ERROR_UNSUPPORTED,
        "this build has no window (GLFW was not there when it was made); use --headless, "
        "or --offscreen for pictures");
}
