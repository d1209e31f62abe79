// SPDX-License-Identifier: MIT
// Time of a step of a cloth of 100 x 100 particles with all springs, by integrator, on one thread and on two: the best of
// seven rounds that take turns. Then processor time of single settings: implicit solvers with 81 x 81 particles and steps of
// 1/30 s, and all solvers with the integrators paper's 14,502 springs, as motion over processor time.
#include "bench/bench_report.h"
#include "bench/lab/lab.h"

#include <math.h>

enum { ROUNDS = 7, THREADS = 2 };

static slv_world *open_cloth(slv_solver solver, uint32_t threads, bool damped) {
    lab_cloth cloth = lab_default_cloth(solver);
    cloth.side = 100;
    cloth.spacing = 0.01;
    cloth.mass = 1e-4;
    cloth.stiffness[0] = cloth.stiffness[1] = cloth.stiffness[2] = 10.0;
    cloth.damping = damped ? 2e-4 : 0.0;
    cloth.time_step = 1e-4;
    cloth.gravity = 9.81;
    cloth.inner = 10;
    cloth.fixed = LAB_CORNERS;
    cloth.threads = threads;
    return lab_open(&cloth);
}

// Processor time of one thread, which other processes disturb less; else wall time.
static double time_steps(slv_world *world, uint32_t threads, uint32_t steps) {
    const double begin = threads == 1 ? slv_bench_seconds() : slv_bench_clock();
    if (slv_world_step(world, steps) != SLV_OK) {
        lab_stop("cost", slv_world_get_message(world));
    }
    const double end = threads == 1 ? slv_bench_seconds() : slv_bench_clock();
    return (end - begin) / steps;
}

// --- Bounds -------------------------------------------------------------------------------------------

// Bytes that a step of symplectic Euler reads and writes: of a particle 20 floats for integration (positions, the previous
// ones, remainders of both, the displacement by inertia, weight), 18 for forces; of a spring end its neighbor and rest length.
static double count_bytes(uint32_t particles, uint32_t springs) {
    return 4.0 * (38.0 * particles + 2.0 * 2.0 * springs);
}

static void write_bounds(const char *folder, uint32_t particles, uint32_t springs) {
    FILE *file = lab_open_csv(folder, "bound");
    const double bytes = count_bytes(particles, springs);
    (void)fprintf(file, "bound,unit_ns,units,step_us\n");
    const double end = lab_time_spring_end();
    (void)fprintf(file, "arithmetic,%.5g,%u,%.4g\n", 1e9 * end, 2 * springs,
                  1e6 * end * 2 * springs);
    const double byte = lab_time_byte((size_t)bytes);
    (void)fprintf(file, "memory,%.5g,%.0f,%.4g\n", 1e9 * byte, bytes, 1e6 * byte * bytes);
    (void)fclose(file);
}

// --- Single settings ----------------------------------------------------------------------------------

typedef struct setting {
    slv_solver solver;
    uint32_t side;
    double time_step; // s
    uint32_t outer, inner;
} setting;

// Symplectic Euler and Verlet are stable below 0.63 √(m/k), Runge-Kutta below 0.89 √(m/k); √(m/k) is 0.89 ms with 50 x 50.
static const setting settings[] = {
    {SLV_MS_LOCAL_GLOBAL, 81, 1.0 / 30.0, 10, 1},
    {SLV_MS_CONSTANT_MATRIX, 81, 1.0 / 30.0, 1, 1},
    {SLV_MS_IMPLICIT_EULER, 81, 1.0 / 30.0, 1, 50},
    {SLV_MS_SYMPLECTIC_EULER, 50, 5.3e-4, 1, 1},
    {SLV_MS_VERLET, 50, 5.3e-4, 1, 1},
    {SLV_MS_RK4, 50, 7.5e-4, 1, 1},
    {SLV_MS_IMPLICIT_EULER, 50, 1.0 / 60.0, 1, 20},
    {SLV_MS_CONSTANT_MATRIX, 50, 1.0 / 60.0, 1, 1},
    {SLV_MS_LOCAL_GLOBAL, 50, 1.0 / 30.0, 2, 1},
    {SLV_MS_LOCAL_GLOBAL, 50, 1.0 / 60.0, 10, 1},
};

