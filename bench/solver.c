// SPDX-License-Identifier: MIT
// Speed of the solver: against a plain one, against the bandwidth of memory, against itself with one
// thread, and on a busy machine. Each time is the shortest of many short runs, since the machine is
// shared; ratios are taken within one run of this program.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_report.h"
#include "bench/solver_baseline.h"
#include "tests/common/generated_garment.h"

#include <selvage/selvage.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTER = 15, INNER = 4 }; // of a step: 60 inner iterations

static const float spacing = 0.01f;         // metres
static const float mass = 0.01f;            // kg a particle
static const float stiffness = 1e4f;        // N/m
static const double budget = 8e-3;          // seconds, the longest in the paper
static const double seconds_a_figure = 1.5; // of measuring

// --- Worlds -----------------------------------------------------------------------------------------

typedef struct measured_world {
    slv_world *world;
    double particles, springs;
} measured_world;

static measured_world open_measured_world(generated_garment *made, slv_solver solver,
                                          uint32_t threads, uint32_t outer, uint32_t inner) {
    char path[64];
    char message[256];
    (void)snprintf(path, sizeof path, "/tmp/selvage-bench-%ld.slv", (long)getpid());
    generated_write(made, path);
    measured_world made_world = {
        .particles = (double)generated_view(made)->info.particle_count,
        .springs = (double)generated_view(made)->constraints[SLV_CONSTRAINT_DISTANCE].count};
    generated_free(made);
    slv_world_def def = slv_default_world_def();
    def.threads = threads;
    def.parameters.solver = solver;
    def.parameters.outer_iterations = outer;
    def.parameters.inner_iterations = inner;
    if (slv_world_create(&def, &made_world.world, message, sizeof message) != SLV_OK) {
        slv_bench_stop(message);
    }
    slv_garment_def garment = slv_default_garment_def();
    const uint32_t corner = 0;
    garment.pack_path = path;
    garment.particle_mass = mass;
    garment.stretch_stiffness = stiffness;
    garment.fixed = &corner;
    garment.fixed_count = 1;
    if (slv_world_add_garment(made_world.world, &garment, NULL) != SLV_OK) {
        slv_bench_stop(slv_world_get_message(made_world.world));
    }
    (void)remove(path);
    return made_world;
}

static void step(const measured_world *measured, uint32_t count) {
    if (slv_world_step(measured->world, count) != SLV_OK) {
        slv_bench_stop(slv_world_get_message(measured->world));
    }
}

// Seconds of one step: the shortest seen.
static double time_step(const measured_world *measured) {
    double best = 1e9;
    step(measured, 1);
    for (double start = slv_bench_clock(); slv_bench_clock() - start < seconds_a_figure;) {
        double begin = slv_bench_clock();
        step(measured, 1);
        double taken = slv_bench_clock() - begin;
        best = taken < best ? taken : best;
    }
    return best;
}

static double time_made(generated_garment *made, slv_solver solver, uint32_t threads,
                        uint32_t inner) {
    measured_world measured = open_measured_world(made, solver, threads, OUTER, inner);
    double seconds = time_step(&measured);
    slv_world_destroy(measured.world);
    return seconds;
}

static double time_grid(uint32_t side, uint32_t threads) {
    return time_made(make_grid(side, 1, side, spacing, NULL), SLV_PD_RBGS, threads, INNER);
}

// --- Grids ------------------------------------------------------------------------------------------

// Seconds of one iteration of the plain solver.
static double time_baseline(int side) {
    baseline *cloth = baseline_create(side, side, spacing, mass, stiffness, 0.002f);
    if (!cloth) {
        slv_bench_stop("out of memory");
    }
    double best = 1e9;
    for (double start = slv_bench_clock(); slv_bench_clock() - start < seconds_a_figure;) {
        baseline_begin(cloth);
        double begin = slv_bench_clock();
        for (int n = 0; n < INNER; n++) {
            baseline_iterate(cloth, 1.0f);
        }
        double taken = (slv_bench_clock() - begin) / INNER;
        best = taken < best ? taken : best;
    }
    baseline_destroy(cloth);
    return best;
}

static void measure_grids(slv_bench_report *report, double *per_particle) {
    double one = time_grid(100, 1);
    double two = time_grid(100, 2);
    double plain = time_baseline(100);
    double iterations = OUTER * INNER;
    slv_bench_note(report, "plain GS, 100x100, iterations in 8 ms", budget / plain, "");
    slv_bench_note(report, "RBGS, 100x100, one thread, in 8 ms", budget / one * iterations, "");
    slv_bench_at_least(report, "RBGS, 100x100, two threads, in 8 ms", budget / two * iterations,
                       900, "");
    slv_bench_at_least(report, "RBGS, two threads, over plain GS", plain / (two / iterations), 20,
                       "x");
    slv_bench_at_least(report, "two threads over one, 100x100", one / two, 1.8, "x");
    slv_bench_at_least(report, "two threads over one, 300x300",
                       time_grid(300, 1) / time_grid(300, 2), 1.9, "x");
    *per_particle = two / 1e4;
}

// --- Memory -----------------------------------------------------------------------------------------

enum { TRIAD = 1 << 24 }; // floats in each of three arrays: 192 MB in all

typedef struct triad_share {
    float *a;
    const float *b, *c;
    size_t count;
} triad_share;

static void *run_triad(void *context) {
    const triad_share *share = context;
    for (size_t i = 0; i < share->count; i++) {
        share->a[i] = share->b[i] + 3.0f * share->c[i];
    }
    return NULL;
}

