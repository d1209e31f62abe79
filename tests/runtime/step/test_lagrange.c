// SPDX-License-Identifier: MIT
// Distance constraints with Lagrange multipliers, and mass-spring steps with a constant matrix: against closed forms and
// against the same step in double.
#include "runtime/world/world.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static slv_world_def solved_world(slv_solver solver, double h, uint32_t outer, uint32_t inner) {
    slv_world_def def = plain_world(solver, h);
    def.parameters.outer_iterations = outer;
    def.parameters.inner_iterations = inner;
    return def;
}

static double distance(const slv_world *world, uint32_t one, uint32_t other) {
    double a[6];
    double b[6];
    slv_layout_read_exactly(&world->layout, 0, one, a);
    slv_layout_read_exactly(&world->layout, 0, other, b);
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// --- Lagrange multipliers ---------------------------------------------------------------------------

static void a_chain_keeps_its_lengths(void **state) {
    (void)state;
    enum { COUNT = 20 };
    slv_world_def def = solved_world(SLV_MS_LAGRANGE, 1.0 / 240.0, 2, 40);
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.fixed = (const uint32_t[]){0};
    garment.fixed_count = 1;
    (void)must_add(world, make_chain(COUNT, 0.05f), garment);
    double worst = 0.0;
    for (int n = 0; n < 480; n++) {
        must_step(world, 1);
        for (uint32_t p = 1; p < COUNT; p++) {
            worst = fmax(worst, fabs(distance(world, p - 1, p) / 0.05 - 1.0));
        }
    }
    assert_true(worst < 1e-4);
    slv_world_destroy(world);
}

// PBD with as many iterations leaves springs longer. All of the upper edge is fixed: inextensible cloth cannot hang from two
// points that are as far apart as its edge is long.
static void cloth_stretches_less_than_by_local_iterations(void **state) {
    (void)state;
    enum { SIDE = 24 };
    double stretch[2];
    uint32_t edge[SIDE];
    for (uint32_t i = 0; i < SIDE; i++) {
        edge[i] = i;
    }
    for (int n = 0; n < 2; n++) {
        slv_world_def def = solved_world(n == 0 ? SLV_MS_LAGRANGE : SLV_PBD_GS, 1.0 / 240.0, 1, 60);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.stretch_stiffness = 1e8f;
        garment.fixed = edge;
        garment.fixed_count = SIDE;
        (void)must_add(world, make_grid(SIDE, 1, SIDE, 0.04f, NULL), garment);
        must_step(world, 240);
        stretch[n] = must_measure(world).max_stretch;
        slv_world_destroy(world);
    }
    assert_true(stretch[0] < 1.0005);
    assert_true(stretch[0] - 1.0 < 0.1 * (stretch[1] - 1.0));
}

// Springs that are not of the first class have their stiffness. Two masses hang from the middle of a rod that a bending
// spring of rest length 2 r keeps straight: at rest m g tan a = k (2 r - 2 r sin a), with the angle a from the vertical.
static void softer_springs_have_their_stiffness(void **state) {
    (void)state;
    const double mass = 0.1;
    const double stiffness = 1.0;
    slv_world_def def = solved_world(SLV_MS_LAGRANGE, 0.01, 4, 20);
    def.parameters.damping = 3.0f;
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = (float)mass;
    garment.stretch_stiffness = 1e6f;
    garment.bending_stiffness = (float)stiffness;
    garment.fixed = (const uint32_t[]){1};
    garment.fixed_count = 1;
    (void)must_add(world, make_grid(3, 1, 1, 0.5f, NULL), garment);
    must_step(world, 1000);
    double low = 0.0;
    double high = 1.0; // sines
    for (int n = 0; n < 60; n++) {
        const double sine = 0.5 * (low + high);
        const double pull = mass * 9.81 * sine / sqrt(1.0 - sine * sine);
        *(pull < stiffness * (1.0 - sine) ? &low : &high) = sine;
    }
    assert_near(distance(world, 0, 2), low, 1e-3);
    slv_world_destroy(world);
}

static void momentum_is_kept(void **state) {
    (void)state;
    enum { NX = 7, NZ = 6, COUNT = NX * NZ };
    static const slv_solver solvers[] = {SLV_MS_LAGRANGE, SLV_MS_CONSTANT_MATRIX,
                                         SLV_MS_LOCAL_GLOBAL};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        slv_world_def def = solved_world(solvers[s], 0.01, 3, 60);
        memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.02f;
        garment.stretch_stiffness = 50.0f;
        garment.stretch = 1.2f;
        garment.velocity[0] = 1.0f;
        garment.spin[1] = 3.0f;
        (void)must_add(world, make_cloth(NX, NZ, 0.1f, false), garment);
        must_step(world, 100);
        double sum[3] = {0.0, 0.0, 0.0};
        for (uint32_t p = 0; p < COUNT; p++) {
            double at[6];
            slv_layout_read_exactly(&world->layout, 0, p, at);
            for (int d = 0; d < 3; d++) {
                sum[d] += (at[d] - at[3 + d]) / (0.01 * COUNT);
            }
        }
        assert_near(sum[0], 1.0, 1e-4);
        assert_near(sum[1], 0.0, 1e-4);
        assert_near(sum[2], 0.0, 1e-4);
        slv_world_destroy(world);
    }
}

