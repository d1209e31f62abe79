// SPDX-License-Identifier: MIT
// Processor time that each solver needs for the same error. A square cloth of 1 m swings from its upper edge, from 50° off
// the vertical and with a wave of velocity across it, for 0.6 s, without any damping. The error is the root mean square
// distance of particles from where they are in the reference, at six times. The reference is the fourth-order Runge-Kutta
// method at a quarter of its longest stable step.
#include "bench/bench_report.h"
#include "bench/lab/lab.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 17, COUNT = SIDE * SIDE, SAMPLES = 6 };

static const double sample_seconds = 0.1;
static const double total_mass = 0.2;    // kg
static const double tilt = 50.0;         // degrees
static const double wave = 1.5;          // m/s at the lower edge
static const double time_limit = 0.6;    // s of processor time; longer runs are not tried
static const double useless_error = 1.0; // m

typedef struct iterations {
    uint32_t outer, inner;
} iterations;

enum { ITERATIONS_MAX = 6 };

typedef struct candidate {
    slv_solver solver;
    bool is_explicit, factored;
    iterations tried[ITERATIONS_MAX]; // ended by zeros
} candidate;

static const candidate candidates[] = {
    {SLV_MS_SYMPLECTIC_EULER, true, false, {{1, 1}}},
    {SLV_MS_MIDPOINT, true, false, {{1, 1}}},
    {SLV_MS_RK4, true, false, {{1, 1}}},
    {SLV_MS_VERLET, true, false, {{1, 1}}},
    {SLV_MS_IMPLICIT_EULER, false, false, {{1, 10}, {1, 40}, {2, 40}, {4, 80}}},
    {SLV_MS_CONSTANT_MATRIX, false, true, {{1, 1}}},
    {SLV_MS_LOCAL_GLOBAL, false, true, {{1, 1}, {2, 1}, {4, 1}, {10, 1}, {40, 1}}},
    {SLV_MS_LAGRANGE, false, false, {{1, 10}, {1, 40}, {2, 40}, {4, 80}}},
    {SLV_PD_GS, false, false, {{1, 2}, {2, 4}, {4, 4}, {8, 8}, {16, 16}}},
    {SLV_PD_RBGS, false, false, {{1, 2}, {2, 4}, {4, 4}, {8, 8}, {16, 16}}},
    {SLV_PD_JACOBI, false, false, {{1, 2}, {2, 4}, {4, 4}, {8, 8}, {16, 16}}},
    {SLV_PD_MULTIGRID, false, false, {{1, 1}, {2, 1}, {4, 1}, {10, 1}}},
    {SLV_PBD_GS, false, false, {{1, 1}, {1, 4}, {4, 4}, {8, 8}, {16, 16}}},
    {SLV_PBD_JACOBI, false, false, {{1, 1}, {1, 4}, {4, 4}, {8, 8}, {16, 16}}},
};
enum { CANDIDATES = sizeof candidates / sizeof *candidates };

typedef struct path {
    double at[SAMPLES][COUNT][3];
} path;

static lab_cloth make_cloth_of(slv_solver solver, double stiffness, uint32_t steps) {
    lab_cloth cloth = lab_default_cloth(solver);
    cloth.side = SIDE;
    cloth.spacing = 1.0 / (SIDE - 1);
    cloth.mass = total_mass / COUNT;
    cloth.stiffness[0] = stiffness;
    cloth.stiffness[1] = 0.5 * stiffness;
    cloth.gravity = 9.81;
    cloth.time_step = sample_seconds / steps;
    cloth.fixed = LAB_TOP_EDGE;
    return cloth;
}

static void begin(slv_world *world, double time_step) {
    const double angle = tilt * acos(-1.0) / 180.0;
    for (uint32_t p = SIDE; p < COUNT; p++) {
        const uint32_t row = p / SIDE;
        const double radius = (double)row / (SIDE - 1);
        const double along = (double)(p % SIDE) / (SIDE - 1);
        const double speed = wave * radius * sin(2.0 * acos(-1.0) * along);
        double position[3];
        double none[3];
        lab_read(world, p, position, none);
        const double low[3] = {0.0, -cos(angle), sin(angle)};
        const double normal[3] = {0.0, sin(angle), cos(angle)};
        double top[3];
        lab_read(world, p % SIDE, top, none);
        double displacement[3];
        for (int d = 0; d < 3; d++) {
            position[d] = top[d] + radius * low[d];
            displacement[d] = time_step * speed * normal[d];
        }
        lab_write(world, p, position, displacement);
    }
}

