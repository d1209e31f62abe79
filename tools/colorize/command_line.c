// SPDX-License-Identifier: MIT
#include "tools/colorize/command_line.h"

#include "tools/common/memory_limit.h"

static const char SUMMARY[] =
    "Colors a garment pack, so that all work of one color can be done at once: no two particles of "
    "a color are joined, no two constraints of a color share a particle. Writes the pack anew with "
    "each color in one piece, ordered for locality.";

static const char EPILOGUE[] =
    "Examples:\n"
    "  selvage-colorize shirt.slv -o shirt-colored.slv\n"
    "  selvage-colorize ball.slv -o ball-gpu.slv --scheme phantom\n"
    "  selvage-colorize shirt.slv -o out.slv --scheme greedy --of constraints --svg shirt.svg";

slv_result slv_colorize_parse(int argc, char **argv, slv_colorize_options *options,
                              slv_common_options *common, slv_error *error) {
    static const char *const schemes[] = {"auto", "red-black", "greedy", "phantom", "hybrid", NULL};
    static const char *const whats[] = {"particles", "constraints", NULL};
    int scheme = (int)options->scheme;
    int what = 0;
    bool what_given = false;
    // clang-format off
    const slv_option table[] = {
        {.type = SLV_OPTION_TEXT, .name = "--output", .letter = 'o', .argument = "OUT.slv",
         .value = &options->output,
         .help = "The garment pack to write."},
        {.type = SLV_OPTION_CHOICE, .name = "--scheme", .choices = schemes, .value = &scheme,
         .help = "red-black: particles by parity, where no cycle is odd. greedy: as few colors as "
                 "smallest-last ordering and exchanging two colors along chains find. phantom: "
                 "fewer colors than constraints share a particle, by giving some of them a copy "
                 "of it. hybrid: the first Q colors as they are, all other constraints averaged. "
                 "auto (the default) chooses and prints the reason."},
        {.type = SLV_OPTION_CHOICE, .name = "--of", .choices = whats, .value = &what,
         .given = &what_given,
         .help = "What is colored; the other keeps the colors it has. Default: both for auto, "
                 "particles for red-black, constraints for the others."},
        {.type = SLV_OPTION_COUNT, .name = "--colors", .argument = "Q",
         .value = &options->colors, .min = 2, .max = 1000000,
         .help = "Colors of each kind of constraint that phantom leaves or hybrid solves, at least "
                 "2. Default: half the clique number."},
        {.type = SLV_OPTION_TEXT, .name = "--svg", .argument = "FILE.svg", .value = &options->svg,
         .help = "Draws the garment with its partitions in color, and their sizes."},
        {.type = SLV_OPTION_COUNT, .name = "--memory-limit", .argument = "MiB",
         .value = &options->memory_limit, .min = 1, .max = 1e9,
         .help = SLV_MEMORY_LIMIT_HELP},
        {.type = SLV_OPTION_FLAG, .name = NULL},
    };
    // clang-format on
    const slv_program program = {.name = "selvage-colorize",
                                 .synopsis = "IN.slv -o OUT.slv [options]",
                                 .summary = SUMMARY,
                                 .epilogue = EPILOGUE,
                                 .options = table,
                                 .common = common};
    const slv_result result = slv_options_read(&program, argc, argv, &options->input, error);
    options->scheme = (slv_scheme)scheme;
    if (what_given) {
        options->of = what == 0 ? SLV_OF_PARTICLES : SLV_OF_CONSTRAINTS;
    }
    options->depfile = common->depfile;
    return result;
}
