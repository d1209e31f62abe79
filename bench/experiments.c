// SPDX-License-Identifier: MIT
// Both experiments of the red-black paper (section 6.1) on this machine:
//   experiments fits FOLDER OUT [--quick]      iterations within a time budget; needs an idle machine
//   experiments curves FOLDER OUT [--quick]    residuals; the same on every machine for equal fits
//   experiments steps FOLDER OUT [--quick]     equal iterations per second with smaller steps
// FOLDER holds the scenes enlarged-cloth.json and hanging-cloth.json with their pack. Files written to OUT:
//   budgets.csv           iterations within a budget, and the measured time of a step
//   NAME-iterations.csv   residual against inner iterations, one column per solver
//   NAME-budgets.csv      residual after every frame, with the iterations that fit a budget
//   steps.csv             stretch and time by step length
// bench/plot.py draws them and writes a table.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_report.h"
#include "runtime/include/selvage/selvage.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct variant {
    const char *name;
    slv_solver solver;
    bool damped;
    float relaxation;
} variant;

static const variant variants[] = {
    {"gs", SLV_PD_GS, false, 1.0f},
    {"jacobi", SLV_PD_JACOBI, false, 1.0f},
    {"jacobi-damped", SLV_PD_JACOBI, true, 1.0f},
    {"rbgs", SLV_PD_RBGS, false, 1.0f},
    {"rbgs-sor", SLV_PD_RBGS, false, 1.7f},
};
enum { VARIANTS = sizeof variants / sizeof *variants, GS = 0, RBGS = 3 };

typedef struct experiment {
    const char *name;    // of its scene and its files
    uint32_t iterations; // end of the paper's axis
} experiment;

static const experiment experiments[] = {{"enlarged-cloth", 17000}, {"hanging-cloth", 60000}};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

static const double budgets_ms[] = {1, 2, 4, 8}; // of the solver, per step
enum { BUDGETS = sizeof budgets_ms / sizeof *budgets_ms };

#define INNER 4u           // inner iterations in an outer one
#define STEPS_PER_FRAME 8u // as in the paper
#define SAMPLES 250u       // rows of a CSV, at most

#define ROUNDS 5 // of measuring each budget

typedef struct fit { // within a budget
    uint32_t iterations;
    double step_ms; // measured with these iterations
} fit;

typedef struct bench {
    const char *folder;
    const char *out;
    bool quick;
    uint32_t iterations[VARIANTS][BUDGETS]; // that fit
} bench;

// --- Helpers -------------------------------------------------------------------------------------

static void stop(const char *what, const char *why) {
    (void)fprintf(stderr, "experiments: error: %s: %s\n", what, why);
    exit(1);
}

// OUT/name-ending.csv
static FILE *open_csv(const bench *b, const char *name, const char *ending, const char *mode) {
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s%s.csv", b->out, name, ending);
    FILE *file = fopen(path, mode);
    if (file == NULL) {
        stop(path, strerror(errno));
    }
    return file;
}

static void close_file(FILE *file, const char *name) {
    if (fclose(file) != 0) {
        stop(name, "cannot be written");
    }
}

// Times are measured with all threads. Curves use one thread: the bits are the same and other programs disturb it
// least.
enum { ALL_THREADS = 0, ONE_THREAD = 1 };

static slv_world *make_world_with(const bench *b, const char *name, const variant *v,
                                  uint32_t threads, double time_step) {
    char path[1024];
    char message[512] = "";
    (void)snprintf(path, sizeof path, "%s/%s.json", b->folder, name);
    slv_scene *scene = NULL;
    slv_world *world = NULL;
    if (slv_scene_load(path, &scene, message, sizeof message) != SLV_OK) {
        stop("scene", message);
    }
    slv_world_def def = slv_scene_get_world_def(scene);
    def.parameters.solver = v->solver;
    def.parameters.damped_jacobi = v->damped;
    def.parameters.relaxation = v->relaxation;
    def.threads = threads;
    def.time_step = time_step > 0 ? time_step : def.time_step;
    if (slv_scene_create_world(scene, &def, &world, message, sizeof message) != SLV_OK) {
        stop("world", message);
    }
    slv_scene_destroy(scene);
    return world;
}

static slv_world *make_world(const bench *b, const char *name, const variant *v, uint32_t threads) {
    return make_world_with(b, name, v, threads, 0); // step length of the scene
}

