// SPDX-License-Identifier: MIT
// The list of devices, and messages about the device of a world.
#ifndef SLV_PLAYER_DEVICES_H
#define SLV_PLAYER_DEVICES_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"
#include "tools/common/console.h"

// Prints every device with name, memory and driver, as text or as JSON.
slv_result slv_play_list_devices(bool json);

// With --verbose: prints how positions reached OpenGL.
void slv_play_note_transfer(slv_console *console, bool in_gl_buffers);

// Prints the note of slv_world_get_device as a warning, once: the CPU continues for a failed GPU, or the
// rounding of a GPU is not exact. `last_note` keeps the last note; returns true where the note is new.
enum { SLV_NOTE_ROOM = 640 };
bool slv_play_print_note(const char *note, slv_console *console, char last_note[SLV_NOTE_ROOM]);

#endif
