// SPDX-License-Identifier: MIT
// Both experiments of the red-black paper (section 6.1) on this machine:
//   experiments FOLDER OUT [--quick]
// FOLDER holds the scenes enlarged-cloth.json and hanging-cloth.json with their pack. Into OUT go
//   NAME-iterations.csv   residual after so many inner iterations, a column per solver
//   NAME-budgets.csv      residual after every frame, with as many iterations as fit a time budget
//   budgets.csv           how many did fit, and the time of a step with them
// bench/plot.py makes pictures and a table of them.
#define _POSIX_C_SOURCE 200809L
#include "runtime/include/selvage/selvage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    uint32_t iterations; // the paper's axis ends here
} experiment;

static const experiment experiments[] = {{"enlarged-cloth", 17000}, {"hanging-cloth", 60000}};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

static const double budgets_ms[] = {1, 2, 4, 8}; // for the solver, in each step
enum { BUDGETS = sizeof budgets_ms / sizeof *budgets_ms };

#define INNER 4u           // inner iterations in an outer one
#define STEPS_PER_FRAME 8u // as in the paper
#define SAMPLES 250u       // rows of a CSV, at most

typedef struct fit { // what a budget allows
    uint32_t inner, outer;
    double step_ms;
} fit;

typedef struct bench {
    const char *folder;
    const char *out;
    bool quick;
    fit fits[VARIANTS][BUDGETS];
} bench;

// --- Helpers -------------------------------------------------------------------------------------

static void stop(const char *what, const char *why) {
    (void)fprintf(stderr, "experiments: error: %s: %s\n", what, why);
    exit(1);
}

static double seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static FILE *create(const bench *b, const char *name, const char *ending) {
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s%s.csv", b->out, name, ending);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        stop(path, "cannot be written");
    }
    return file;
}

static void close_file(FILE *file, const char *name) {
    if (fclose(file) != 0) {
        stop(name, "cannot be written");
    }
}

// Every thread counts when time is measured; curves are the same with one, which other programs disturb
// least.
enum { ALL_THREADS = 0, ONE_THREAD = 1 };

static slv_world *make_world(const bench *b, const char *name, const variant *v, uint32_t threads) {
    char path[1024];
    char message[512] = "";
    (void)snprintf(path, sizeof path, "%s/%s.json", b->folder, name);
    slv_scene *scene = NULL;
    slv_world *world = NULL;
    if (slv_scene_load(path, &scene, message, sizeof message) != SLV_STATUS_OK) {
        stop("scene", message);
    }
    slv_world_def def = slv_scene_world_def(scene);
    def.parameters.solver = v->solver;
    def.parameters.damped_jacobi = v->damped;
    def.parameters.relaxation = v->relaxation;
    def.threads = threads;
    if (slv_scene_create_world(scene, &def, &world, message, sizeof message) != SLV_STATUS_OK) {
        stop("world", message);
    }
    slv_scene_destroy(scene);
    return world;
}

static void set_iterations(slv_world *world, uint32_t inner, uint32_t outer) {
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.inner_iterations = inner;
    parameters.outer_iterations = outer;
    if (slv_world_set_parameters(world, &parameters) != SLV_STATUS_OK) {
        stop("parameters", slv_world_message(world));
    }
}

static void must_step(slv_world *world) {
    if (slv_world_step(world, 1) != SLV_STATUS_OK) {
        stop("step", slv_world_message(world));
    }
}

