// SPDX-License-Identifier: MIT
// Mass-spring solvers: each integrator compared with the same one in double, with closed forms, and with the misprinted
// formulas of the papers, from which it must differ.
#include "runtime/world/world.h"
#include "tests/common/random.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static const slv_solver explicit_solvers[] = {SLV_MS_EXPLICIT_EULER, SLV_MS_SYMPLECTIC_EULER,
                                              SLV_MS_MIDPOINT, SLV_MS_RK4, SLV_MS_VERLET};
enum { EXPLICIT_COUNT = sizeof explicit_solvers / sizeof *explicit_solvers };

// --- A mass on a spring, in double -------------------------------------------------------------------

// x'' = -w² x - c x'
typedef struct oscillator {
    double w2, c;
} oscillator;

typedef struct motion {
    double x, v;
} motion;

static motion rate(oscillator o, motion m) {
    return (motion){m.v, -o.w2 * m.x - o.c * m.v};
}

static motion moved(motion m, double h, motion rates) {
    return (motion){m.x + h * rates.x, m.v + h * rates.v};
}

static motion runge_kutta(oscillator o, motion m, double h, double last) {
    const motion k1 = rate(o, m);
    const motion k2 = rate(o, moved(m, 0.5 * h, k1));
    const motion k3 = rate(o, moved(m, 0.5 * h, k2));
    const motion k4 = rate(o, moved(m, last * h, k3));
    return (motion){m.x + h / 6.0 * (k1.x + 2.0 * k2.x + 2.0 * k3.x + k4.x),
                    m.v + h / 6.0 * (k1.v + 2.0 * k2.v + 2.0 * k3.v + k4.v)};
}

static motion verlet(oscillator o, motion m, double h) {
    const double middle = m.x + 0.5 * h * m.v;
    const double v = m.v + h * rate(o, (motion){middle, m.v}).v;
    return (motion){middle + 0.5 * h * v, v};
}

static motion exact_step(slv_solver solver, oscillator o, motion m, double h) {
    switch (solver) {
    case SLV_MS_EXPLICIT_EULER:
        return moved(m, h, rate(o, m));
    case SLV_MS_SYMPLECTIC_EULER:
        m.v += h * rate(o, m).v;
        return (motion){m.x + h * m.v, m.v};
    case SLV_MS_MIDPOINT:
        return moved(m, h, rate(o, moved(m, 0.5 * h, rate(o, m))));
    case SLV_MS_RK4:
        return runge_kutta(o, m, h, 1.0);
    default:
        return verlet(o, m, h);
    }
}

// --- The same in a world -----------------------------------------------------------------------------

// A mass on a spring of 1 m that moves along x. It begins at rest length with a velocity of 1 m/s.
typedef struct sprung_mass {
    slv_world *world;
    slv_garment_id id;
    double h;
} sprung_mass;

static sprung_mass open_oscillator(slv_solver solver, oscillator o, double h) {
    slv_world_def def = plain_world(solver, h);
    memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.5f;
    garment.stretch_stiffness = (float)(0.5 * o.w2);
    garment.spring_damping = (float)(o.c / o.w2);
    garment.velocity[0] = 1.0f;
    garment.fixed = (const uint32_t[]){0};
    garment.fixed_count = 1;
    sprung_mass made = {must_create(&def), {0}, h};
    made.id = must_add(made.world, make_chain(2, 1.0f), garment);
    return made;
}

static motion read_motion(const sprung_mass *mass) {
    double at[6];
    slv_layout_read_exactly(&mass->world->layout, 0, 1, at);
    assert_true(at[1] == 0.0 && at[2] == 0.0);
    return (motion){at[0] - 1.0, (at[0] - at[3]) / mass->h};
}

// --- Integrators -------------------------------------------------------------------------------------

