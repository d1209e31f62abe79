// SPDX-License-Identifier: MIT
// What is played: a world made of a scene file, or of packs as they are.
#ifndef SLV_PLAYER_SUBJECT_H
#define SLV_PLAYER_SUBJECT_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"
#include "runtime/player/app/command_line.h"
#include "tools/common/console.h"

typedef struct slv_play_subject {
    slv_scene *scene; // NULL for packs
    slv_world *world;
    double time_step;
    uint32_t steps_per_frame;
} slv_play_subject;

// A scene's warnings go to the console.
slv_result slv_play_open(const slv_play_request *request, slv_console *console,
                         slv_play_subject *subject, slv_error *error);
void slv_play_close(slv_play_subject *subject);

// Every file it was made of: the request's own, and the packs of a scene. For free().
const char **slv_play_list_inputs(const slv_play_request *request, const slv_play_subject *subject,
                                  size_t *count);

bool slv_play_on_gpu(const slv_play_subject *subject);

#endif