// Seconds of processor time; below 0 where it diverged or took too long.
static double run(const lab_cloth *cloth, uint32_t steps, path *found) {
    slv_world *world = lab_open(cloth);
    double seconds = 0.0;
    begin(world, cloth->time_step);
    for (int s = 0; s < SAMPLES && seconds >= 0.0; s++) {
        const double start = slv_bench_seconds();
        const slv_result status = slv_world_step(world, steps);
        seconds += slv_bench_seconds() - start;
        for (uint32_t p = 0; p < COUNT && status == SLV_OK; p++) {
            double ignored[3];
            lab_read(world, p, found->at[s][p], ignored);
        }
        seconds = status != SLV_OK || seconds > time_limit ? -1.0 : seconds;
    }
    slv_world_destroy(world);
    return seconds;
}

static double measure(const path *one, const path *other) {
    double sum = 0.0;
    for (int s = 0; s < SAMPLES; s++) {
        for (uint32_t p = 0; p < COUNT; p++) {
            for (int d = 0; d < 3; d++) {
                const double apart = one->at[s][p][d] - other->at[s][p][d];
                sum += apart * apart;
            }
        }
    }
    return sqrt(sum / (SAMPLES * COUNT));
}

static void find_reference(double stiffness, path *reference) {
    const double stable = sqrt(total_mass / COUNT / stiffness); // of Runge-Kutta with these springs
    const uint32_t steps = (uint32_t)ceil(sample_seconds / (0.25 * stable));
    const lab_cloth cloth = make_cloth_of(SLV_MS_RK4, stiffness, steps);
    slv_world *world = lab_open(&cloth);
    begin(world, cloth.time_step);
    for (int s = 0; s < SAMPLES; s++) {
        if (slv_world_step(world, steps) != SLV_OK) {
            lab_stop("reference", slv_world_get_message(world));
        }
        for (uint32_t p = 0; p < COUNT; p++) {
            double ignored[3];
            lab_read(world, p, reference->at[s][p], ignored);
        }
    }
    slv_world_destroy(world);
}

static void try_candidate(FILE *file, const candidate *one, double stiffness, bool quick,
                          const path *reference) {
    static path found;
    static const uint32_t steps[] = {3, 6, 12, 25, 50, 100, 200, 400, 800, 1600, 3200};
    const size_t count = quick ? 7 : sizeof steps / sizeof *steps;
    for (int n = 0; n < ITERATIONS_MAX && one->tried[n].outer > 0; n++) {
        double seconds = 0.0;
        bool affordable = true;
        for (size_t s = 0; s < count && affordable; s++) {
            lab_cloth cloth = make_cloth_of(one->solver, stiffness, steps[s]);
            cloth.outer = one->tried[n].outer;
            cloth.inner = one->tried[n].inner;
            cloth.factored = one->factored;
            const double last = seconds;
            seconds = run(&cloth, steps[s], &found);
            const double error = seconds >= 0.0 ? measure(&found, reference) : useless_error;
            affordable = seconds < 0.5 * time_limit && (seconds >= 0.0 || last <= 0.0);
            if (seconds >= 0.0 && error < useless_error) {
                (void)fprintf(file, "%g,%s,%.6g,%u,%u,%.5g,%.5g\n", stiffness,
                              slv_solver_get_name(one->solver), cloth.time_step, cloth.outer,
                              cloth.inner, 1e3 * seconds / (SAMPLES * sample_seconds), error);
            }
        }
    }
    (void)fflush(file);
}

void lab_study_quality(const char *folder, bool quick) {
    static path reference;
    static const double stiffnesses[] = {5.0, 50.0, 500.0, 5000.0, 50000.0};
    FILE *file = lab_open_csv(folder, "quality");
    (void)fprintf(file, "stiffness,solver,step_s,outer,inner,ms_per_s,error_m\n");
    for (size_t k = quick ? 1 : 0; k < (quick ? 3 : sizeof stiffnesses / sizeof *stiffnesses);
         k++) {
        find_reference(stiffnesses[k], &reference);
        for (size_t n = 0; n < CANDIDATES; n++) {
            try_candidate(file, &candidates[n], stiffnesses[k], quick, &reference);
        }
    }
    (void)fclose(file);
}
