// SPDX-License-Identifier: MIT
// Time of a step of a cloth of 100 x 100 particles with all springs, by integrator, on one thread and on two: the best of
// seven rounds that take turns.
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

static double time_steps(slv_world *world, uint32_t steps) {
    const double begin = slv_bench_clock();
    if (slv_world_step(world, steps) != SLV_OK) {
        lab_stop("cost", slv_world_get_message(world));
    }
    return (slv_bench_clock() - begin) / steps;
}

void lab_study_cost(const char *folder, bool quick) {
    FILE *file = lab_open_csv(folder, "cost");
    const uint32_t steps = quick ? 20 : 100;
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
            *time =
                fmin(*time, time_steps(worlds[n / THREADS % LAB_INTEGRATORS][n % THREADS], steps));
        }
        lab_springs springs = lab_copy_springs(worlds[0][0]);
        for (int n = 0; n < LAB_INTEGRATORS * THREADS; n++) {
            const double seconds = best[n / THREADS][n % THREADS];
            (void)fprintf(file, "%s,%d,%d,%.4g,%.4g\n",
                          slv_solver_get_name(lab_integrators[n / THREADS]), damped,
                          n % THREADS + 1, 1e6 * seconds, 1e9 * seconds / springs.count);
            slv_world_destroy(worlds[n / THREADS][n % THREADS]);
        }
        lab_free_springs(springs);
    }
    (void)fclose(file);
}
