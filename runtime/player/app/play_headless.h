// SPDX-License-Identifier: MIT
// A run without a window: steps in, measurements and positions out.
#ifndef SLV_PLAYER_PLAY_HEADLESS_H
#define SLV_PLAYER_PLAY_HEADLESS_H

#include "formats/result.h"
#include "runtime/player/app/command_line.h"
#include "tools/common/console.h"

// Runs the request to its end. On failure nothing has been written.
slv_result slv_play_headless(const slv_play_request *request, slv_console *console,
                             slv_error *error);

#endif
