// SPDX-License-Identifier: MIT
// Motion compared with exact arithmetic: small displacements of a step are not lost in the rounding of positions.
#include "runtime/world/world.h"
#include "tests/common/free_fall.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double gravity = 9.81;

// --- Free fall --------------------------------------------------------------------------------------

static void a_cloth_falls_as_far_near_the_origin_as_away_from_it(void **state) {
    (void)state;
    static const double time_steps[] = {0.0001, 0.0002, 0.0005, 0.002, 0.016};
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        for (size_t n = 0; n < sizeof time_steps / sizeof *time_steps; n++) {
            for (int distance = 0; distance <= 2; distance += 2) {
                const double error =
                    must_fall(plain_world((slv_solver)solver, time_steps[n]), distance).error;
                if (!(error < 1e-4)) {
                    fail_msg("%s, steps of %g s, %d m from the origin: off by %g",
                             slv_solver_get_name((slv_solver)solver), time_steps[n], distance,
                             error);
                }
            }
        }
    }
}

// --- A cloth in double ------------------------------------------------------------------------------

enum { NX = 24, NZ = 17, COUNT = NX * NZ };
static const double rest = 0.05;

// Projective dynamics by red-black Gauss-Seidel, in double.
typedef struct exact_cloth {
    double q[COUNT][3], before[COUNT][3], y[COUNT][3], b[COUNT][3], u[COUNT][3];
    double weight[COUNT], anchor[COUNT];
} exact_cloth;

static int neighbor(int p, int direction) {
    static const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int i = p % NX + steps[direction][0];
    int k = p / NX + steps[direction][1];
    return i >= 0 && i < NX && k >= 0 && k < NZ ? i + NX * k : -1;
}

static void exact_begin(exact_cloth *cloth, double mass, double stiffness, double h) {
    for (int p = 0; p < COUNT; p++) {
        int springs = 0;
        for (int n = 0; n < 4; n++) {
            springs += neighbor(p, n) >= 0;
        }
        bool fixed = p == 0 || p == NX - 1;
        double inertia = mass / (h * h);
        double diagonal = inertia + springs * stiffness;
        cloth->weight[p] = fixed ? 0.0 : stiffness / diagonal;
        cloth->anchor[p] = fixed ? 1.0 : inertia / diagonal;
    }
}