static void every_integrator_steps_as_in_double(void **state) {
    (void)state;
    const oscillator cases[] = {{40.0, 0.0}, {40.0, 3.0}};
    const double h = 0.01;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        for (size_t s = 0; s < EXPLICIT_COUNT; s++) {
            const sprung_mass mass = open_oscillator(explicit_solvers[s], cases[n], h);
            motion expected = {0.0, 1.0};
            for (int step = 1; step <= 200; step++) {
                must_step(mass.world, 1);
                expected = exact_step(explicit_solvers[s], cases[n], expected, h);
                const motion found = read_motion(&mass);
                if (!(fabs(found.x - expected.x) < 2e-6 && fabs(found.v - expected.v) < 2e-5)) {
                    fail_msg("%s, step %d: %.9g m, %.9g m/s in place of %.9g and %.9g",
                             slv_solver_get_name(explicit_solvers[s]), step, found.x, found.v,
                             expected.x, expected.v);
                }
            }
            slv_world_destroy(mass.world);
        }
    }
}

// Error of position and velocity after a quarter second.
static double measure_error(slv_solver solver, oscillator o, double h) {
    const double end = 0.25;
    const double w = sqrt(o.w2);
    const sprung_mass mass = open_oscillator(solver, o, h);
    must_step(mass.world, (uint32_t)(end / h + 0.5));
    const motion found = read_motion(&mass);
    slv_world_destroy(mass.world);
    return hypot(w * found.x - sin(w * end), found.v - cos(w * end));
}

static void halving_the_step_divides_the_error_by_two_to_the_order(void **state) {
    (void)state;
    static const double orders[EXPLICIT_COUNT] = {1.0, 1.0, 2.0, 4.0, 2.0};
    const oscillator o = {100.0, 0.0};
    for (size_t s = 0; s < EXPLICIT_COUNT; s++) {
        const double h = orders[s] > 3.0 ? 0.025 : 0.0025;
        const double order = log2(measure_error(explicit_solvers[s], o, h) /
                                  measure_error(explicit_solvers[s], o, 0.5 * h));
        assert_near(order, orders[s], 0.15);
    }
}

// Printed formulas: the fourth slope at half a step (2.17) and a position that follows the new velocity in what is
// called explicit Euler (2.15).
static void misprinted_formulas_are_other_integrators(void **state) {
    (void)state;
    const oscillator o = {40.0, 0.0};
    const double h = 0.1;
    motion printed = {0.0, 1.0};
    motion right = printed;
    const sprung_mass mass = open_oscillator(SLV_MS_RK4, o, h);
    for (int step = 0; step < 20; step++) {
        printed = runge_kutta(o, printed, h, 0.5);
        right = runge_kutta(o, right, h, 1.0);
    }
    must_step(mass.world, 20);
    assert_near(read_motion(&mass).x, right.x, 1e-5);
    assert_true(hypot(printed.x - right.x, (printed.v - right.v) / sqrt(o.w2)) > 0.03);
    slv_world_destroy(mass.world);
    const sprung_mass euler = open_oscillator(SLV_MS_EXPLICIT_EULER, o, h);
    must_step(euler.world, 2);
    const motion symplectic =
        exact_step(SLV_MS_SYMPLECTIC_EULER, o,
                   exact_step(SLV_MS_SYMPLECTIC_EULER, o, (motion){0.0, 1.0}, h), h);
    assert_true(fabs(read_motion(&euler).x - symplectic.x) > 1e-3);
    slv_world_destroy(euler.world);
}

// Along the spring the sign of (2.7) as printed would push a stretched spring's end away.
static void a_stretched_spring_pulls_and_a_compressed_one_pushes(void **state) {
    (void)state;
    for (size_t s = 0; s < EXPLICIT_COUNT; s++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            slv_world_def def = plain_world(explicit_solvers[s], 0.001);
            memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
            slv_world *world = must_create(&def);
            slv_garment_def garment = slv_default_garment_def();
            garment.particle_mass = 1.0f;
            garment.stretch_stiffness = 100.0f;
            garment.stretch = 1.0f + 0.25f * (float)sign;
            (void)must_add(world, make_chain(2, 1.0f), garment);
            must_step(world, 3);
            double at[6];
            slv_layout_read_exactly(&world->layout, 0, 1, at);
            assert_true((at[0] - at[3]) * sign < 0.0);
            slv_world_destroy(world);
        }
    }
}

