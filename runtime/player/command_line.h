// SPDX-License-Identifier: MIT
// What selvage-play was asked to do.
#ifndef SLV_PLAYER_COMMAND_LINE_H
#define SLV_PLAYER_COMMAND_LINE_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"
#include "tools/common/options.h"

#define SLV_PLAY_MAX_FILES 256u

// Values of the command line that stand before those of the scene, where they were given.
typedef struct slv_play_overrides {
    int solver; // index into the solvers' names
    uint64_t inner, outer, steps_per_frame;
    double relaxation, timestep, damping;
    bool damped_jacobi, no_integration;
    bool solver_given, inner_given, outer_given, steps_given;
    bool relaxation_given, timestep_given, damping_given;
} slv_play_overrides;

typedef struct slv_play_request {
    const char *files[SLV_PLAY_MAX_FILES]; // a scene, or packs
    size_t file_count;                     // 0: nothing to do (--help, --version)
    bool headless;
    bool json, quiet;
    uint64_t frames;
    uint64_t threads; // 0 = one per processor
    const char *backend;
    const char *instruction_set; // NULL = the best here
    const char *fixed;           // for packs: numbers and sets, separated by commas; NULL = none
    const char *report;          // files to write; NULL = none
    const char *export_csv;
    const char *depfile;
    slv_play_overrides overrides;
} slv_play_request;

// Prints help or version itself, where asked for.
slv_result slv_play_read_command_line(int argc, char **argv, slv_common_options *common,
                                      slv_play_request *request, slv_error *error);

// Writes what the command line says over a definition and the steps of a frame.
void slv_play_override(const slv_play_request *request, slv_world_def *def,
                       uint32_t *steps_per_frame);

#endif
