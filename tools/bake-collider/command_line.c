// SPDX-License-Identifier: MIT
#include "tools/bake-collider/command_line.h"

#include "tools/common/import_option_rows.h"

static const char SUMMARY[] =
    "Samples an animated character and writes the particles of its surface, frame by frame, into "
    "a collider pack. Reads glTF, FBX, Collada, other formats of Assimp, and numbered OBJ files.";

static const char EPILOGUE[] =
    "Examples:\n"
    "  selvage-bake-collider man.glb -o man.slv --clip walk --radius 0.015\n"
    "  selvage-bake-collider man.fbx -o man.slv --fps 60 --with-mesh\n"
    "  selvage-bake-collider walk_0001.obj -o walk.slv --fps 24 --particles 8000\n"
    "  selvage-bake-collider man.glb -o man.slv --attach skirt.json --error 0.5";

slv_result slv_bake_parse(int argc, char **argv, slv_bake_options *options,
                          slv_common_options *common, slv_error *error) {
    // clang-format off
    const slv_option table[] = {
        {.type = SLV_OPTION_TEXT, .name = "--output", .letter = 'o', .argument = "OUT.slv",
         .value = &options->pack,
         .help = "The collider pack to write."},
        {.type = SLV_OPTION_TEXT, .name = "--clip", .argument = "NAME|INDEX",
         .value = &options->clip,
         .help = "Which animation to play, by its name or its number from 0. Default: the first."},
        {.type = SLV_OPTION_NUMBER, .name = "--fps", .argument = "F",
         .value = &options->rate, .min = 1e-6, .max = 1e6,
         .help = "Frames per second; of OBJ files, how fast they follow one another. Default: 30."},
        {.type = SLV_OPTION_NUMBER, .name = "--start", .argument = "T",
         .value = &options->start, .min = -1e9, .max = 1e9,
         .help = "Seconds on the clip's own time line. Default: 0, or its first key if that is "
                 "earlier."},
        {.type = SLV_OPTION_NUMBER, .name = "--end", .argument = "T",
         .value = &options->end, .min = -1e9, .max = 1e9,
         .help = "Seconds on the same time line. Default: its last key."},

        {.type = SLV_OPTION_HEADING, .help = "Particles"},
        {.type = SLV_OPTION_NUMBER, .name = "--radius", .argument = "R",
         .value = &options->radius, .min_open = true, .max = 1e6,
         .help = "Of each particle, metres; as many are placed as the surface needs."},
        {.type = SLV_OPTION_COUNT, .name = "--particles", .argument = "N",
         .value = &options->particles, .min = 1, .max = 1e7,
         .help = "In place of --radius: about how many; the radius follows. Default: 5000."},
        {.type = SLV_OPTION_NUMBER, .name = "--tolerance", .argument = "SHARE",
         .value = &options->tolerance, .min = 0, .max = 1,
         .help = "No point of the surface is farther than R (1 + SHARE) from a particle, in any "
                 "frame; garment particles of radius R SHARE find no hole. Default: 0.1."},
        {.type = SLV_OPTION_NUMBER, .name = "--error", .argument = "MM",
         .value = &options->error, .min = 1e-4, .max = 1e6,
         .help = "Millimetres that a stored position may be off. Default: 0.1."},

        {.type = SLV_OPTION_HEADING, .help = "What else goes into the pack"},
        {.type = SLV_OPTION_TEXT, .name = "--attach", .argument = "FILE.json",
         .value = &options->attach,
         .help = "Points of garments to carry along, each bound to the nearest point of the "
                 "character."},
        {.type = SLV_OPTION_FLAG, .name = "--with-mesh", .value = &options->with_mesh,
         .help = "The mesh to draw, frame by frame, within the same error."},

        {.type = SLV_OPTION_HEADING, .help = "The character"},
        SLV_SPACE_OPTION_ROWS(&options->scale, &options->up),
        SLV_PART_OPTION_ROWS(&options->choice, &options->list),
        {.type = SLV_OPTION_FLAG, .name = "--allow-paths", .value = &options->allow_paths,
         .help = "The file may name files outside of its own folder, such as buffers; so may the file of --attach."},
        {.type = SLV_OPTION_FLAG, .name = "--straight-keys", .value = &options->straight_keys,
         .help = "Joins keys that are more than 0.1 s apart by straight lines where the file's "
                 "curves are not known (some Collada); without it such a clip is refused."},

        {.type = SLV_OPTION_HEADING, .help = "Limits"},
        {.type = SLV_OPTION_COUNT, .name = "--memory-limit", .argument = "MiB",
         .value = &options->memory_limit, .min = 1, .max = 1e9,
         .help = "Refuses a character or particles that would take more. Default: 4096."},
        {.type = SLV_OPTION_FLAG, .name = NULL},
    };
    // clang-format on
    const slv_program program = {.name = "selvage-bake-collider",
                                 .synopsis = "CHARACTER -o OUT.slv [options]\n"
                                             "CHARACTER --list [options]",
                                 .summary = SUMMARY,
                                 .epilogue = EPILOGUE,
                                 .options = table,
                                 .common = common};
    const slv_result result = slv_options_read(&program, argc, argv, &options->character, error);
    options->threads = (unsigned)common->threads;
    options->depfile = common->depfile;
    return result;
}
