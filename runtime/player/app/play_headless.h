// SPDX-License-Identifier: MIT
// Runs without drawing: measurements and exports.
#ifndef SLV_PLAYER_PLAY_HEADLESS_H
#define SLV_PLAYER_PLAY_HEADLESS_H

#include "formats/result.h"
#include "runtime/player/app/command_line.h"
#include "tools/common/console.h"

// Runs all frames. On failure no file is written.
slv_result slv_play_headless(const slv_play_request *request, slv_console *console,
                             slv_error *error);

#endif
