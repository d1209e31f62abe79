// SPDX-License-Identifier: MIT
// selvage-bench: the red-black paper's table for a device: iterations of each solver within 1, 2, 4 and 8 ms on a
// cloth of 10,000 particles.
#include "bench/bench_cloth.h"
#include "bench/bench_report.h"
#include "tools/common/console.h"
#include "tools/common/options.h"

#include <selvage/selvage.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INNER = 4, BUDGETS = 4, LINES = 3, MOST_OUTER = 10000 };

static const double budgets_ms[BUDGETS] = {1, 2, 4, 8};

typedef struct line {
    slv_solver solver;
    bool damped;
    const char *name;
    int paper[BUDGETS]; // GS on the paper's CPU, the others on its GTX 970
} line;

static const line lines[LINES] = {
    {SLV_PD_GS, false, "Gauss-Seidel", {1, 2, 4, 9}},
    {SLV_PD_JACOBI, true, "Jacobi, damped", {9, 19, 32, 70}},
    {SLV_PD_RBGS, false, "red-black", {5, 11, 22, 45}},
};

typedef struct request {
    const char *backend, *device, *json_path;
    uint64_t side, threads;
} request;

// --- Measuring ---------------------------------------------------------------------------------------

static slv_result open_world(const request *r, const line *l, slv_world **world, slv_error *error) {
    char message[600] = "";
    slv_world_def def = slv_default_world_def();
    def.backend = r->backend;
    def.device = r->device;
    def.threads = (uint32_t)r->threads;
    def.keep_state = false; // excludes the time of reading back
    def.parameters.solver = l->solver;
    def.parameters.damped_jacobi = l->damped;
    def.parameters.inner_iterations = INNER;
    if (slv_world_create(&def, world, message, sizeof message) != SLV_OK) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "%s", message);
    }
    const slv_result status = slv_bench_add_cloth(*world, (uint32_t)r->side);
    return status == SLV_OK
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_MEMORY, "%s", slv_world_get_message(*world));
}

// Milliseconds of a step with `outer` outer iterations, the fastest of several; negative on failure.
static double time_step(slv_world *world, uint32_t outer) {
    slv_parameters parameters = slv_world_get_parameters(world);
    double best = 1e9;
    double spent = 0;
    parameters.outer_iterations = outer;
    if (slv_world_set_parameters(world, &parameters) != SLV_OK) {
        return -1;
    }
    for (int n = 0; n < 2 || (n < 40 && spent < 300); n++) {
        const double begin = slv_bench_clock();
        if (slv_world_step(world, 1) != SLV_OK) {
            return -1;
        }
        const double taken = 1e3 * (slv_bench_clock() - begin);
        spent += taken;
        best = taken < best ? taken : best;
    }
    return best;
}

// Outer iterations within a budget: estimated from two counts, then reduced until the time fits.
static uint32_t fit(slv_world *world, double budget, double one, double many, uint32_t count) {
    double slope = fmax((many - one) / (count - 1), 1e-6);
    double guess = floor(1 + (budget - one) / slope);
    for (int n = 0; n < 6 && guess >= 1; n++) {
        guess = fmin(guess, MOST_OUTER);
        double taken = time_step(world, (uint32_t)guess);
        if (taken <= budget) {
            return (uint32_t)guess;
        }
        guess = fmin(guess - 1, floor(guess * budget / taken));
    }
    return 0;
}

static slv_result measure(slv_world *world, int found[BUDGETS], slv_error *error) {
    const uint32_t count = 9;
    double one = time_step(world, 1);
    double many = time_step(world, count);
    if (one < 0 || many < 0) {
        return slv_fail(error, SLV_ERROR_MEMORY, "%s", slv_world_get_message(world));
    }
    for (int b = 0; b < BUDGETS; b++) {
        found[b] = (int)(INNER * fit(world, budgets_ms[b], one, many, count));
    }
    return SLV_OK;
}

// --- Reporting -----------------------------------------------------------------------------------------

static void print_table(const request *r, const char *device, int found[LINES][BUDGETS]) {
    (void)printf("%llu x %llu particles, %d inner iterations per outer iteration, on %s\n\n",
                 (unsigned long long)r->side, (unsigned long long)r->side, INNER, device);
    (void)printf("| iterations within | 1 ms | 2 ms | 4 ms | 8 ms |\n|---|---:|---:|---:|---:|\n");
    for (int l = 0; l < LINES; l++) {
        (void)printf("| %s, measured |", lines[l].name);
        for (int b = 0; b < BUDGETS; b++) {
            (void)printf(" %d |", found[l][b]);
        }
        (void)printf("\n| paper, 100 x 100, %s |", l == 0 ? "CPU" : "GTX 970");
        for (int b = 0; b < BUDGETS; b++) {
            (void)printf(" %d |", lines[l].paper[b]);
        }
        (void)puts("");
    }
}