// --- A pendulum --------------------------------------------------------------------------------------

// Time between two passages through the lowest point in the same direction.
static double measure_period(slv_solver solver, double angle) {
    const double h = 0.0005;
    slv_world_def def = plain_world(solver, h);
    slv_world *world = must_create(&def);
    generated_garment *made = make_chain(2, 1.0f);
    slv_garment *view = generated_view(made);
    float x[2] = {0.0f, (float)sin(angle)};
    float y[2] = {0.0f, (float)-cos(angle)};
    view->x = x;
    view->y = y;
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 1.0f;
    garment.stretch_stiffness = 2e4f;
    garment.spring_damping = 0.001f;
    garment.fixed = (const uint32_t[]){0};
    garment.fixed_count = 1;
    const slv_garment_id id = must_add(world, made, garment);
    double passages[2] = {0.0, 0.0};
    int found = 0;
    float before = x[1];
    for (int n = 1; found < 2 && n < 12000; n++) {
        float now[3];
        must_step(world, 1);
        must_position(world, id, 1, now);
        if (before < 0.0f && now[0] >= 0.0f) {
            const double share = (double)before / ((double)before - (double)now[0]);
            passages[found++] = h * (n - 1 + share);
        }
        before = now[0];
    }
    assert_int_equal(found, 2);
    slv_world_destroy(world);
    return passages[1] - passages[0];
}

// Not with the constant matrix, which resists turning (test_lagrange.c).
static void a_pendulum_has_the_period_of_its_length_with_every_integrator(void **state) {
    (void)state;
    const double angle = 0.2;
    const double length = 1.0 + 9.81 / 2e4;
    const double expected = 2.0 * pi * sqrt(length / 9.81) * (1.0 + angle * angle / 16.0);
    static const slv_solver others[] = {SLV_MS_IMPLICIT_EULER, SLV_MS_LOCAL_GLOBAL,
                                        SLV_MS_LAGRANGE};
    for (size_t s = 0; s < EXPLICIT_COUNT + sizeof others / sizeof *others; s++) {
        const slv_solver solver =
            s < EXPLICIT_COUNT ? explicit_solvers[s] : others[s - EXPLICIT_COUNT];
        assert_near(measure_period(solver, angle), expected, 0.001 * expected);
    }
}

// --- Forces of a whole cloth --------------------------------------------------------------------------

enum { NX = 7, NZ = 6, COUNT = NX * NZ };

// Moves all particles at random, with random velocities; both in metres.
static void crumple(slv_world *world, double noise, double displacement) {
    uint32_t seed = 7;
    for (uint32_t p = 0; p < world->bodies[0]->count; p++) {
        double at[6];
        slv_layout_read_exactly(&world->layout, 0, p, at);
        for (int d = 0; d < 3; d++) {
            at[d] += noise * (next_random(&seed) / 16777216.0 - 0.5);
            at[3 + d] = at[d] - displacement * (next_random(&seed) / 16777216.0 - 0.5);
        }
        slv_layout_write_exactly(&world->layout, 0, p, at);
    }
}

// The push of Choi and Ko's bending spring, N: their fit, or that of a linear spring where it is less.
static double buckle(double rigidity, double k, double rest, double length) {
    const double s = length / rest;
    const double fit =
        -11.541 * pow(s, 4.0) + 34.193 * pow(s, 3.0) - 39.083 * s * s + 23.116 * s - 9.713;
    return fmin(-4.0 * rigidity / (rest * rest) * fit, k * (rest - length));
}

