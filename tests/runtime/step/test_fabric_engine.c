// SPDX-License-Identifier: MIT
// What the fabric paper's engine (2016) does beside springs and gravity: velocities that decay and have a bound, and soft
// corrections of pairs.
#include "runtime/world/world.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double h = 0.0005;

static slv_world_def weightless_world(slv_solver solver) {
    slv_world_def def = plain_world(solver, h);
    memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
    return def;
}

// A free particle.
static slv_garment_id add_ball(slv_world *world, double x, const float velocity[3]) {
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 1e-4f;
    def.collision_radius = 0.05f;
    def.garment_collision = true;
    def.rest_speed = 0.0f;
    def.position[0] = x;
    memcpy(def.velocity, velocity, sizeof def.velocity);
    return must_add(world, make_chain(1, 0.1f), def);
}

static const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PBD_GS, SLV_MS_SYMPLECTIC_EULER, SLV_MS_RK4,
                                     SLV_MS_IMPLICIT_EULER};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

// Components, not lengths; of a grid and of a particle without springs.
static void components_of_velocities_stay_within_the_bound(void **state) {
    (void)state;
    const float velocity[3] = {30.0f, -50.0f, 3.0f};
    const double bounded[3] = {20.0, -20.0, 3.0};
    for (int n = 0; n < 2 * SOLVERS; n++) {
        slv_world_def def = weightless_world(solvers[n / 2]);
        def.parameters.speed_limit = n % 2 == 0 ? 20.0f : 0.0f;
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        memcpy(garment.velocity, velocity, sizeof velocity);
        (void)must_add(world, make_grid(6, 1, 5, 0.1f, NULL), garment);
        (void)add_ball(world, 5.0, velocity);
        double before[2][6];
        double after[2][6];
        for (uint32_t body = 0; body < 2; body++) {
            slv_layout_read_exactly(&world->layout, body, 0, before[body]);
        }
        must_step(world, 10);
        for (uint32_t body = 0; body < 2; body++) {
            slv_layout_read_exactly(&world->layout, body, 0, after[body]);
            for (int d = 0; d < 3; d++) {
                const double expected = n % 2 == 0 ? bounded[d] : (double)velocity[d];
                assert_near((after[body][d] - before[body][d]) / (10.0 * h), expected, 1e-3);
            }
        }
        slv_world_destroy(world);
    }
}

// A particle that falls from rest keeps at most the bound of each step, and gravity's part of the present one.
static void a_fall_ends_at_the_bound(void **state) {
    (void)state;
    const float still[3] = {0.0f, 0.0f, 0.0f};
    slv_world_def def = plain_world(SLV_MS_SYMPLECTIC_EULER, h);
    def.parameters.speed_limit = 0.5f;
    slv_world *world = must_create(&def);
    (void)add_ball(world, 0.0, still);
    double at[6];
    must_step(world, 400);
    slv_layout_read_exactly(&world->layout, 0, 0, at);
    assert_near((at[1] - at[4]) / h, -0.5 - 9.81 * h, 1e-4);
    slv_world_destroy(world);
}

// 1 / (1 + 1.00075 h) for 0.999^(1000 h) at steps of half a millisecond.
static void velocities_decay_by_a_thousandth_in_a_millisecond(void **state) {
    (void)state;
    const float velocity[3] = {1.0f, 0.0f, 0.0f};
    slv_world_def def = weightless_world(SLV_MS_SYMPLECTIC_EULER);
    def.parameters.damping = 1.00075f;
    slv_world *world = must_create(&def);
    (void)add_ball(world, 0.0, velocity);
    double at[6];
    must_step(world, 2000);
    slv_layout_read_exactly(&world->layout, 0, 0, at);
    assert_near((at[0] - at[3]) / h, pow(0.999, 1000.0), 1e-4);
    slv_world_destroy(world);
}

static void each_of_a_pair_goes_its_part_of_the_overlap(void **state) {
    (void)state;
    static const float parts[] = {0.0f, 0.05f, 0.1f, 0.5f};
    const float still[3] = {0.0f, 0.0f, 0.0f};
    for (int n = 0; n < 4 * SOLVERS; n++) {
        slv_world_def def = weightless_world(solvers[n / 4]);
        def.parameters.pair_correction = parts[n % 4];
        slv_world *world = must_create(&def);
        (void)add_ball(world, 0.0, still);
        (void)add_ball(world, 0.06, still);
        double at[2][6];
        must_step(world, 1);
        for (uint32_t body = 0; body < 2; body++) {
            slv_layout_read_exactly(&world->layout, body, 0, at[body]);
        }
        const double part = (double)parts[n % 4] * 0.04;
        assert_near(at[0][0], -part, 2e-6);
        assert_near(at[1][0], 0.06 + part, 2e-6);
        slv_world_destroy(world);
    }
}

static void values_that_are_no_bounds_are_refused(void **state) {
    (void)state;
    const float wrong[] = {NAN, -1.0f, INFINITY};
    slv_world_def def = weightless_world(SLV_MS_RK4);
    slv_world *world = must_create(&def);
    for (size_t n = 0; n < 2 * sizeof wrong / sizeof *wrong; n++) {
        slv_parameters parameters = slv_world_get_parameters(world);
        *(n % 2 == 0 ? &parameters.speed_limit : &parameters.pair_correction) = wrong[n / 2];
        assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_ERROR_ARGUMENT);
    }
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_of_velocities_stay_within_the_bound),
        cmocka_unit_test(a_fall_ends_at_the_bound),
        cmocka_unit_test(velocities_decay_by_a_thousandth_in_a_millisecond),
        cmocka_unit_test(each_of_a_pair_goes_its_part_of_the_overlap),
        cmocka_unit_test(values_that_are_no_bounds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
