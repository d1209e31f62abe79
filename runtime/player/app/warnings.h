// SPDX-License-Identifier: MIT
// Warnings about what a world should not have: particles inside colliders and characters, overstretched cloth.
#ifndef SLV_PLAYER_WARNINGS_H
#define SLV_PLAYER_WARNINGS_H

#include "runtime/include/selvage/selvage.h"
#include "runtime/player/app/command_line.h"

enum { SLV_WARNING_SIZE = 512 };

// A stretch above this is a warning.
#define SLV_STRETCH_LIMIT 1.5

// What is inside a collider or a character now; `scene` is NULL for packs. `text` becomes a sentence that begins with `when`, or "".
slv_inside_report slv_find_inside_warning(const slv_play_request *request, const slv_scene *scene,
                                          slv_world *world, const char *when,
                                          char text[SLV_WARNING_SIZE]);

// The same for the largest stretch of a run, which it had after frame `frame`, and the stretch at its end.
void slv_find_stretch_warning(double largest, uint64_t frame, double last,
                              char text[SLV_WARNING_SIZE]);

#endif
