// SPDX-License-Identifier: MIT
// Draws without a window: frames as PNG files, videos, or one screenshot.
#ifndef SLV_PLAYER_PLAY_OFFSCREEN_H
#define SLV_PLAYER_PLAY_OFFSCREEN_H

#include "formats/result.h"
#include "runtime/player/app/command_line.h"
#include "tools/common/console.h"

slv_result slv_play_offscreen(const slv_play_request *request, slv_console *console,
                              slv_error *error);

#endif
