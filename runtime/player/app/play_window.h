// SPDX-License-Identifier: MIT
// A run in a window, with input while it runs.
#ifndef SLV_PLAYER_PLAY_WINDOW_H
#define SLV_PLAYER_PLAY_WINDOW_H

#include "formats/result.h"
#include "runtime/player/app/command_line.h"
#include "tools/common/console.h"

// Until the window is closed, or the requested number of frames has been simulated.
slv_result slv_play_window(const slv_play_request *request, slv_console *console, slv_error *error);

#endif
