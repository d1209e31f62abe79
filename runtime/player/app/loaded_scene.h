// SPDX-License-Identifier: MIT
// What is played: a world made of a scene file, or of packs as they are.
#ifndef SLV_PLAYER_LOADED_SCENE_H
#define SLV_PLAYER_LOADED_SCENE_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"
#include "runtime/player/app/command_line.h"
#include "tools/common/console.h"

typedef struct slv_loaded_scene {
    slv_scene *scene; // NULL for packs
    slv_world *world;
    double time_step;
    uint32_t steps_per_frame;
} slv_loaded_scene;

// A scene's warnings go to the console.
slv_result slv_loaded_scene_open(const slv_play_request *request, slv_console *console,
                                 slv_loaded_scene *loaded, slv_error *error);
void slv_loaded_scene_close(slv_loaded_scene *loaded);

// Every file it was made of: the request's own, and the packs of a scene. For free().
const char **slv_loaded_scene_list_files(const slv_play_request *request,
                                         const slv_loaded_scene *loaded, size_t *count);

bool slv_loaded_scene_on_gpu(const slv_loaded_scene *loaded);

#endif
