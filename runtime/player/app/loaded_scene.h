// SPDX-License-Identifier: MIT
// The world that is played, made from a scene file or from packs.
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
    slv_inside_report inside; // colliders and the model, before the first step
} slv_loaded_scene;

// Warnings of the scene go to the console, also about particles inside colliders or the model.
slv_result slv_loaded_scene_open(const slv_play_request *request, slv_console *console,
                                 slv_loaded_scene *loaded, slv_error *error);
void slv_loaded_scene_close(slv_loaded_scene *loaded);

// All files that were read: those of the request, and the packs of a scene. The caller frees the array.
const char **slv_loaded_scene_list_files(const slv_play_request *request,
                                         const slv_loaded_scene *loaded, size_t *count);

bool slv_loaded_scene_on_gpu(const slv_loaded_scene *loaded);

#endif
