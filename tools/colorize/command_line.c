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
    static const char *const whats[] = {"particles", "constraints", NULL};
    int scheme = (int)options->scheme;
    int what = 0;
    bool what_given = false;
    // clang-format off
    const slv_option table[] = {
        {.type = SLV_OPTION_TEXT, .name = "--output", .letter = 'o', .argument = "OUT.slv",
         .value = &options->output,
         .help = "The garment pack to write."},
        {.type = SLV_OPTION_CHOICE, .name = "--scheme", .choices = slv_scheme_names, .value = &scheme,
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
        {.type = SLV_OPTION_NUMBER, .name = "--factor", .argument = "SECONDS",
         .value = &options->factor.time_step, .min = 0, .max = 1, .min_open = true,
         .help = "Stores the factor L D L' of the matrix of the solvers MS_CONSTANT_MATRIX and "
                 "MS_LOCAL_GLOBAL, for steps of that time. It serves scenes with this time step and "
                 "what the next options say; other scenes solve the matrix by iteration."},
        {.type = SLV_OPTION_NUMBER, .name = "--factor-mass", .argument = "KG",
         .value = &options->factor.particle_mass, .min = 0, .max = 1e6, .min_open = true,
         .help = "The scene's particleMass. Default: masses of the pack."},
        {.type = SLV_OPTION_NUMBER, .name = "--factor-stiffness", .argument = "N/M",
         .value = &options->factor.stretch, .min = 0, .max = 1e12, .min_open = true,
         .help = "The scene's stiffness. Default: that of the pack's materials."},
        {.type = SLV_OPTION_NUMBER, .name = "--factor-shear", .argument = "N/M",
         .value = &options->factor.shear, .min = 0, .max = 1e12,
         .help = "The scene's shearStiffness. Default: 0, none."},
        {.type = SLV_OPTION_NUMBER, .name = "--factor-bending", .argument = "N/M",
         .value = &options->factor.bending, .min = 0, .max = 1e12,
         .help = "The scene's bendingStiffness. Default: 0, none."},
        {.type = SLV_OPTION_NUMBER, .name = "--factor-damping", .argument = "SECONDS",
         .value = &options->factor.damping, .min = 0, .max = 1000,
         .help = "The scene's springDamping. Default: 0."},
        {.type = SLV_OPTION_TEXT, .name = "--factor-fixed", .argument = "LIST",
         .value = &options->factor.fixed,
         .help = "The scene's fixed particles: numbers and names of sets, with commas between them. "
                 "Default: none but those without mass."},
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