// --- The constant matrix ------------------------------------------------------------------------------

// Along its direction a spring's matrix is exact: the step is that of implicit Euler in one dimension.
static void a_spring_steps_as_in_double(void **state) {
    (void)state;
    const double h = 0.05;
    const double w2 = 400.0;
    const double c = 3.0;
    slv_world_def def = solved_world(SLV_MS_CONSTANT_MATRIX, h, 1, 4);
    memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.5f;
    garment.stretch_stiffness = (float)(0.5 * w2);
    garment.spring_damping = (float)(c / w2);
    garment.velocity[0] = 1.0f;
    garment.fixed = (const uint32_t[]){0};
    garment.fixed_count = 1;
    (void)must_add(world, make_chain(2, 1.0f), garment);
    double x = 0.0;
    double v = 1.0;
    for (int n = 0; n < 40; n++) {
        double at[6];
        must_step(world, 1);
        v += (-h * w2 * (x + h * v) - h * c * v) / (1.0 + h * c + h * h * w2);
        x += h * v;
        slv_layout_read_exactly(&world->layout, 0, 1, at);
        assert_near(at[0] - 1.0, x, 2e-6);
        assert_near((at[0] - at[3]) / h, v, 2e-5);
    }
    slv_world_destroy(world);
}

// Across it the matrix holds a spring as it does along it: a mass on a spring at rest that moves to the side is slowed
// down, which implicit Euler with the true matrix does not do.
static void turning_is_resisted_as_the_matrix_says(void **state) {
    (void)state;
    const double h = 0.01;
    double velocity[2];
    for (int n = 0; n < 2; n++) {
        slv_world_def def =
            solved_world(n == 0 ? SLV_MS_CONSTANT_MATRIX : SLV_MS_IMPLICIT_EULER, h, 1, 8);
        memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.5f;
        garment.stretch_stiffness = 100.0f;
        garment.velocity[1] = 0.5f;
        garment.fixed = (const uint32_t[]){0};
        garment.fixed_count = 1;
        (void)must_add(world, make_chain(2, 1.0f), garment);
        must_step(world, 1);
        double at[6];
        slv_layout_read_exactly(&world->layout, 0, 1, at);
        velocity[n] = (at[1] - at[4]) / h;
        slv_world_destroy(world);
    }
    assert_near(velocity[0], 0.5 / (1.0 + h * h * 100.0 / 0.5), 1e-5);
    assert_near(velocity[1], 0.5, 1e-5);
}

// --- All of them --------------------------------------------------------------------------------------

