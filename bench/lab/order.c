// SPDX-License-Identifier: MIT
// Orders of accuracy, energy over many steps, and the numerical damping of implicit Euler.
//
// The smooth problem is a net of 5 x 5 particles, stretched by a fifth, whose upper corners are fixed and which falls from
// there for half a second. Its springs never are compressed nor change their direction much in a step. The reference is
// the fourth-order Runge-Kutta method in double with steps of 50 µs.
#include "bench/lab/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 5, COUNT = SIDE * SIDE, UNKNOWNS = 3 * COUNT };

static const double stretch = 1.2;
static const double gravity = 9.81;

typedef struct state {
    double x[UNKNOWNS], v[UNKNOWNS];
} state;

static lab_cloth smooth_cloth(slv_solver solver, double h) {
    lab_cloth cloth = lab_default_cloth(solver);
    cloth.side = SIDE;
    cloth.spacing = 0.25;
    cloth.mass = 0.1;
    cloth.stiffness[0] = 20.0;
    cloth.stiffness[1] = 10.0;
    cloth.time_step = h;
    cloth.gravity = gravity;
    cloth.outer = 8; // solves the step, not only its linearization
    cloth.fixed = LAB_CORNERS;
    return cloth;
}

static bool is_fixed(uint32_t particle) {
    return particle == 0 || particle == SIDE - 1;
}

// Stretches the net and stores its state.
static void begin(slv_world *world, state *start) {
    static const double none[3] = {0.0, 0.0, 0.0};
    for (uint32_t p = 0; p < COUNT; p++) {
        double ignored[3];
        lab_read(world, p, start->x + (size_t)3 * p, ignored);
        for (int d = 0; d < 3; d++) {
            start->x[3 * p + (uint32_t)d] *= stretch;
        }
        lab_write(world, p, start->x + (size_t)3 * p, none);
        lab_read(world, p, start->x + (size_t)3 * p, ignored); // as stored
    }
    memset(start->v, 0, sizeof start->v);
}

// --- The reference ------------------------------------------------------------------------------------

static void accelerate(lab_springs springs, double mass, const double *x, double *a) {
    for (int i = 0; i < UNKNOWNS; i++) {
        a[i] = i % 3 == 1 ? -gravity : 0.0;
    }
    for (uint32_t s = 0; s < springs.count; s++) {
        const lab_spring *spring = &springs.list[s];
        double apart[3];
        double square = 0.0;
        for (uint32_t d = 0; d < 3; d++) {
            apart[d] = x[3 * spring->a + d] - x[3 * spring->b + d];
            square += apart[d] * apart[d];
        }
        const double pull = spring->stiffness / mass * (1.0 - spring->rest / sqrt(square));
        for (uint32_t d = 0; d < 3; d++) {
            a[3 * spring->a + d] -= pull * apart[d];
            a[3 * spring->b + d] += pull * apart[d];
        }
    }
    for (uint32_t i = 0; i < UNKNOWNS; i++) {
        a[i] = is_fixed(i / 3) ? 0.0 : a[i];
    }
}

static void step_exactly(lab_springs springs, double mass, double h, state *at) {
    static double a[4][UNKNOWNS];
    static state stage[4];
    static const double share[4] = {0.0, 0.5, 0.5, 1.0};
    for (int n = 0; n < 4; n++) {
        for (int i = 0; i < UNKNOWNS; i++) {
            const int before = n > 0 ? n - 1 : 0;
            stage[n].x[i] = at->x[i] + (n > 0 ? share[n] * h * stage[before].v[i] : 0.0);
            stage[n].v[i] = at->v[i] + (n > 0 ? share[n] * h * a[before][i] : 0.0);
        }
        accelerate(springs, mass, stage[n].x, a[n]);
    }
    for (int i = 0; i < UNKNOWNS; i++) {
        at->x[i] +=
            h / 6.0 * (stage[0].v[i] + 2.0 * stage[1].v[i] + 2.0 * stage[2].v[i] + stage[3].v[i]);
        at->v[i] += h / 6.0 * (a[0][i] + 2.0 * a[1][i] + 2.0 * a[2][i] + a[3][i]);
    }
}