static void exact_project(exact_cloth *cloth, int p) {
    double sum[3] = {0.0, 0.0, 0.0};
    for (int n = 0; n < 4; n++) {
        int other = neighbor(p, n);
        if (other < 0) {
            continue;
        }
        double d[3];
        for (int c = 0; c < 3; c++) {
            d[c] = cloth->q[p][c] - cloth->q[other][c];
        }
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int c = 0; c < 3; c++) {
            sum[c] += (rest / length - 1.0) * d[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        cloth->b[p][c] =
            cloth->weight[p] * sum[c] + cloth->anchor[p] * (cloth->y[p][c] - cloth->q[p][c]);
        cloth->u[p][c] = 0.0;
    }
}

static void exact_relax(exact_cloth *cloth, int color) {
    for (int p = 0; p < COUNT; p++) {
        for (int c = 0; c < 3 && (p % NX + p / NX) % 2 == color; c++) {
            double sum = 0.0;
            for (int n = 0; n < 4; n++) {
                sum += neighbor(p, n) < 0 ? 0.0 : cloth->u[neighbor(p, n)][c];
            }
            cloth->u[p][c] = cloth->weight[p] * sum + cloth->b[p][c];
        }
    }
}

static void exact_step(exact_cloth *cloth, double h) {
    for (int p = 0; p < COUNT; p++) {
        for (int c = 0; c < 3; c++) {
            const double q = cloth->q[p][c];
            const double move = q - cloth->before[p][c] - (c == 1 ? gravity * h * h : 0.0);
            cloth->before[p][c] = q;
            cloth->y[p][c] = cloth->q[p][c] = cloth->weight[p] > 0.0 ? q + move : q;
        }
    }
    for (int outer = 0; outer < 4; outer++) {
        for (int p = 0; p < COUNT; p++) {
            exact_project(cloth, p);
        }
        for (int inner = 0; inner < 4; inner++) {
            exact_relax(cloth, 0);
            exact_relax(cloth, 1);
        }
        for (int p = 0; p < COUNT; p++) {
            for (int c = 0; c < 3; c++) {
                cloth->q[p][c] += cloth->u[p][c];
            }
        }
    }
}

// Largest difference over largest motion.
static double compare_with_exact(const slv_world *world, const exact_cloth *cloth,
                                 const float start[COUNT][3]) {
    double error = 0.0;
    double motion = 0.0;
    for (uint32_t p = 0; p < COUNT; p++) {
        double position[6];
        slv_layout_read_exactly(&world->layout, 0, p, position);
        for (int c = 0; c < 3; c++) {
            error = fmax(error, fabs(position[c] - cloth->q[p][c]));
            motion = fmax(motion, fabs(cloth->q[p][c] - (double)start[p][c]));
        }
    }
    return error / motion;
}

// Largest error over motion in 40 frames of 16 ms, `height` above the origin.
static double measure_hanging(double height) {
    static exact_cloth cloth;
    static float start[COUNT][3];
    const double h = 0.002;
    slv_world_def def = plain_world(SLV_PD_RBGS, h);
    def.parameters.relaxation = 1.0f;
    def.parameters.outer_iterations = def.parameters.inner_iterations = 4;
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.0125f;
    garment.stretch_stiffness = 1500.0f;
    garment.position[1] = height;
    garment.fixed = (const uint32_t[]){0, NX - 1};
    garment.fixed_count = 2;
    slv_garment_id id = must_add(world, make_grid(NX, 1, NZ, (float)rest, NULL), garment);
    exact_begin(&cloth, (double)garment.particle_mass, (double)garment.stretch_stiffness, h);
    for (uint32_t p = 0; p < COUNT; p++) {
        must_position(world, id, p, start[p]);
        for (int c = 0; c < 3; c++) {
            cloth.q[p][c] = cloth.before[p][c] = (double)start[p][c];
        }
    }
    double worst = 0.0;
    for (int n = 1; n <= 320; n++) {
        exact_step(&cloth, h);
        must_step(world, 1);
        worst = fmax(worst, compare_with_exact(world, &cloth, (const float(*)[3])start));
    }
    slv_world_destroy(world);
    return worst;
}

static void a_hanging_cloth_moves_as_in_double_precision(void **state) {
    (void)state;
    for (int height = 0; height <= 2; height += 2) {
        const double error = measure_hanging(height);
        if (!(error < 2e-4)) {
            fail_msg("%d m above the origin: off by %g of the motion", height, error);
        }
    }
}

// --- Velocity ---------------------------------------------------------------------------------------

// Displacements of a step, metres; means of the particles of a body.
static void measure_motion(const slv_world *world, uint32_t count, double mean[3]) {
    for (int d = 0; d < 3; d++) {
        mean[d] = 0.0;
    }
    for (uint32_t p = 0; p < count; p++) {
        double at[6];
        slv_layout_read_exactly(&world->layout, 0, p, at);
        for (int d = 0; d < 3; d++) {
            mean[d] += (at[d] - at[3 + d]) / count;
        }
    }
}

// Displacements of a step are about 60 µm, a thousand times the last bit of a position at the end.
static void without_forces_a_cloth_keeps_its_velocity(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        // Local and global steps lose 1.5e-5 of the speed.
        const double drift = solver == SLV_MS_LOCAL_GLOBAL ? 2e-5 : 1e-5;
        slv_world_def def = plain_world((slv_solver)solver, 0.0001);
        soften_for_integrators(&def, 1e-3f, 0.0f);
        memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.01f;
        garment.stretch_stiffness = 1000.0f;
        garment.velocity[0] = 0.6f;
        garment.velocity[2] = 0.3f;
        (void)must_add(world, make_grid(5, 1, 4, 0.05f, NULL), garment);
        double before[3];
        double after[3];
        measure_motion(world, 20, before);
        must_step(world, 20000);
        measure_motion(world, 20, after);
        for (int d = 0; d < 3; d++) {
            assert_near(after[d], before[d], drift * 6e-5);
        }
        slv_world_destroy(world);
    }
}

// --- Energy -----------------------------------------------------------------------------------------

// Of all particles, over their mass: in squared metres a step.
static double measure_energy(const slv_world *world, uint32_t count) {
    double energy = 0.0;
    for (uint32_t p = 0; p < count; p++) {
        double at[6];
        slv_layout_read_exactly(&world->layout, 0, p, at);
        for (int d = 0; d < 3; d++) {
            energy += 0.5 * (at[d] - at[3 + d]) * (at[d] - at[3 + d]);
        }
    }
    return energy;
}