// Acceleration of every particle by springs and gravity, in double.
static void accelerate(const slv_world *world, double h, double damping, double mass,
                       double found[COUNT][3]) {
    const slv_body *body = world->bodies[0];
    for (uint32_t p = 0; p < COUNT; p++) {
        found[p][0] = found[p][2] = 0.0;
        found[p][1] = -9.81;
    }
    for (uint32_t s = 0; s < body->spring_count; s++) {
        const slv_spring *spring = &body->springs[s];
        const double k = body->stiffness[spring->stiffness_class];
        double a[6];
        double b[6];
        double square = 0.0;
        double closing = 0.0;
        slv_layout_read_exactly(&world->layout, 0, spring->a, a);
        slv_layout_read_exactly(&world->layout, 0, spring->b, b);
        for (int d = 0; d < 3; d++) {
            square += (a[d] - b[d]) * (a[d] - b[d]);
            closing += (a[d] - b[d]) * ((a[d] - a[3 + d]) - (b[d] - b[3 + d])) / h;
        }
        const double elastic =
            body->buckles[spring->stiffness_class]
                ? -buckle(body->buckling_rigidity, k, (double)spring->rest, sqrt(square)) /
                      sqrt(square)
                : k * (1.0 - (double)spring->rest / sqrt(square));
        const double pull = elastic + k * damping * closing / square;
        for (int d = 0; d < 3; d++) {
            found[spring->a][d] -= pull * (a[d] - b[d]) / mass;
            found[spring->b][d] += pull * (a[d] - b[d]) / mass;
        }
    }
}

// After one step of either Euler method the velocity has changed by h times the acceleration at the start.
static void forces_of_all_classes_of_springs_add_up(void **state) {
    (void)state;
    static double expected[COUNT][3];
    static double before[COUNT][6];
    const double h = 0.001;
    for (int n = 0; n < 4; n++) {
        const slv_solver solver = n % 2 == 0 ? SLV_MS_EXPLICIT_EULER : SLV_MS_SYMPLECTIC_EULER;
        slv_world_def def = plain_world(solver, h);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.02f;
        garment.stretch_stiffness = 50.0f;
        garment.shear_stiffness = 20.0f;
        garment.bending_stiffness = 5.0f;
        garment.buckling_rigidity = n / 2 == 0 ? 0.0f : 5e-4f;
        garment.spring_damping = 0.01f;
        (void)must_add(world, make_grid(NX, 1, NZ, 0.1f, NULL), garment);
        assert_int_equal(world->bodies[0]->class_count, 3);
        crumple(world, 0.05, 1e-3);
        accelerate(world, h, (double)garment.spring_damping, (double)garment.particle_mass,
                   expected);
        for (uint32_t p = 0; p < COUNT; p++) {
            slv_layout_read_exactly(&world->layout, 0, p, before[p]);
        }
        must_step(world, 1);
        for (uint32_t p = 0; p < COUNT; p++) {
            double after[6];
            slv_layout_read_exactly(&world->layout, 0, p, after);
            for (int d = 0; d < 3; d++) {
                const double v0 = (before[p][d] - before[p][3 + d]) / h;
                const double v1 = (after[d] - after[3 + d]) / h;
                const double v = solver == SLV_MS_EXPLICIT_EULER ? v0 : v1;
                assert_near((v1 - v0) / h, expected[p][d], 2e-3);
                assert_near(after[d], before[p][d] + h * v, 1e-10);
            }
        }
        slv_world_destroy(world);
    }
}

// The fit against the arc that it stands for: s = sin u / u, and the force that bends a strip of rigidity kb so far.
static void a_bent_spring_pushes_as_an_arc_does(void **state) {
    (void)state;
    const double rigidity = 2.0;
    const double rest = 2.0;
    for (int n = 1; n < 10; n++) {
        const double u = 0.3 * n;
        const double s = sin(u) / u;
        const double exact = 4.0 * rigidity * u * u / (rest * rest) / (s - cos(u));
        slv_world_def def = plain_world(SLV_MS_SYMPLECTIC_EULER, 0.001);
        memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 1.0f;
        garment.bending_stiffness = 1e5f;
        garment.buckling_rigidity = (float)rigidity;
        generated_garment *made = make_grid(3, 1, 1, 1.0f, NULL);
        (void)must_add(world, made, garment);
        double start[6];
        double at[6];
        for (uint32_t p = 0; p < 3;
             p++) { // the ends come nearer, over the one between, whose springs are at rest
            slv_layout_read_exactly(&world->layout, 0, p, start);
            start[0] = start[3] = s * ((double)p - 1.0);
            start[1] = start[4] = p == 1 ? sqrt(1.0 - s * s) : 0.0;
            slv_layout_write_exactly(&world->layout, 0, p, start);
        }
        must_step(world, 1);
        slv_layout_read_exactly(&world->layout, 0, 2, at);
        assert_near((at[0] - at[3]) / 1e-6, exact, 0.02 * exact);
        slv_world_destroy(world);
    }
}

