// SPDX-License-Identifier: MIT
// pose_dump FILE CLIP TIME: prints the vertices of a pose by our importer and evaluation, one "x y
// z" per line, for the scripts that compare them with references. CLIP -1 is the rest pose.
#include "tools/common/character_import.h"
#include "tools/common/character_pose.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    slv_error error = {.code = SLV_OK};
    slv_character character;
    const slv_import_options options = {.undrawn = true};
    slv_pose_scratch room = {0};
    if (argc != 4) {
        return SLV_ERROR_ARGUMENT;
    }
    if (slv_character_import(argv[1], &options, &character, NULL, &error) != SLV_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return (int)error.code;
    }
    const long clip = strtol(argv[2], NULL, 10);
    double *positions = calloc(3 * (size_t)character.vertex_count, sizeof *positions);
    if (!positions || slv_pose_scratch_create(&character, &room, &error) != SLV_OK ||
        clip >= (long)character.clip_count) {
        slv_pose_scratch_free(&room);
        free(positions);
        slv_character_free(&character);
        return SLV_ERROR_MEMORY;
    }
    slv_character_pose(&character, clip < 0 ? SLV_AT_REST : (uint32_t)clip, strtod(argv[3], NULL),
                       &room, positions);
    for (uint32_t v = 0; v < character.vertex_count; v++) {
        const double *p = positions + 3 * (size_t)v;
        printf("%.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    slv_pose_scratch_free(&room);
    free(positions);
    slv_character_free(&character);
    return 0;
}