// Largest relative change of energy and momentum of a free cloth in 100,000 steps.
static double measure_drift(slv_solver solver, double time_step, float speed) {
    slv_world_def def = plain_world(solver, time_step);
    soften_for_integrators(&def, 1e-3f, 0.0f);
    memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.01f;
    garment.stretch_stiffness = 1000.0f;
    garment.velocity[0] = 0.8f * speed;
    garment.velocity[2] = 0.6f * speed;
    (void)must_add(world, make_grid(5, 1, 4, 0.05f, NULL), garment);
    double before[3];
    double after[3];
    const double energy = measure_energy(world, 20);
    measure_motion(world, 20, before);
    must_step(world, 100000);
    measure_motion(world, 20, after);
    double worst = fabs(measure_energy(world, 20) / energy - 1.0);
    for (int d = 0; d < 3; d++) {
        worst = fmax(worst, fabs(after[d] - before[d]) / ((double)speed * time_step));
    }
    slv_world_destroy(world);
    return worst;
}

// Stiff springs in a step of 2 ms, soft ones in 0.1 ms. Where corrections are rounded at the last bit of positions, and with
// coarse grids, only soft ones; solvers that are missing here change more (docs/PRECISION.md).
static void without_forces_a_cloth_keeps_its_energy_and_momentum(void **state) {
    (void)state;
    static const struct {
        double time_step;
        slv_solver solver;
        float speed; // so that steps are 60 µm long
    } cases[] = {{0.002, SLV_PD_RBGS, 0.03f},
                 {0.002, SLV_PD_GS, 0.03f},
                 {0.002, SLV_PD_JACOBI, 0.03f},
                 {0.0001, SLV_PD_RBGS, 0.6f},
                 {0.0001, SLV_PD_MULTIGRID, 0.6f},
                 {0.0001, SLV_PBD_GS, 0.6f},
                 {0.0001, SLV_PBD_JACOBI, 0.6f},
                 {0.0001, SLV_MS_VERLET, 0.6f},
                 {0.0001, SLV_MS_MIDPOINT, 0.6f},
                 {0.0001, SLV_MS_RK4, 0.6f},
                 {0.0001, SLV_MS_SYMPLECTIC_EULER, 0.6f}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const double drift = measure_drift(cases[n].solver, cases[n].time_step, cases[n].speed);
        if (!(drift < 1e-5)) {
            fail_msg("%s, steps of %g s: changed by %g", slv_solver_get_name(cases[n].solver),
                     cases[n].time_step, drift);
        }
    }
}

// --- Figures ----------------------------------------------------------------------------------------

// Those of docs/PRECISION.md that no test has.
static void print_drifts(void) {
    static const double time_steps[] = {0.002, 0.0001};
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        printf("%s:", slv_solver_get_name((slv_solver)solver));
        for (int n = solver == SLV_MS_EXPLICIT_EULER ? 1 : 0; n < 2; n++) { // it diverges in 2 ms
            const double h = time_steps[n];
            printf(" %.1e in %g s", measure_drift((slv_solver)solver, h, (float)(6e-5 / h)), h);
        }
        printf("\n");
    }
}

static void print_falls(void) {
    static const double distances[] = {100.0, 5000.0, 100000.0};
    static const double time_steps[] = {0.0001, 0.0005, 0.002, 0.016};
    for (int d = 0; d < 3; d++) {
        printf("fall %g m from the origin:", distances[d]);
        for (int n = 0; n < 4; n++) {
            double worst = 0.0;
            for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
                const slv_world_def def = plain_world((slv_solver)solver, time_steps[n]);
                worst = fmax(worst, must_fall(def, distances[d]).error);
            }
            printf(" %.1e in %g s", worst, time_steps[n]);
        }
        printf("\n");
    }
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "figures") == 0) {
        print_drifts();
        print_falls();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cloth_falls_as_far_near_the_origin_as_away_from_it),
        cmocka_unit_test(a_hanging_cloth_moves_as_in_double_precision),
        cmocka_unit_test(without_forces_a_cloth_keeps_its_velocity),
        cmocka_unit_test(without_forces_a_cloth_keeps_its_energy_and_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