// Choi and Ko's diagonals over two squares: 6 x 5 threads along x and z, and both directions of diagonals.
static void springs_that_buckle_go_along_diagonals_too(void **state) {
    (void)state;
    uint32_t counts[2];
    for (int n = 0; n < 2; n++) {
        slv_world_def def = plain_world(SLV_MS_RK4, 0.001);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.stretch_stiffness = 50.0f;
        garment.bending_stiffness = 50.0f; // a class of their own all the same
        garment.buckling_rigidity = n == 0 ? 0.0f : 1e-4f;
        (void)must_add(world, make_grid(NX, 1, NZ, 0.1f, NULL), garment);
        counts[n] = world->bodies[0]->spring_count;
        assert_int_equal(world->bodies[0]->class_count, n + 1);
        slv_world_destroy(world);
    }
    assert_int_equal(counts[1] - counts[0], 2 * (NX - 2) * (NZ - 2));
}

static void momentum_is_kept_by_every_integrator(void **state) {
    (void)state;
    for (size_t s = 0; s < EXPLICIT_COUNT; s++) {
        slv_world_def def = plain_world(explicit_solvers[s], 0.001);
        memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.02f;
        garment.stretch_stiffness = 50.0f;
        garment.spring_damping = 0.005f;
        garment.velocity[0] = 1.0f;
        (void)must_add(world, make_cloth(NX, NZ, 0.1f, false), garment);
        crumple(world, 0.05, 0.0);
        must_step(world, 300);
        double sum[3] = {0.0, 0.0, 0.0};
        for (uint32_t p = 0; p < COUNT; p++) {
            double at[6];
            slv_layout_read_exactly(&world->layout, 0, p, at);
            for (int d = 0; d < 3; d++) {
                sum[d] += (at[d] - at[3 + d]) / (0.001 * COUNT);
            }
        }
        for (int d = 0; d < 3; d++) {
            assert_near(sum[d], 0.0, 2e-5); // crumpling stopped it
        }
        slv_world_destroy(world);
    }
}

// The air moves a cloth at rest in the first step as it does with any other solver.
static void wind_accelerates_as_with_other_solvers(void **state) {
    (void)state;
    double reference = 0.0;
    for (size_t s = 0; s <= EXPLICIT_COUNT; s++) {
        slv_world_def def = plain_world(s > 0 ? explicit_solvers[s - 1] : SLV_PD_RBGS, 0.001);
        memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
        def.parameters.wind[1] = 6.0f;
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.02f;
        garment.stretch_stiffness = 50.0f;
        garment.drag = 1.0f;
        (void)must_add(world, make_grid(NX, 1, NZ, 0.1f, NULL), garment);
        must_step(world, 1);
        double sum = 0.0;
        for (uint32_t p = 0; p < COUNT; p++) {
            double at[6];
            slv_layout_read_exactly(&world->layout, 0, p, at);
            sum += at[1] - at[4];
        }
        reference = s == 0 ? sum : reference;
        assert_true(reference > 0.0);
        assert_near(sum, reference, 1e-4 * reference);
        slv_world_destroy(world);
    }
}