// Sets the total of inner iterations: whole outer ones, or less than one.
static void set_iterations(slv_world *world, uint32_t iterations) {
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.inner_iterations = iterations < INNER ? iterations : INNER;
    parameters.outer_iterations = iterations < INNER ? 1 : iterations / INNER;
    if (slv_world_set_parameters(world, &parameters) != SLV_OK) {
        stop("parameters", slv_world_get_message(world));
    }
}

static void must_step(slv_world *world) {
    if (slv_world_step(world, 1) != SLV_OK) {
        stop("step", slv_world_get_message(world));
    }
}

// Fills rows with the residual now and after every `steps` steps. A solver with too few iterations may diverge; rows
// are NaN from there on.
static void record(slv_world *world, uint32_t steps, double *rows, uint32_t count) {
    slv_result status = SLV_OK;
    for (uint32_t i = 0; i < count; i++) {
        slv_measures measures = {0};
        if (i > 0 && status == SLV_OK) {
            status = slv_world_step(world, steps);
        }
        if (status == SLV_OK) {
            status = slv_world_get_measures(world, &measures);
        }
        rows[i] = status == SLV_OK ? measures.residual : (double)NAN;
    }
}

static void print_cells(FILE *file, const double *values, size_t stride) {
    for (size_t v = 0; v < VARIANTS; v++) {
        const double value = values[v * stride];
        if (isnan(value)) {
            (void)fprintf(file, ",");
        } else {
            (void)fprintf(file, ",%.6g", value);
        }
    }
}

// --- Residual against iterations -----------------------------------------------------------------

// Fills rows[count] with the residual every `steps` steps of 4 x 4 iterations.
static void record_iterations(const bench *b, const experiment *e, const variant *v, uint32_t steps,
                              double *rows, uint32_t count) {
    slv_world *world = make_world(b, e->name, v, ONE_THREAD);
    set_iterations(world, 4 * INNER);
    record(world, steps, rows, count);
    slv_world_destroy(world);
}

static int compare_doubles(const void *a, const void *b) {
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

// Prints how far RBGS and GS differ; both must converge at the same rate.
static void compare_curves(const experiment *e, double rows[VARIANTS][SAMPLES + 1],
                           uint32_t count) {
    double apart[SAMPLES + 1];
    for (uint32_t i = 0; i < count; i++) {
        const double larger = fmax(rows[GS][i], rows[RBGS][i]);
        apart[i] = larger > 0 ? fabs(rows[GS][i] - rows[RBGS][i]) / larger : 0;
    }
    qsort(apart, count, sizeof *apart, compare_doubles);
    printf("%s: residual after %u iterations:", e->name, e->iterations);
    for (size_t v = 0; v < VARIANTS; v++) {
        printf(" %s %.4g", variants[v].name, rows[v][count - 1]);
    }
    printf("\n%s: RBGS and GS differ by at most %.2f%% of the residual, %.2f%% in the median\n",
           e->name, 100 * apart[count - 1], 100 * apart[count / 2]);
}

static void run_iterations(const bench *b, const experiment *e) {
    static double rows[VARIANTS][SAMPLES + 1];
    const uint32_t all_steps = e->iterations / (4 * INNER);
    const uint32_t steps = (all_steps + SAMPLES - 1) / SAMPLES;
    const uint32_t count = all_steps / steps + 1;
    FILE *file = open_csv(b, e->name, "-iterations", "w");
    (void)fprintf(file, "iterations");
    for (size_t v = 0; v < VARIANTS; v++) {
        record_iterations(b, e, &variants[v], steps, rows[v], count);
        (void)fprintf(file, ",%s", variants[v].name);
    }
    for (uint32_t i = 0; i < count; i++) {
        (void)fprintf(file, "\n%u", i * steps * 4 * INNER);
        print_cells(file, &rows[0][i], SAMPLES + 1);
    }
    (void)fprintf(file, "\n");
    close_file(file, e->name);
    compare_curves(e, rows, count);
}

// --- What fits a budget --------------------------------------------------------------------------

// Milliseconds of the fastest of several steps.
static double quickest_step(slv_world *world, uint32_t iterations, double patience) {
    set_iterations(world, iterations);
    double best = HUGE_VAL;
    const double begin = slv_bench_clock();
    for (int n = 0; n < 5 || slv_bench_clock() - begin < patience; n++) {
        if (slv_world_reset(world) != SLV_OK) { // too few iterations diverge in a long run
            stop("reset", slv_world_get_message(world));
        }
        must_step(world); // warm-up
        const double from = slv_bench_clock();
        must_step(world);
        best = fmin(best, slv_bench_clock() - from);
    }
    return 1e3 * best;
}

static uint32_t whole_outers(double iterations) {
    const double most = fmin(fmax(iterations, 1), 10000.0 * INNER);
    return most < INNER ? (uint32_t)most : (uint32_t)(most / INNER) * INNER;
}

// Estimates from a short step, then adapts the count to the measured time until a step with this count stays within
// the budget.
static fit find_fit(slv_world *world, double budget, double patience) {
    uint32_t iterations =
        whole_outers(8 * INNER * budget / quickest_step(world, 8 * INNER, patience));
    fit best = {.iterations = 1, .step_ms = quickest_step(world, 1, patience)}; // the minimum
    for (int attempt = 0; attempt < 6; attempt++) {
        const double step_ms = quickest_step(world, iterations, patience);
        if (step_ms <= budget && iterations > best.iterations) {
            best = (fit){.iterations = iterations, .step_ms = step_ms};
        }
        iterations = whole_outers(iterations * budget / step_ms);
    }
    return best;
}

static int compare_fits(const void *a, const void *b) {
    const uint32_t left = ((const fit *)a)->iterations;
    const uint32_t right = ((const fit *)b)->iterations;
    return (left > right) - (left < right);
}

// Each round measures all solvers, so that disturbances affect all of them.
static void measure_fits(const bench *b, fit fits[VARIANTS][BUDGETS][ROUNDS]) {
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t v = 0; v < VARIANTS; v++) {
            slv_world *world = make_world(b, "hanging-cloth", &variants[v], ALL_THREADS);
            for (size_t i = 0; i < BUDGETS; i++) {
                fits[v][i][round] = find_fit(world, budgets_ms[i], b->quick ? 0.01 : 0.04);
            }
            slv_world_destroy(world);
        }
    }
}