// Springs between particles in one place have no direction: their rows are zero, and multipliers singular. A chain of four
// of which two pairs coincide, one of them fixed.
static void particles_in_one_place_do_not_break_a_solve(void **state) {
    (void)state;
    for (int solver = SLV_MS_EXPLICIT_EULER; solver <= SLV_MS_LAGRANGE; solver++) {
        slv_world_def def = solved_world((slv_solver)solver, 0.001, 2, 20);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.1f;
        garment.stretch_stiffness = 100.0f;
        garment.bending_stiffness = 10.0f;
        garment.buckling_rigidity = 1e-4f;
        garment.spring_damping = 0.01f;
        garment.fixed = (const uint32_t[]){0};
        garment.fixed_count = 1;
        (void)must_add(world, make_grid(4, 1, 1, 0.1f, NULL), garment);
        double at[6];
        for (uint32_t p = 1; p < 4; p += 2) {
            slv_layout_read_exactly(&world->layout, 0, p - 1, at);
            slv_layout_write_exactly(&world->layout, 0, p, at);
        }
        must_step(world, 200);
        for (uint32_t p = 0; p < 4; p++) {
            slv_layout_read_exactly(&world->layout, 0, p, at);
            for (int d = 0; d < 3; d++) {
                assert_true(fabs(at[d]) < 2.0);
            }
        }
        slv_world_destroy(world);
    }
}

// With a new solver every five steps a pendulum keeps swinging: velocities are handed on.
static void solvers_change_in_motion(void **state) {
    (void)state;
    static const slv_solver solvers[] = {
        SLV_MS_LOCAL_GLOBAL, SLV_MS_LAGRANGE,       SLV_MS_SYMPLECTIC_EULER,
        SLV_PBD_GS,          SLV_MS_IMPLICIT_EULER, SLV_MS_VERLET,
        SLV_PD_RBGS};
    const double h = 0.001;
    slv_world_def def = solved_world(SLV_MS_LOCAL_GLOBAL, h, 8, 20);
    slv_world *world = must_create(&def);
    slv_parameters parameters = slv_world_get_parameters(world);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 1.0f;
    garment.stretch_stiffness = 1e4f;
    garment.rotation[2] = -0.5f * sqrtf(3.0f); // 30 degrees from hanging down
    garment.rotation[3] = 0.5f;
    garment.fixed = (const uint32_t[]){0};
    garment.fixed_count = 1;
    (void)must_add(world, make_chain(2, 1.0f), garment);
    double before[6];
    double at[6];
    slv_layout_read_exactly(&world->layout, 0, 1, before);
    const double height = 9.81 * before[1];
    for (int n = 0; n < 120; n++) {
        parameters.solver = solvers[(size_t)n % (sizeof solvers / sizeof *solvers)];
        assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
        must_step(world, 5);
    }
    slv_layout_read_exactly(&world->layout, 0, 1, at);
    double energy = 9.81 * at[1];
    for (int d = 0; d < 3; d++) {
        energy += 0.5 * (at[d] - at[3 + d]) * (at[d] - at[3 + d]) / (h * h);
    }
    assert_true(fabs(at[0] - before[0]) > 0.3); // it has swung
    assert_near(energy, height, 0.1);
    slv_world_destroy(world);
}

static void a_blow_up_is_reported_in_the_step_where_it_happens(void **state) {
    (void)state;
    for (int solver = SLV_MS_CONSTANT_MATRIX; solver <= SLV_MS_LAGRANGE; solver++) {
        slv_world_def def = plain_world((slv_solver)solver, 0.01);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.velocity[0] = 1e6f;
        garment.position[0] = 8.95e5;
        (void)must_add(world, make_chain(2, 1.0f), garment);
        slv_result status = SLV_OK;
        int steps = 0;
        for (; status == SLV_OK && steps < 40; steps++) {
            status = slv_world_step(world, 1);
        }
        assert_int_equal(status, SLV_ERROR_DIVERGED);
        slv_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_keeps_its_lengths),
        cmocka_unit_test(cloth_stretches_less_than_by_local_iterations),
        cmocka_unit_test(softer_springs_have_their_stiffness),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(a_spring_steps_as_in_double),
        cmocka_unit_test(turning_is_resisted_as_the_matrix_says),
        cmocka_unit_test(particles_in_one_place_do_not_break_a_solve),
        cmocka_unit_test(solvers_change_in_motion),
        cmocka_unit_test(a_blow_up_is_reported_in_the_step_where_it_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
