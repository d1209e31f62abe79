// SPDX-License-Identifier: MIT
// Where it may run, and what there is to say about where it does.
#ifndef SLV_PLAYER_DEVICES_H
#define SLV_PLAYER_DEVICES_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"
#include "tools/common/console.h"

// Prints every device: name, memory, driver; as JSON where asked for.
slv_result slv_play_list_devices(bool json);

// Warns once about a world's note (slv_world_device): that the CPU goes on in place of a GPU, or that a GPU does not round
// exactly. `told` remembers what was said; true where it was something new.
enum { SLV_NOTE_ROOM = 640 };
bool slv_play_print_note(const char *note, slv_console *console, char told[SLV_NOTE_ROOM]);

#endif