static void time_setting(FILE *file, const setting *one) {
    lab_cloth cloth = lab_default_cloth(one->solver);
    double best = (double)INFINITY;
    cloth.side = one->side;
    cloth.spacing = 1.0 / (one->side - 1);
    cloth.mass = 0.2 / (one->side * one->side);
    cloth.stiffness[0] = cloth.stiffness[1] = 100.0;
    cloth.stiffness[2] = one->side == 50 ? 100.0 : 0.0;
    cloth.gravity = 9.81;
    cloth.air = 1.0;
    cloth.time_step = one->time_step;
    cloth.outer = one->outer;
    cloth.inner = one->inner;
    cloth.fixed = LAB_CORNERS;
    cloth.factored = true;
    slv_world *world = lab_open(&cloth);
    const lab_springs springs = lab_copy_springs(world);
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = slv_bench_seconds();
        if (slv_world_step(world, 20) != SLV_OK) {
            lab_stop("cost", slv_world_get_message(world));
        }
        best = fmin(best, (slv_bench_seconds() - begin) / 20.0);
    }
    (void)fprintf(file, "%s,%u,%u,%.6g,%u,%u,%.4g,%.4g\n", slv_solver_get_name(one->solver),
                  one->side, springs.count, one->time_step, one->outer, one->inner, 1e6 * best,
                  one->time_step / best);
    lab_free_springs(springs);
    slv_world_destroy(world);
}

static void time_settings(const char *folder) {
    FILE *file = lab_open_csv(folder, "settings");
    (void)fprintf(file, "solver,side,springs,step_s,outer,inner,step_us,real_time\n");
    for (size_t n = 0; n < sizeof settings / sizeof *settings; n++) {
        time_setting(file, &settings[n]);
    }
    (void)fclose(file);
}

void lab_study_cost(const char *folder, bool quick) {
    FILE *file = lab_open_csv(folder, "cost");
    const uint32_t steps = quick ? 20 : 50;
    (void)fprintf(file, "integrator,damped,threads,step_us,ns_per_spring\n");
    for (int damped = 0; damped < 2; damped++) {
        slv_world *worlds[LAB_INTEGRATORS][THREADS];
        double best[LAB_INTEGRATORS][THREADS];
        for (int n = 0; n < LAB_INTEGRATORS * THREADS; n++) {
            worlds[n / THREADS][n % THREADS] =
                open_cloth(lab_integrators[n / THREADS], (uint32_t)(n % THREADS) + 1, damped == 1);
            best[n / THREADS][n % THREADS] = (double)INFINITY;
        }
        for (int n = 0; n < ROUNDS * LAB_INTEGRATORS * THREADS; n++) {
            double *time = &best[n / THREADS % LAB_INTEGRATORS][n % THREADS];
            *time = fmin(*time, time_steps(worlds[n / THREADS % LAB_INTEGRATORS][n % THREADS],
                                           (uint32_t)(n % THREADS) + 1, steps));
        }
        lab_springs springs = lab_copy_springs(worlds[0][0]);
        for (int n = 0; n < LAB_INTEGRATORS * THREADS; n++) {
            const double seconds = best[n / THREADS][n % THREADS];
            (void)fprintf(file, "%s,%d,%d,%.4g,%.4g\n",
                          slv_solver_get_name(lab_integrators[n / THREADS]), damped,
                          n % THREADS + 1, 1e6 * seconds, 1e9 * seconds / springs.count);
            slv_world_destroy(worlds[n / THREADS][n % THREADS]);
        }
        if (damped == 0) {
            write_bounds(folder, 100 * 100, springs.count);
        }
        lab_free_springs(springs);
        (void)fflush(file);
    }
    (void)fclose(file);
    time_settings(folder);
}