// --- Order ---------------------------------------------------------------------------------------------

static const double duration = 0.5;

static state find_reference(void) {
    const double h = 5e-5;
    const lab_cloth cloth = smooth_cloth(SLV_MS_RK4, h);
    slv_world *world = lab_open(&cloth);
    static state at;
    begin(world, &at);
    const lab_springs springs = lab_copy_springs(world);
    for (int n = 0; n < (int)(duration / h + 0.5); n++) {
        step_exactly(springs, cloth.mass, h, &at);
    }
    lab_free_springs(springs);
    slv_world_destroy(world);
    return at;
}

// Root of the mean squared distance to the reference, metres.
static double measure_error(slv_solver solver, uint32_t steps, const state *reference) {
    static state start;
    const lab_cloth cloth = smooth_cloth(solver, duration / steps);
    slv_world *world = lab_open(&cloth);
    double square = 0.0;
    begin(world, &start);
    if (slv_world_step(world, steps) != SLV_OK) {
        square = (double)INFINITY;
    }
    for (uint32_t p = 0; p < COUNT; p++) {
        double position[3];
        double ignored[3];
        lab_read(world, p, position, ignored);
        for (uint32_t d = 0; d < 3; d++) {
            const double off = position[d] - reference->x[3 * p + d];
            square += off * off / COUNT;
        }
    }
    slv_world_destroy(world);
    return sqrt(square);
}

static void study_order(const char *folder, bool quick) {
    FILE *file = lab_open_csv(folder, "order");
    const state reference = find_reference();
    (void)fprintf(file, "integrator,steps,step_s,error_m\n");
    for (int n = 0; n < LAB_INTEGRATORS; n++) {
        const slv_solver solver = lab_integrators[n];
        const uint32_t first = solver == SLV_MS_RK4                                   ? 16
                               : solver == SLV_MS_MIDPOINT || solver == SLV_MS_VERLET ? 128
                                                                                      : 512;
        const int halvings = solver == SLV_MS_RK4 ? 3 : quick ? 3 : 4;
        for (int k = 0; k <= halvings; k++) {
            const uint32_t steps = first << k;
            (void)fprintf(file, "%s,%u,%.6g,%.6g\n", slv_solver_get_name(solver), steps,
                          duration / steps, measure_error(solver, steps, &reference));
            (void)fflush(file);
        }
    }
    (void)fclose(file);
}

// --- Energy --------------------------------------------------------------------------------------------

static double find_energy(const slv_world *world, lab_springs springs, double mass, double h) {
    static double x[COUNT][3];
    double energy = 0.0;
    for (uint32_t p = 0; p < COUNT; p++) {
        double moved[3];
        lab_read(world, p, x[p], moved);
        energy += mass * gravity * x[p][1];
        for (int d = 0; d < 3; d++) {
            energy += is_fixed(p) ? 0.0 : 0.5 * mass * moved[d] * moved[d] / (h * h);
        }
    }
    for (uint32_t s = 0; s < springs.count; s++) {
        const lab_spring *spring = &springs.list[s];
        double square = 0.0;
        for (int d = 0; d < 3; d++) {
            const double apart = x[spring->a][d] - x[spring->b][d];
            square += apart * apart;
        }
        const double stretched = sqrt(square) - spring->rest;
        energy += 0.5 * spring->stiffness * stretched * stretched;
    }
    return energy;
}