// Reports the median round and the range of the others.
static void run_fits(const bench *b) {
    static fit fits[VARIANTS][BUDGETS][ROUNDS];
    measure_fits(b, fits);
    FILE *file = open_csv(b, "budgets", "", "w");
    (void)fprintf(file, "solver,budgetMs,iterations,stepMs,fewest,most\n");
    for (size_t v = 0; v < VARIANTS; v++) {
        printf("%-14s iterations within", variants[v].name);
        for (size_t i = 0; i < BUDGETS; i++) {
            fit *f = fits[v][i];
            qsort(f, ROUNDS, sizeof *f, compare_fits);
            const fit middle = f[ROUNDS / 2];
            (void)fprintf(file, "%s,%g,%u,%.4f,%u,%u\n", variants[v].name, budgets_ms[i],
                          middle.iterations, middle.step_ms, f[0].iterations,
                          f[ROUNDS - 1].iterations);
            printf("%s %g ms: %u (%u to %u)", i ? "," : "", budgets_ms[i], middle.iterations,
                   f[0].iterations, f[ROUNDS - 1].iterations);
        }
        printf("\n");
    }
    close_file(file, "budgets.csv");
}

// Reads the iterations back, row by row as run_fits wrote them.
static void read_fits(bench *b) {
    FILE *file = open_csv(b, "budgets", "", "r");
    char row[256];
    bool good = fgets(row, sizeof row, file) != NULL;
    for (size_t n = 0; n < (size_t)VARIANTS * BUDGETS && good; n++) {
        good = fgets(row, sizeof row, file) != NULL;
        const char *comma = good ? strchr(row, ',') : NULL;
        comma = comma ? strchr(comma + 1, ',') : NULL;
        const unsigned long iterations = comma ? strtoul(comma + 1, NULL, 10) : 0;
        good = iterations > 0 && iterations <= 10000 * INNER;
        b->iterations[n / BUDGETS][n % BUDGETS] = (uint32_t)iterations;
    }
    if (!good) {
        stop("budgets.csv", "is not as `experiments fits` writes it");
    }
    (void)fclose(file);
}

// --- Residual against time -----------------------------------------------------------------------

static void record_budget(const bench *b, const experiment *e, size_t v, size_t budget,
                          uint32_t frames, double *rows) {
    slv_world *world = make_world(b, e->name, &variants[v], ONE_THREAD);
    set_iterations(world, b->iterations[v][budget]);
    record(world, STEPS_PER_FRAME, rows, frames + 1);
    slv_world_destroy(world);
}