static slv_result write_json(const request *r, const char *device, int found[LINES][BUDGETS],
                             slv_error *error) {
    FILE *file = fopen(r->json_path, "w");
    if (!file) {
        return slv_fail(error, SLV_ERROR_FILE, "%.300s: cannot be written", r->json_path);
    }
    (void)fprintf(file, "{\"device\": \"%s\", \"side\": %llu, \"budgetsMs\": [1, 2, 4, 8]", device,
                  (unsigned long long)r->side);
    for (int l = 0; l < LINES; l++) {
        (void)fprintf(file, ",\n \"%s\": [%d, %d, %d, %d]", slv_solver_get_name(lines[l].solver),
                      found[l][0], found[l][1], found[l][2], found[l][3]);
    }
    (void)fputs("}\n", file);
    return fclose(file) == 0
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_FILE, "%.300s: cannot be written", r->json_path);
}

static slv_result run(const request *r, slv_console *console, slv_error *error) {
    int found[LINES][BUDGETS] = {{0}};
    char device[256] = "";
    slv_result result = SLV_OK;
    for (int l = 0; l < LINES && result == SLV_OK; l++) {
        slv_world *world = NULL;
        result = open_world(r, &lines[l], &world, error);
        if (result == SLV_OK) {
            slv_world_device about = slv_world_get_device(world);
            (void)snprintf(device, sizeof device, "%s: %.200s", about.backend, about.device);
            if (l == 0 && about.note[0]) {
                slv_console_warning(console, NULL, "%s", about.note);
            }
            slv_console_progress(console, lines[l].name, (uint64_t)l + 1, LINES);
            result = measure(world, found[l], error);
        }
        slv_world_destroy(world);
    }
    slv_console_progress_end(console);
    if (result == SLV_OK) {
        print_table(r, device, found);
    }
    return result == SLV_OK && r->json_path ? write_json(r, device, found, error) : result;
}

// --- The program -------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    static const char *const backends[] = {"auto", "cpu", "opencl", "cuda", NULL};
    int backend = 0;
    request r = {.side = 100};
    slv_console console = {.program = "selvage-bench"};
    slv_common_options common = {.help = false};
    slv_error error = {0};
    slv_option rows[] = {
        {.type = SLV_OPTION_CHOICE,
         .name = "--backend",
         .argument = "NAME",
         .choices = backends,
         .help = "cpu, opencl, cuda or auto. Default: auto.",
         .value = &backend},
        {.type = SLV_OPTION_TEXT,
         .name = "--device",
         .argument = "WHICH",
         .help = "Of several, by its number or part of its name. Default: the best.",
         .value = &r.device},
        {.type = SLV_OPTION_COUNT,
         .name = "--size",
         .argument = "N",
         .help = "Particles along a side of the cloth, 2 to 4000. Default: 100, the paper's.",
         .value = &r.side,
         .min = 2,
         .max = 4000},
        {.type = SLV_OPTION_TEXT,
         .name = "--output",
         .argument = "FILE.json",
         .help = "Write the figures to a file too.",
         .value = &r.json_path},
        {.name = NULL},
    };
    const slv_program program = {
        .name = "selvage-bench",
        .synopsis = "[options]",
        .summary =
            "How many iterations of each solver fit into 1, 2, 4 and 8 ms here: the table of "
            "the red-black paper.",
        .epilogue = "Example:\n  selvage-bench --backend cuda --output gpu.json",
        .options = rows,
        .common = &common,
    };
    const char *files[1];
    size_t file_count = 0;
    slv_result result = slv_options_parse(&program, argc, argv, files, 1, &file_count, &error);
    console.quiet = common.quiet;
    r.backend = backends[backend];
    if (result == SLV_OK && file_count > 0) {
        result = slv_fail(&error, SLV_ERROR_ARGUMENT,
                          "'%.100s': nothing to read is expected; --help "
                          "says more",
                          files[0]);
    }
    if (result == SLV_OK && (common.help || common.version)) {
        (common.help ? slv_options_print_help : slv_options_print_version)(&program);
        return 0;
    }
    r.threads = common.threads;
    if (result == SLV_OK) {
        result = run(&r, &console, &error);
    }
    if (result != SLV_OK) {
        slv_console_error(&console, NULL, "%s", error.text);
    }
    return (int)result;
}
