// SPDX-License-Identifier: MIT
// Motion compared with closed-form solutions.
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const double gravity = 9.81;

static slv_garment_def plain_garment(float mass, float stiffness) {
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = mass;
    def.stretch_stiffness = stiffness;
    return def;
}

static void a_free_particle_falls_on_a_parabola(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        slv_world_def def = plain_world((slv_solver)solver, 0.001);
        slv_world *world = must_create(&def);
        slv_garment_def garment = plain_garment(0.1f, 1000.0f);
        garment.velocity[0] = 2.0f;
        garment.velocity[1] = 3.0f;
        slv_garment_id id = must_add(world, make_chain(1, 1.0f), garment);
        must_step(world, 1000);
        float position[3];
        must_position(world, id, 0, position);
        // Steps of length h sum to t² + h t in place of t², explicit Euler's to t² - h t.
        assert_near((double)position[0], 2.0, 3e-3);
        assert_near((double)position[1], 3.0 - 0.5 * gravity, 0.5 * gravity * 0.001 + 3e-3);
        assert_true(position[2] == 0.0f);
        slv_world_destroy(world);
    }
}

static void damping_reduces_the_velocity_each_step(void **state) {
    (void)state;
    slv_world_def def = plain_world(SLV_PD_RBGS, 0.01);
    def.parameters.damping = 2.0f;
    def.parameters.gravity[1] = 0.0f;
    slv_world *world = must_create(&def);
    slv_garment_def garment = plain_garment(0.1f, 1000.0f);
    garment.velocity[0] = 1.0f;
    slv_garment_id id = must_add(world, make_chain(1, 1.0f), garment);
    must_step(world, 100);
    double expected = 0.0;
    double speed = 1.0;
    for (int n = 0; n < 100; n++) {
        speed /= 1.0 + 2.0 * 0.01;
        expected += 0.01 * speed;
    }
    float position[3];
    must_position(world, id, 0, position);
    assert_near((double)position[0], expected, 1e-4);
    slv_world_destroy(world);
}

// Time between two passages through the lowest point in the same direction, found by interpolation.
static double measure_period(slv_world *world, slv_garment_id id, double time_step) {
    double passages[2] = {0.0, 0.0};
    int found = 0;
    float before[3];
    must_position(world, id, 1, before);
    for (int n = 1; found < 2 && n < 20000; n++) {
        float now[3];
        must_step(world, 1);
        must_position(world, id, 1, now);
        if (before[0] < 0.0f && now[0] >= 0.0f) {
            double share = (double)before[0] / ((double)before[0] - (double)now[0]);
            passages[found++] = time_step * (n - 1 + share);
        }
        before[0] = now[0];
    }
    assert_int_equal(found, 2);
    return passages[1] - passages[0];
}

static void a_pendulum_has_the_period_of_its_length(void **state) {
    (void)state;
    const double angle = 0.1;
    const double h = 0.001;
    const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PD_GS, SLV_PBD_GS};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        slv_world_def def = plain_world(solvers[s], h);
        def.parameters.outer_iterations = 40;
        def.parameters.inner_iterations = 1;
        slv_world *world = must_create(&def);
        generated_garment *made = make_chain(2, 1.0f);
        slv_garment *view = generated_view(made);
        float x[2] = {0.0f, (float)sin(angle)};
        float y[2] = {0.0f, (float)-cos(angle)};
        view->x = x;
        view->y = y;
        slv_garment_def garment = plain_garment(1.0f, 1e6f);
        garment.fixed = (const uint32_t[]){0};
        garment.fixed_count = 1;
        slv_garment_id id = must_add(world, made, garment);
        double period = 2.0 * 3.14159265358979 * sqrt(1.0 / gravity) * (1.0 + angle * angle / 16.0);
        assert_near(measure_period(world, id, h), period, 0.003 * period);
        slv_world_destroy(world);
    }
}

// Depth of a catenary of the given length between two points of one height.
static double catenary_sag(double span, double length) {
    double low = 1e-3;
    double high = 1e3;
    for (int i = 0; i < 200; i++) {
        double a = 0.5 * (low + high);
        if (2.0 * a * sinh(span / (2.0 * a)) > length) {
            low = a;
        } else {
            high = a;
        }
    }
    return low * (cosh(span / (2.0 * low)) - 1.0);
}

