// SPDX-License-Identifier: MIT
// Reads bytes as an FBX file into a character, for tests and the fuzzer.
#ifndef SLV_TESTS_READ_FBX_H
#define SLV_TESTS_READ_FBX_H

#include "tools/common/character_pose.h"
#include "tools/common/fbx_character.h"

#include <stdlib.h>

// On success the character has passed its check and is freed by the caller; otherwise it is empty.
static inline slv_result read_fbx(const void *bytes, size_t size, slv_character *character,
                                  slv_error *error) {
    slv_character_build build = {.shaded = true};
    slv_fbx_scene scene;
    build.character.space = slv_import_space_default();
    slv_result result = slv_fbx_scene_open(bytes, size, &scene, error);
    if (result == SLV_OK) {
        result = slv_fbx_character(&scene, &build, error);
        slv_fbx_scene_close(&scene);
    }
    if (result == SLV_OK) {
        result = slv_character_check(&build.character, error);
    }
    if (result != SLV_OK) {
        slv_character_free(&build.character);
    }
    *character = build.character;
    return result;
}

// Evaluates the rest pose and the start and end of each clip. True where all positions of the rest pose are numbers.
static inline bool pose_all(const slv_character *character) {
    slv_pose_scratch scratch = {0};
    slv_error error;
    double *positions = calloc(3 * (size_t)character->vertex_count + 1, sizeof *positions);
    bool numbers = positions != NULL;
    if (positions && slv_pose_scratch_create(character, &scratch, &error) == SLV_OK) {
        for (uint32_t i = 0; i < character->clip_count; i++) {
            const slv_character_clip *clip = &character->clips[i];
            slv_character_pose(character, i, clip->start, &scratch, positions);
            slv_character_pose(character, i, 0.5 * clip->start + 0.5 * clip->end, &scratch,
                               positions);
        }
        slv_character_pose(character, SLV_AT_REST, 0.0, &scratch, positions);
        for (size_t i = 0; i < 3 * (size_t)character->vertex_count; i++) {
            numbers = numbers && positions[i] == positions[i];
        }
    }
    slv_pose_scratch_free(&scratch);
    free(positions);
    return numbers;
}

#endif