static void run_budgets(const bench *b, const experiment *e) {
    enum { FRAMES = 75 }; // 600 steps: 1.2 seconds of cloth
    static double rows[VARIANTS][FRAMES + 1];
    const uint32_t frames = b->quick ? FRAMES / 3 : FRAMES;
    FILE *file = open_csv(b, e->name, "-budgets", "w");
    (void)fprintf(file, "budgetMs,frame");
    for (size_t v = 0; v < VARIANTS; v++) {
        (void)fprintf(file, ",%s", variants[v].name);
    }
    for (size_t i = 0; i < BUDGETS; i++) {
        for (size_t v = 0; v < VARIANTS; v++) {
            record_budget(b, e, v, i, frames, rows[v]);
        }
        for (uint32_t frame = 0; frame <= frames; frame++) {
            (void)fprintf(file, "\n%g,%u", budgets_ms[i], frame);
            print_cells(file, &rows[0][frame], FRAMES + 1);
        }
    }
    (void)fprintf(file, "\n");
    close_file(file, e->name);
}

// --- Small steps ---------------------------------------------------------------------------------

// 8000 inner iterations per simulated second for every step length (Macklin et al., Small Steps in Physics
// Simulation, 2019).
typedef struct cut {
    double step_ms;
    uint32_t outer, inner;
} cut;

static const cut cuts[] = {{2, 4, 4}, {1, 2, 4}, {0.5, 1, 4}, {0.25, 1, 2}, {0.125, 1, 1}};

// 1.5 s of the hanging cloth: largest stretch of a spring, and time taken.
static void run_cut(const bench *b, FILE *file, const variant *v, const cut *c) {
    const uint32_t looks = b->quick ? 30 : 90;
    const uint32_t steps = (uint32_t)(1500.0 / 90.0 / c->step_ms + 0.5);
    slv_world *world = make_world_with(b, "hanging-cloth", v, ONE_THREAD, c->step_ms / 1e3);
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.outer_iterations = c->outer;
    parameters.inner_iterations = c->inner;
    slv_result status = slv_world_set_parameters(world, &parameters);
    double stretch = 0.0;
    double taken = 0.0;
    for (uint32_t n = 0; n < looks && status == SLV_OK; n++) {
        slv_measures measures = {0};
        const double begin = slv_bench_clock();
        status = slv_world_step(world, steps);
        taken += slv_bench_clock() - begin;
        if (status == SLV_OK) {
            status = slv_world_get_measures(world, &measures);
        }
        stretch = fmax(stretch, measures.max_stretch);
    }
    const double simulated = looks * steps * c->step_ms / 1e3;
    (void)fprintf(file, "%s,%g,%u,%u,", v->name, c->step_ms, c->outer, c->inner);
    if (status == SLV_OK) {
        (void)fprintf(file, "%.4f,%.4f\n", stretch, taken / simulated);
    } else {
        (void)fprintf(file, ",\n"); // diverged
    }
    slv_world_destroy(world);
}

static void run_steps(const bench *b) {
    FILE *file = open_csv(b, "steps", "", "w");
    (void)fprintf(file, "solver,stepMs,outer,inner,maxStretch,secondsPerSecond\n");
    for (size_t v = RBGS; v < VARIANTS; v++) {
        for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
            run_cut(b, file, &variants[v], &cuts[c]);
        }
    }
    close_file(file, "steps.csv");
}

static void print_device(const bench *b) {
    slv_world *world = make_world(b, "hanging-cloth", &variants[RBGS], ALL_THREADS);
    const slv_world_device device = slv_world_get_device(world);
    printf("%s, %u threads\n", device.device, (unsigned)device.threads);
    slv_world_destroy(world);
}

int main(int argc, char **argv) {
    const bool fits = argc > 1 && strcmp(argv[1], "fits") == 0;
    const bool curves = argc > 1 && strcmp(argv[1], "curves") == 0;
    const bool steps = argc > 1 && strcmp(argv[1], "steps") == 0;
    const bool quick = argc == 5 && strcmp(argv[4], "--quick") == 0;
    if ((!fits && !curves && !steps) || argc < 4 || (argc > 4 && !quick)) {
        (void)fprintf(stderr, "usage: experiments fits|curves|steps FOLDER OUT [--quick]\n");
        return 1;
    }
    bench b = {.folder = argv[2], .out = argv[3], .quick = quick};
    if (fits) {
        print_device(&b);
        run_fits(&b);
        return 0;
    }
    if (steps) {
        run_steps(&b);
        return 0;
    }
    read_fits(&b);
    for (size_t e = 0; e < EXPERIMENTS; e++) {
        run_iterations(&b, &experiments[e]);
        run_budgets(&b, &experiments[e]);
    }
    return 0;
}
