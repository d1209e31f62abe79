// SPDX-License-Identifier: MIT
#include "tools/common/fbx_character.h"

#include "tools/common/fbx_reader.h"

#include <stdlib.h>

slv_result slv_fbx_character(const slv_fbx_scene *scene, slv_character_build *build,
                             slv_error *error) {
    slv_fbx_reader r = {.scene = scene, .build = build};
    build->numbered = true;
    slv_result result = slv_fbx_add_nodes(&r, error);
    if (result == SLV_OK) {
        result = slv_fbx_add_meshes(&r, error);
    }
    if (result == SLV_OK) {
        result = slv_fbx_add_clips(&r, error);
    }
    result = result == SLV_OK && build->no_memory ? slv_no_memory(error) : result;
    slv_polygon_scratch_free(&r.scratch);
    free(r.node_of);
    free(r.model_of);
    return result;
}