// Bytes a second that two threads move in a triad, including the cache line that is fetched before it
// is written.
static double measure_triad(void) {
    float *arrays = calloc(3 * (size_t)TRIAD, sizeof *arrays);
    if (!arrays) {
        slv_bench_stop("out of memory");
    }
    memset(arrays, 1, 3 * (size_t)TRIAD * sizeof *arrays);
    double best = 1e9;
    for (double start = slv_bench_clock(); slv_bench_clock() - start < seconds_a_figure;) {
        double begin = slv_bench_clock();
        triad_share shares[2];
        for (size_t t = 0; t < 2; t++) {
            size_t half = TRIAD / 2;
            shares[t] = (triad_share){arrays + t * half, arrays + TRIAD + t * half,
                                      arrays + 2 * (size_t)TRIAD + t * half, half};
        }
        pthread_t other;
        if (pthread_create(&other, NULL, run_triad, &shares[1]) != 0) {
            slv_bench_stop("no thread");
        }
        (void)run_triad(&shares[0]);
        (void)pthread_join(other, NULL);
        double taken = slv_bench_clock() - begin;
        best = taken < best ? taken : best;
    }
    free(arrays);
    return 16.0 * TRIAD / best;
}

// Bytes that an inner iteration moves per particle when it is played by itself: corrections read and
// written and read again by the other color, the constant part, the weight. Wavefronts do several
// iterations in one pass over memory, so the fraction of the triad may exceed 100 %.
static const double inner_bytes = 12 + 12 + 12 + 12 + 4;

static void measure_memory(slv_bench_report *report, double small_per_particle) {
    double triad = measure_triad();
    measured_world few =
        open_measured_world(make_grid(1000, 1, 1000, spacing, NULL), SLV_PD_RBGS, 2, 1, 4);
    measured_world many =
        open_measured_world(make_grid(1000, 1, 1000, spacing, NULL), SLV_PD_RBGS, 2, 1, 20);
    double inner = (time_step(&many) - time_step(&few)) / 16;
    slv_world_destroy(few.world);
    slv_world_destroy(many.world);
    double whole = time_grid(1000, 2);
    slv_bench_note(report, "triad, two threads", triad / 1e9, "GB/s");
    slv_bench_at_least(report, "RBGS, 1000x1000, share of the triad",
                       100 * inner_bytes * 1e6 / inner / triad, 60, "%");
    slv_bench_at_most(report, "particle at 1000x1000 over 100x100",
                      whole / 1e6 / small_per_particle, 2.5, "x");
}

// --- Any graph --------------------------------------------------------------------------------------

static void measure_graphs(slv_bench_report *report) {
    const double springs = 29601; // of a cloth of triangles, 100 by 100 particles
    const double count = springs * OUTER * INNER / 1e6;
    double pbd_one = time_made(make_cloth(100, 100, spacing, true), SLV_PBD_GS, 1, INNER);
    double pbd_two = time_made(make_cloth(100, 100, spacing, true), SLV_PBD_GS, 2, INNER);
    double pd_one = time_made(make_cloth(100, 100, spacing, false), SLV_PD_RBGS, 1, INNER);
    double pd_two = time_made(make_cloth(100, 100, spacing, false), SLV_PD_RBGS, 2, INNER);
    slv_bench_at_least(report, "mesh, PBD_GS, one thread, springs a second", count / pbd_one, 450,
                       "M");
    slv_bench_at_least(report, "mesh, PBD_GS, two threads", count / pbd_two, 850, "M");
    slv_bench_at_least(report, "mesh, PD_RBGS, one thread", count / pd_one, 450, "M");
    slv_bench_at_least(report, "mesh, PD_RBGS, two threads", count / pd_two, 850, "M");
}

// --- A busy machine ---------------------------------------------------------------------------------

static pid_t start_busy_process(void) {
    pid_t child = fork();
    if (child == 0) {
        for (volatile unsigned long n = 0;; n++) {
        }
    }
    return child;
}

static double mean_step(const measured_world *measured) {
    uint32_t count = 0;
    double start = slv_bench_clock();
    for (; slv_bench_clock() - start < 2 * seconds_a_figure; count += 10) {
        step(measured, 10);
    }
    return (slv_bench_clock() - start) / count;
}

static void measure_busy(slv_bench_report *report) {
    measured_world cloth =
        open_measured_world(make_grid(100, 1, 100, spacing, NULL), SLV_PD_RBGS, 2, OUTER, INNER);
    double quiet = mean_step(&cloth);
    pid_t busy[2] = {start_busy_process(), start_busy_process()};
    double loaded = mean_step(&cloth);
    for (int i = 0; i < 2; i++) {
        if (busy[i] > 0) {
            (void)kill(busy[i], SIGKILL);
            (void)waitpid(busy[i], NULL, 0);
        }
    }
    slv_bench_at_most(report, "step while two processes are busy, over quiet", loaded / quiet, 3,
                      "x");
    slv_world_destroy(cloth.world);
}

int main(int count, char **arguments) {
    const char *json = slv_bench_arguments(
        count, arguments, "The solvers on grids and meshes, beside plain loops.", NULL, 0);
    slv_bench_report report;
    double per_particle = 0.0;
    slv_bench_begin(&report, json);
    measure_grids(&report, &per_particle);
    measure_graphs(&report);
    measure_memory(&report, per_particle);
    measure_busy(&report);
    slv_bench_end(&report);
    return 0;
}