// w A (n . W) n over all triangles: along the normal alone, and the same however the cloth moves.
static void the_papers_wind_presses_along_normals(void **state) {
    (void)state;
    for (int n = 0; n < 4; n++) {
        const double h = 0.001;
        slv_world_def def = plain_world(n % 2 == 0 ? SLV_MS_VERLET : SLV_PD_RBGS, h);
        memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
        def.parameters.wind[0] = 3.0f;
        def.parameters.wind[1] = -4.0f;
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.02f;
        garment.stretch_stiffness = 50.0f;
        garment.wind_pressure = 0.5f;
        garment.velocity[1] = n / 2 == 0 ? 0.0f : 2.0f;
        (void)must_add(world, make_grid(NX, 1, NZ, 0.1f, NULL), garment);
        must_step(world, 1);
        double sum[3] = {0.0, 0.0, 0.0};
        for (uint32_t p = 0; p < COUNT; p++) {
            double at[6];
            slv_layout_read_exactly(&world->layout, 0, p, at);
            for (int d = 0; d < 3; d++) {
                sum[d] += ((at[d] - at[3 + d]) / h - (double)garment.velocity[d]) * 0.02 / h;
            }
        }
        assert_near(sum[0], 0.0, 1e-3);
        assert_near(sum[1], -0.5 * 0.1 * (NX - 1) * 0.1 * (NZ - 1) * 4.0, 1e-3);
        assert_near(sum[2], 0.0, 1e-3);
        slv_world_destroy(world);
    }
}

// --- State -------------------------------------------------------------------------------------------

// With a new integrator every seven steps the motion stays that of the spring: velocities are handed on.
static void integrators_change_in_motion(void **state) {
    (void)state;
    const oscillator o = {100.0, 0.0};
    const double h = 0.0005;
    const sprung_mass mass = open_oscillator(SLV_MS_RK4, o, h);
    slv_parameters parameters = slv_world_get_parameters(mass.world);
    motion expected = {0.0, 1.0};
    for (int n = 0; n < 60; n++) {
        parameters.solver = explicit_solvers[n % EXPLICIT_COUNT];
        assert_int_equal(slv_world_set_parameters(mass.world, &parameters), SLV_OK);
        must_step(mass.world, 7);
        for (int step = 0; step < 7; step++) {
            expected = exact_step(parameters.solver, o, expected, h);
        }
    }
    const motion found = read_motion(&mass);
    assert_near(found.x, expected.x, 1e-6);
    assert_near(found.v, expected.v, 1e-5);
    assert_near(10.0 * found.x, sin(10.0 * 420 * h), 5e-3); // as far as Euler's error allows
    slv_world_destroy(mass.world);
}

static void a_garment_of_fixed_particles_stays(void **state) {
    (void)state;
    for (int solver = SLV_MS_EXPLICIT_EULER; solver <= SLV_MS_LAGRANGE; solver++) {
        slv_world_def def = plain_world((slv_solver)solver, 0.01);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.fixed = (const uint32_t[]){0, 1, 2};
        garment.fixed_count = 3;
        garment.stretch = 2.0f;
        (void)must_add(world, make_chain(3, 0.1f), garment);
        const uint64_t before = must_hash(world);
        must_step(world, 10);
        assert_true(must_hash(world) == before);
        slv_world_destroy(world);
    }
}

// A fixed particle that is led along a path is where its path says, and moves the others as a hand does.
static void fixed_particles_follow_their_paths(void **state) {
    (void)state;
    for (size_t s = 0; s < EXPLICIT_COUNT; s++) {
        slv_world_def def = plain_world(explicit_solvers[s], 0.001);
        memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.1f;
        garment.stretch_stiffness = 100.0f;
        garment.spring_damping = 0.05f;
        garment.fixed = (const uint32_t[]){0};
        garment.fixed_count = 1;
        const slv_garment_id id = must_add(world, make_chain(2, 0.5f), garment);
        const float target[3] = {-0.25f, 0.0f, 0.0f};
        const uint32_t hand = 0;
        float position[3];
        assert_int_equal(slv_garment_move_fixed(world, id, &hand, 1, target, 500), SLV_OK);
        must_step(world, 3000);
        must_position(world, id, 0, position);
        assert_true(position[0] == -0.25f);
        must_position(world, id, 1, position);
        assert_near((double)position[0], 0.25, 1e-4);
        slv_world_destroy(world);
    }
}

