// SPDX-License-Identifier: MIT
#include "runtime/player/command_line.h"

#include <string.h>

enum { OPTION_ROWS = 22 };

static void fill_rows(slv_play_request *r, const char *const *solvers,
                      slv_option rows[OPTION_ROWS]) {
    slv_play_overrides *o = &r->overrides;
    const slv_option table[OPTION_ROWS] = {
        {.name = "--headless",
         .help = "Run as fast as possible, without a window.",
         .value = &r->headless},
        {.type = SLV_OPTION_COUNT,
         .name = "--frames",
         .argument = "N",
         .help = "Frames to run, 0 to 100000000. Default: 100.",
         .value = &r->frames,
         .max = 1e8},
        {.type = SLV_OPTION_TEXT,
         .name = "--report",
         .argument = "FILE.json",
         .help = "Write what was measured in every frame.",
         .value = &r->report},
        {.type = SLV_OPTION_TEXT,
         .name = "--export",
         .argument = "FILE.csv",
         .help = "Write the positions of all particles in every frame, in own order.",
         .value = &r->export_csv},
        {.type = SLV_OPTION_TEXT,
         .name = "--fixed",
         .argument = "LIST",
         .help = "For packs: particles that never move, as numbers in own order and names of sets, "
                 "separated by commas. A scene says it itself. Default: none.",
         .value = &r->fixed},
        {.type = SLV_OPTION_HEADING, .help = "Where it runs"},
        {.type = SLV_OPTION_TEXT,
         .name = "--backend",
         .argument = "NAME",
         .help = "cpu, or auto for the best there is. Default: cpu.",
         .value = &r->backend},
        {.type = SLV_OPTION_TEXT,
         .name = "--instruction-set",
         .argument = "NAME",
         .help = "baseline, avx2 or avx512: for comparisons. All give the same bits. Default: the "
                 "best here.",
         .value = &r->instruction_set},
        {.type = SLV_OPTION_HEADING, .help = "In place of what the scene says"},
        {.type = SLV_OPTION_CHOICE,
         .name = "--solver",
         .argument = "NAME",
         .choices = solvers,
         .help = "PD_GS, PD_JACOBI, PD_RBGS, PBD_JACOBI or PBD_GS.",
         .value = &o->solver,
         .given = &o->solver_given},
        {.type = SLV_OPTION_COUNT,
         .name = "--inner",
         .argument = "N",
         .help = "Inner iterations, 0 to 10000.",
         .value = &o->inner,
         .given = &o->inner_given,
         .max = 10000},
        {.type = SLV_OPTION_COUNT,
         .name = "--outer",
         .argument = "N",
         .help = "Outer iterations, 0 to 10000.",
         .value = &o->outer,
         .given = &o->outer_given,
         .max = 10000},
        {.type = SLV_OPTION_NUMBER,
         .name = "--relaxation",
         .argument = "W",
         .help = "Over-relaxation, above 0 and below 2.",
         .value = &o->relaxation,
         .given = &o->relaxation_given,
         .max = 2,
         .min_open = true},
        {.type = SLV_OPTION_NUMBER,
         .name = "--timestep",
         .argument = "SECONDS",
         .help = "Length of a step, above 0 and at most 1.",
         .value = &o->timestep,
         .given = &o->timestep_given,
         .max = 1,
         .min_open = true},
        {.type = SLV_OPTION_COUNT,
         .name = "--steps-per-frame",
         .argument = "N",
         .help = "Steps in a frame, 1 to 10000.",
         .value = &o->steps_per_frame,
         .given = &o->steps_given,
         .min = 1,
         .max = 10000},
        {.type = SLV_OPTION_NUMBER,
         .name = "--damping",
         .argument = "RATE",
         .help = "Share of velocity lost per second, 0 to 1e6.",
         .value = &o->damping,
         .given = &o->damping_given,
         .max = 1e6},
        {.name = "--damped-jacobi",
         .help = "PD_JACOBI divides its update by the number of constraints too.",
         .value = &o->damped_jacobi},
        {.name = "--no-integration",
         .help = "Only the solver moves particles.",
         .value = &o->no_integration},
        {.name = NULL},
    };
    memcpy(rows, table, sizeof table);
}