static void a_hanging_chain_is_a_catenary(void **state) {
    (void)state;
    enum { LINKS = 40 };
    slv_world_def def = plain_world(SLV_PD_RBGS, 0.002);
    def.parameters.damping = 3.0f;
    def.parameters.relaxation = 1.7f;
    def.parameters.outer_iterations = 10;
    def.parameters.inner_iterations = 10;
    slv_world *world = must_create(&def);
    slv_garment_def garment = plain_garment(0.01f, 1e5f);
    const uint32_t ends[2] = {0, LINKS};
    garment.fixed = ends;
    garment.fixed_count = 2;
    slv_garment_id id = must_add(world, make_chain(LINKS + 1, 0.025f), garment);
    const float target[3] = {0.8f, 0.0f, 0.0f};
    assert_int_equal(slv_garment_move_fixed(world, id, &ends[1], 1, target, 1000), SLV_OK);
    must_step(world, 6000);
    float middle[3];
    float end[3];
    must_position(world, id, LINKS / 2, middle);
    must_position(world, id, LINKS, end);
    assert_true(end[0] == 0.8f);
    double sag = catenary_sag(0.8, 1.0);
    assert_near((double)-middle[1], sag, 0.01 * sag);
    assert_near((double)middle[0], 0.4, 1e-3);
    assert_true(must_measure(world).kinetic_energy < 1e-6);
    slv_world_destroy(world);
}

static void sum_momentum(slv_world *world, slv_garment_id id, float mass, float last[][3], double h,
                         double momentum[3]) {
    slv_particle_view view;
    assert_int_equal(slv_garment_get_positions(world, id, &view), SLV_OK);
    for (int d = 0; d < 3; d++) {
        momentum[d] = 0.0;
    }
    for (uint32_t p = 0; p < view.count; p++) {
        float position[3];
        must_position(world, id, p, position);
        for (int d = 0; d < 3; d++) {
            momentum[d] += (double)mass * ((double)position[d] - (double)last[p][d]) / h;
            last[p][d] = position[d];
        }
    }
}

static void momentum_is_conserved_without_gravity(void **state) {
    (void)state;
    enum { SIDE = 12 };
    const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PBD_GS};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        slv_world_def def = plain_world(solvers[s], 0.002);
        def.parameters.gravity[1] = 0.0f;
        def.parameters.outer_iterations = 20;
        def.parameters.inner_iterations = 10;
        slv_world *world = must_create(&def);
        slv_garment_def garment = plain_garment(0.01f, 1000.0f);
        garment.stretch = 1.3f; // it oscillates
        garment.velocity[0] = 1.0f;
        garment.velocity[1] = -2.0f;
        slv_garment_id id = must_add(world, make_cloth(SIDE, SIDE, 0.05f, true), garment);
        static float last[SIDE * SIDE][3];
        double momentum[3];
        sum_momentum(world, id, 0.01f, last, 0.002, momentum);
        for (int n = 0; n < 300; n++) {
            must_step(world, 1);
            sum_momentum(world, id, 0.01f, last, 0.002, momentum);
        }
        double whole = 0.01 * SIDE * SIDE;
        assert_near(momentum[0], whole * 1.0, 0.01);
        assert_near(momentum[1], whole * -2.0, 0.01);
        assert_near(momentum[2], 0.0, 0.01);
        slv_world_destroy(world);
    }
}