// Fills rows with the residual now and after every `steps` steps. A solver with too few iterations may
// blow up: NaN from there on.
static void record(slv_world *world, uint32_t steps, double *rows, uint32_t count) {
    slv_status status = SLV_STATUS_OK;
    for (uint32_t i = 0; i < count; i++) {
        slv_measures measures = {0};
        if (i > 0 && status == SLV_STATUS_OK) {
            status = slv_world_step(world, steps);
        }
        if (status == SLV_STATUS_OK) {
            status = slv_world_measure(world, &measures);
        }
        rows[i] = status == SLV_STATUS_OK ? measures.residual : (double)NAN;
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
    set_iterations(world, INNER, 4);
    record(world, steps, rows, count);
    slv_world_destroy(world);
}

static int compare_doubles(const void *a, const void *b) {
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

// RBGS must converge as GS does: their curves may differ in phase, not in course.
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
    FILE *file = create(b, e->name, "-iterations");
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

// Milliseconds of the quickest of many steps: what the machine does when nothing disturbs it. Steps are
// kept short, so that some of them are left in peace even where other programs are busy.
static double quickest_step(slv_world *world, uint32_t outer, double patience) {
    set_iterations(world, INNER, outer);
    double best = HUGE_VAL;
    const double begin = seconds();
    for (int n = 0; n < 20 || seconds() - begin < patience; n++) {
        const double from = seconds();
        must_step(world);
        best = fmin(best, seconds() - from);
    }
    return 1e3 * best;
}

// The time of a step is a line: what it costs in any case, and what each outer iteration adds.
typedef struct step_cost {
    double fixed_ms, outer_ms;
} step_cost;

static step_cost measure_cost(const bench *b, const variant *v) {
    slv_world *world = make_world(b, "hanging-cloth", v, ALL_THREADS);
    const double patience = b->quick ? 0.2 : 2.0;
    const double few = quickest_step(world, 1, patience);
    const double more = quickest_step(world, 9, patience);
    slv_world_destroy(world);
    const double outer_ms = fmax((more - few) / 8, 1e-4);
    return (step_cost){.fixed_ms = fmax(few - outer_ms, 0), .outer_ms = outer_ms};
}

// Whole outer iterations, or inner ones alone where not even one outer fits.
static fit find_fit(step_cost cost, double budget) {
    const double outer = fmin((budget - cost.fixed_ms) / cost.outer_ms, 10000);
    fit f = {.inner = INNER, .outer = (uint32_t)fmax(outer, 1)};
    if (outer < 1) {
        f.inner = (uint32_t)fmax(outer * INNER, 1);
    }
    f.step_ms = cost.fixed_ms + cost.outer_ms * f.outer * f.inner / INNER;
    return f;
}

static void run_fits(bench *b) {
    FILE *file = create(b, "budgets", "");
    (void)fprintf(file, "solver,budgetMs,iterations,stepMs\n");
    for (size_t v = 0; v < VARIANTS; v++) {
        const step_cost cost = measure_cost(b, &variants[v]);
        printf("%-14s iterations within", variants[v].name);
        for (size_t i = 0; i < BUDGETS; i++) {
            fit *f = &b->fits[v][i];
            *f = find_fit(cost, budgets_ms[i]);
            (void)fprintf(file, "%s,%g,%u,%.4f\n", variants[v].name, budgets_ms[i],
                          f->inner * f->outer, f->step_ms);
            printf("%s %g ms: %u", i ? "," : "", budgets_ms[i], f->inner * f->outer);
        }
        printf("\n");
    }
    close_file(file, "budgets.csv");
}

// --- Residual against time -----------------------------------------------------------------------

static void record_budget(const bench *b, const experiment *e, size_t v, size_t budget,
                          uint32_t frames, double *rows) {
    slv_world *world = make_world(b, e->name, &variants[v], ONE_THREAD);
    const fit *f = &b->fits[v][budget];
    set_iterations(world, f->inner, f->outer);
    record(world, STEPS_PER_FRAME, rows, frames + 1);
    slv_world_destroy(world);
}

static void run_budgets(const bench *b, const experiment *e) {
    enum { FRAMES = 75 }; // 600 steps: 1.2 seconds of cloth
    static double rows[VARIANTS][FRAMES + 1];
    const uint32_t frames = b->quick ? FRAMES / 3 : FRAMES;
    FILE *file = create(b, e->name, "-budgets");
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

int main(int argc, char **argv) {
    if (argc < 3 || (argc > 3 && strcmp(argv[3], "--quick") != 0)) {
        (void)fprintf(stderr, "usage: experiments FOLDER OUT [--quick]\n");
        return 1;
    }
    bench b = {.folder = argv[1], .out = argv[2], .quick = argc > 3};
    slv_world *world = make_world(&b, "hanging-cloth", &variants[RBGS], ALL_THREADS);
    const slv_world_device device = slv_world_get_device(world);
    printf("%s, %u threads\n", device.device, (unsigned)device.threads);
    slv_world_destroy(world);
    run_fits(&b);
    for (size_t e = 0; e < EXPERIMENTS; e++) {
        run_iterations(&b, &experiments[e]);
        run_budgets(&b, &experiments[e]);
    }
    return 0;
}