// Ends at the first step that diverges.
static void follow_energy(FILE *file, slv_solver solver, uint32_t steps) {
    static state start;
    const double h = 0.005;
    const uint32_t samples = 200;
    lab_cloth cloth = smooth_cloth(solver, h);
    cloth.outer = 2;
    cloth.inner = 60;
    slv_world *world = lab_open(&cloth);
    begin(world, &start);
    const lab_springs springs = lab_copy_springs(world);
    const double first = find_energy(world, springs, cloth.mass, h);
    bool stable = true;
    for (uint32_t n = 0; stable && n <= samples; n++) {
        const double energy = find_energy(world, springs, cloth.mass, h);
        (void)fprintf(file, "%s,%u,%.8g,%.8g\n", slv_solver_get_name(solver), n * (steps / samples),
                      energy, energy - first);
        stable = slv_world_step(world, steps / samples) == SLV_OK;
    }
    lab_free_springs(springs);
    slv_world_destroy(world);
}

static void study_energy(const char *folder, bool quick) {
    FILE *file = lab_open_csv(folder, "energy");
    (void)fprintf(file, "integrator,step,energy_j,change_j\n");
    for (int n = 0; n < LAB_INTEGRATORS; n++) {
        follow_energy(file, lab_integrators[n], quick ? 10000 : 100000);
        (void)fflush(file);
    }
    (void)fclose(file);
}

// --- Numerical damping -----------------------------------------------------------------------------------

// Kinetic and elastic energy over mass, J/kg, of a cloth of 2 x 2 particles. Implicit Euler conserves it but for its damping.
static double find_oscillation(const slv_world *world, lab_springs springs, double h) {
    double energy = 0.0;
    for (uint32_t p = 0; p < 4; p++) {
        double x[3];
        double moved[3];
        lab_read(world, p, x, moved);
        energy += 0.5 * (moved[0] * moved[0] + moved[2] * moved[2]) / (h * h);
    }
    for (uint32_t s = 0; s < springs.count; s++) {
        double a[3];
        double b[3];
        double ignored[3];
        lab_read(world, springs.list[s].a, a, ignored);
        lab_read(world, springs.list[s].b, b, ignored);
        const double stretched = hypot(a[0] - b[0], a[2] - b[2]) - springs.list[s].rest;
        energy += 0.5 * springs.list[s].stiffness * stretched * stretched;
    }
    return energy;
}

// Rate at which the method damps an oscillation of frequency w during a second, 1/s. A cloth of 2 x 2 particles breathes;
// its stretched pairs are such oscillators.
static double measure_damping(double w, double h) {
    static const double none[3] = {0.0, 0.0, 0.0};
    const uint32_t steps = (uint32_t)(1.0 / h + 0.5);
    lab_cloth cloth = lab_default_cloth(SLV_MS_IMPLICIT_EULER);
    cloth.side = 2;
    cloth.stiffness[0] = 0.5 * w * w;
    cloth.time_step = h;
    slv_world *world = lab_open(&cloth);
    const lab_springs springs = lab_copy_springs(world);
    for (uint32_t p = 0; p < 4; p++) {
        double position[3];
        double ignored[3];
        lab_read(world, p, position, ignored);
        for (int d = 0; d < 3; d++) {
            position[d] *= 1.05;
        }
        lab_write(world, p, position, none);
    }
    const double before = find_oscillation(world, springs, h);
    if (slv_world_step(world, steps) != SLV_OK) {
        lab_stop("damping", slv_world_get_message(world));
    }
    const double after = find_oscillation(world, springs, h);
    lab_free_springs(springs);
    slv_world_destroy(world);
    return -0.5 * log(after / before) / (h * steps);
}

// Against theory: a step divides the amplitude by sqrt(1 + h² w²).
static void study_damping(const char *folder) {
    FILE *file = lab_open_csv(folder, "damping");
    const double w = 6.2831853071795865;
    (void)fprintf(file, "step_s,measured_1_per_s,theory_1_per_s\n");
    for (int doubling = 0; doubling < 6; doubling++) {
        const double h = 0.001 * (1 << doubling);
        (void)fprintf(file, "%.6g,%.6g,%.6g\n", h, measure_damping(w, h),
                      0.5 * log(1.0 + h * h * w * w) / h);
    }
    (void)fclose(file);
}

void lab_study_order(const char *folder, bool quick) {
    study_order(folder, quick);
    study_energy(folder, quick);
    study_damping(folder);
}