// A weight on a spring stretches it by m g / k, whatever the solver, the iterations and the time step.
// Lagrange multipliers hold springs at their length, whatever their stiffness.
static void stiffness_is_in_newtons_per_metre(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        for (int fine = 0; fine < 2; fine++) {
            slv_world_def def = plain_world((slv_solver)solver, fine ? 0.001 : 0.004);
            def.parameters.damping = 5.0f;
            def.parameters.outer_iterations = fine ? 8 : 20;
            def.parameters.inner_iterations = 2;
            slv_world *world = must_create(&def);
            slv_garment_def garment = plain_garment(0.5f, 200.0f);
            garment.rotation[2] = -sqrtf(0.5f); // the chain hangs down
            garment.rotation[3] = sqrtf(0.5f);
            garment.fixed = (const uint32_t[]){0};
            garment.fixed_count = 1;
            slv_garment_id id = must_add(world, make_chain(2, 1.0f), garment);
            must_step(world, fine ? 8000 : 2000);
            float position[3];
            must_position(world, id, 1, position);
            const double longer = solver == SLV_MS_LAGRANGE ? 0.0 : 0.5 * gravity / 200.0;
            assert_near((double)position[1], -1.0 - longer, 2e-4);
            slv_world_destroy(world);
        }
    }
}

static double whole_energy(slv_world *world, slv_garment_id id, float mass, float stiffness) {
    slv_particle_view view;
    slv_measures measures = must_measure(world);
    assert_int_equal(slv_garment_get_positions(world, id, &view), SLV_OK);
    double energy = measures.kinetic_energy + 0.5 * (double)stiffness * measures.residual;
    for (uint32_t p = 0; p < view.count; p++) {
        float position[3];
        must_position(world, id, p, position);
        energy += (double)mass * gravity * (double)position[1];
    }
    return energy;
}

static void energy_does_not_grow(void **state) {
    (void)state;
    const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PD_JACOBI, SLV_PBD_GS};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        slv_world_def def = plain_world(solvers[s], 0.002);
        def.parameters.outer_iterations = 10;
        def.parameters.inner_iterations = 10;
        slv_world *world = must_create(&def);
        slv_garment_def garment = plain_garment(0.01f, 500.0f);
        garment.fixed = (const uint32_t[]){0, 15};
        garment.fixed_count = 2;
        slv_garment_id id = must_add(world, make_grid(16, 1, 16, 0.05f, NULL), garment);
        double start = whole_energy(world, id, 0.01f, 500.0f);
        double last = start;
        for (int n = 0; n < 1500; n++) {
            must_step(world, 1);
            double energy = whole_energy(world, id, 0.01f, 500.0f);
            // Verlet's velocity is half a step behind its position, so the sum oscillates slightly.
            assert_true(energy < last + 0.01);
            assert_true(energy < start + 0.01);
            last = energy;
        }
        assert_true(last < start - 0.1);
        slv_world_destroy(world);
    }
}

// Shear springs resist shear, bending springs resist bending.
static double drop_of_corner(float shear, float bending) {
    slv_world_def def = plain_world(SLV_PD_RBGS, 0.002);
    def.parameters.damping = 5.0f;
    def.parameters.outer_iterations = 10;
    slv_world *world = must_create(&def);
    slv_garment_def garment = plain_garment(0.001f, 2000.0f);
    static const uint32_t clamp[] = {0, 1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 48, 49, 56, 57};
    garment.fixed = clamp; // two columns at x = 0: a board fixed in a wall
    garment.fixed_count = 16;
    garment.shear_stiffness = shear;
    garment.bending_stiffness = bending;
    slv_garment_id id = must_add(world, make_grid(8, 1, 8, 0.05f, NULL), garment);
    must_step(world, 3000);
    float position[3];
    must_position(world, id, 7, position);
    slv_world_destroy(world);
    return -(double)position[1];
}

static void bending_springs_hold_a_board_up(void **state) {
    (void)state;
    double limp = drop_of_corner(0.0f, 0.0f);
    double stiff = drop_of_corner(500.0f, 2000.0f);
    assert_true(limp > 0.2);
    assert_true(stiff < 0.8 * limp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_particle_falls_on_a_parabola),
        cmocka_unit_test(damping_reduces_the_velocity_each_step),
        cmocka_unit_test(a_pendulum_has_the_period_of_its_length),
        cmocka_unit_test(a_hanging_chain_is_a_catenary),
        cmocka_unit_test(momentum_is_conserved_without_gravity),
        cmocka_unit_test(stiffness_is_in_newtons_per_metre),
        cmocka_unit_test(energy_does_not_grow),
        cmocka_unit_test(bending_springs_hold_a_board_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
