// SPDX-License-Identifier: MIT
// pose_dump FILE CLIP TIME…: prints the vertices of poses by our importer and evaluation, one "x y
// z" per line, for the scripts that compare them with references. CLIP -1 is the rest pose.
// pose_dump FILE: prints "start end name" of each clip.
#include "tools/common/character_import.h"
#include "tools/common/character_pose.h"

#include <stdio.h>
#include <stdlib.h>

static void print_clips(const slv_character *character) {
    for (uint32_t i = 0; i < character->clip_count; i++) {
        char name[64];
        slv_character_clip_name(character, i, name, sizeof name);
        printf("%.17g %.17g %s\n", character->clips[i].start, character->clips[i].end, name);
    }
}

static slv_result print_poses(const slv_character *character, uint32_t clip, char **times,
                              int count, slv_error *error) {
    slv_pose_scratch room = {0};
    double *positions = calloc(3 * (size_t)character->vertex_count, sizeof *positions);
    slv_result result =
        positions ? slv_pose_scratch_create(character, &room, error) : slv_no_memory(error);
    for (int i = 0; result == SLV_OK && i < count; i++) {
        slv_character_pose(character, clip, strtod(times[i], NULL), &room, positions);
        for (uint32_t v = 0; v < character->vertex_count; v++) {
            const double *p = positions + 3 * (size_t)v;
            printf("%.17g %.17g %.17g\n", p[0], p[1], p[2]);
        }
    }
    slv_pose_scratch_free(&room);
    free(positions);
    return result;
}

int main(int argc, char **argv) {
    slv_error error = {.code = SLV_OK};
    slv_character character;
    const slv_import_options options = {.undrawn = true};
    if (argc < 2 || argc == 3) {
        return SLV_ERROR_ARGUMENT;
    }
    slv_result result = slv_character_import(argv[1], &options, &character, NULL, &error);
    if (result == SLV_OK && argc == 2) {
        print_clips(&character);
    } else if (result == SLV_OK) {
        const long clip = strtol(argv[2], NULL, 10);
        if (clip >= (long)character.clip_count) {
            result = SLV_ERROR_ARGUMENT;
        } else if (clip >= 0) {
            result = slv_character_check_clip(&character, (uint32_t)clip, &error);
        }
        if (result == SLV_OK) {
            result = print_poses(&character, clip < 0 ? SLV_AT_REST : (uint32_t)clip, argv + 3,
                                 argc - 3, &error);
        }
    }
    if (result != SLV_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
    }
    slv_character_free(&character);
    return (int)result;
}