// --- Refusals -----------------------------------------------------------------------------------------

// Positions of the first step are in range; only the velocity is not.
static void a_blow_up_is_reported_in_the_step_where_it_happens(void **state) {
    (void)state;
    for (size_t s = 0; s < EXPLICIT_COUNT; s++) {
        slv_world_def def = plain_world(explicit_solvers[s], 0.001);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 1e-6f;
        garment.stretch_stiffness = 1e12f;
        garment.stretch = 2.0f;
        (void)must_add(world, make_chain(2, 1.0f), garment);
        const uint64_t before = must_hash(world);
        assert_int_equal(slv_world_step(world, 1), SLV_ERROR_DIVERGED);
        assert_true(strstr(slv_world_get_message(world), "step 1 diverged") != NULL);
        assert_true(must_hash(world) == before);
        slv_world_destroy(world);
    }
}

// Explicit Euler without damping grows in every step, until a step is refused; the state is that before it.
static void growth_without_damping_ends_in_a_refused_step(void **state) {
    (void)state;
    static const slv_solver growing[] = {SLV_MS_EXPLICIT_EULER, SLV_MS_MIDPOINT};
    for (size_t s = 0; s < sizeof growing / sizeof *growing; s++) {
        const oscillator o = {1e4, 0.0};
        const sprung_mass mass = open_oscillator(growing[s], o, 0.015);
        slv_result status = SLV_OK;
        uint64_t before = 0;
        for (int n = 0; status == SLV_OK && n < 200; n++) {
            before = must_hash(mass.world);
            status = slv_world_step(mass.world, 1);
        }
        assert_int_equal(status, SLV_ERROR_DIVERGED);
        assert_true(must_hash(mass.world) == before);
        slv_world_destroy(mass.world);
    }
}

static void damping_out_of_range_is_refused(void **state) {
    (void)state;
    const float wrong[] = {NAN, -1.0f, INFINITY, 2000.0f};
    slv_world_def def = plain_world(SLV_MS_RK4, 0.001);
    slv_world *world = must_create(&def);
    const slv_garment_id id = must_add(world, make_chain(2, 1.0f), slv_default_garment_def());
    slv_garment_material material;
    assert_int_equal(slv_garment_get_material(world, id, &material), SLV_OK);
    const uint64_t before = must_hash(world);
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        material.spring_damping = wrong[n];
        assert_int_equal(slv_garment_set_material(world, id, &material), SLV_ERROR_ARGUMENT);
        assert_true(strstr(slv_world_get_message(world), "spring_damping") != NULL);
    }
    assert_true(must_hash(world) == before);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_integrator_steps_as_in_double),
        cmocka_unit_test(halving_the_step_divides_the_error_by_two_to_the_order),
        cmocka_unit_test(misprinted_formulas_are_other_integrators),
        cmocka_unit_test(a_stretched_spring_pulls_and_a_compressed_one_pushes),
        cmocka_unit_test(a_pendulum_has_the_period_of_its_length_with_every_integrator),
        cmocka_unit_test(forces_of_all_classes_of_springs_add_up),
        cmocka_unit_test(a_bent_spring_pushes_as_an_arc_does),
        cmocka_unit_test(springs_that_buckle_go_along_diagonals_too),
        cmocka_unit_test(momentum_is_kept_by_every_integrator),
        cmocka_unit_test(wind_accelerates_as_with_other_solvers),
        cmocka_unit_test(the_papers_wind_presses_along_normals),
        cmocka_unit_test(integrators_change_in_motion),
        cmocka_unit_test(a_garment_of_fixed_particles_stays),
        cmocka_unit_test(fixed_particles_follow_their_paths),
        cmocka_unit_test(a_blow_up_is_reported_in_the_step_where_it_happens),
        cmocka_unit_test(growth_without_damping_ends_in_a_refused_step),
        cmocka_unit_test(damping_out_of_range_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