static slv_result check_request(const slv_play_request *request, slv_error *error) {
    if (request->file_count == 0) {
        return slv_fail(error, SLV_ERROR_USAGE,
                        "what should be played? Usage: selvage-play SCENE.json --headless; --help "
                        "says more");
    }
    if (!request->headless) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "this build has no window; use --headless");
    }
    if (request->depfile && !request->report && !request->export_csv) {
        return slv_fail(error, SLV_ERROR_USAGE,
                        "--depfile: is about the files of --report and --export");
    }
    if (request->report && request->export_csv &&
        strcmp(request->report, request->export_csv) == 0) {
        return slv_fail(error, SLV_ERROR_USAGE, "--report and --export name the same file");
    }
    return SLV_OK;
}

slv_result slv_play_read_command_line(int argc, char **argv, slv_common_options *common,
                                      slv_play_request *request, slv_error *error) {
    *request = (slv_play_request){.frames = 100, .backend = "cpu"};
    const char *solvers[SLV_SOLVER_COUNT + 1] = {NULL};
    for (int i = 0; i < SLV_SOLVER_COUNT; i++) {
        solvers[i] = slv_solver_name((slv_solver)i);
    }
    slv_option rows[OPTION_ROWS];
    fill_rows(request, solvers, rows);
    const slv_program program = {
        .name = "selvage-play",
        .synopsis = "SCENE.json --headless [--frames N] [options]\n"
                    "PACK… --headless [--fixed LIST] [options]",
        .summary = "Plays the garments of a scene, or packs as they are.",
        .epilogue = "Examples:\n"
                    "  selvage-play hanging-cloth.json --headless --frames 600 --report run.json\n"
                    "  selvage-play cape.slv --headless --fixed collar --export cape.csv\n"
                    "  selvage-play hanging-cloth.json --headless --solver PD_GS --relaxation 1.7",
        .options = rows,
        .common = common,
    };
    slv_result result = slv_options_parse(&program, argc, argv, request->files, SLV_PLAY_MAX_FILES,
                                          &request->file_count, error);
    if (result != SLV_OK) {
        return result;
    }
    if (common->help || common->version) {
        request->file_count = 0;
        (common->help ? slv_options_print_help : slv_options_print_version)(&program);
        return SLV_OK;
    }
    request->json = common->json;
    request->quiet = common->quiet;
    request->threads = common->threads;
    request->depfile = common->depfile;
    return check_request(request, error);
}

void slv_play_override(const slv_play_request *request, slv_world_def *def,
                       uint32_t *steps_per_frame) {
    const slv_play_overrides *o = &request->overrides;
    slv_parameters *p = &def->parameters;
    def->backend = request->backend;
    def->instruction_set = request->instruction_set;
    def->threads = (uint32_t)request->threads;
    def->time_step = o->timestep_given ? o->timestep : def->time_step;
    p->solver = o->solver_given ? (slv_solver)o->solver : p->solver;
    p->inner_iterations = o->inner_given ? (uint32_t)o->inner : p->inner_iterations;
    p->outer_iterations = o->outer_given ? (uint32_t)o->outer : p->outer_iterations;
    p->relaxation = o->relaxation_given ? (float)o->relaxation : p->relaxation;
    p->damping = o->damping_given ? (float)o->damping : p->damping;
    p->damped_jacobi = o->damped_jacobi || p->damped_jacobi;
    p->integrate = !o->no_integration && p->integrate;
    *steps_per_frame = o->steps_given ? (uint32_t)o->steps_per_frame : *steps_per_frame;
}
