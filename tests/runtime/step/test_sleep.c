// SPDX-License-Identifier: MIT
// Garments that sleep: when they do, what that saves, and what wakes them.
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 10, LONG_ENOUGH = 400 };
static const float spacing = 0.02f;

static slv_world *make_world(uint32_t threads, const char *set) {
    slv_world_def def = slv_default_world_def();
    def.threads = threads;
    def.instruction_set = set;
    def.parameters.damping = 3.0f; // what hangs swings for minutes otherwise
    slv_world *world = must_create(&def);
    slv_collider_def floor = slv_default_collider_def();
    floor.kind = SLV_COLLIDER_PLANE;
    assert_int_equal(slv_world_add_collider(world, &floor, NULL), SLV_OK);
    return world;
}

static slv_garment_def make_sleepy(float height) {
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.001f;
    garment.self_collision = garment.garment_collision = true;
    garment.position[0] = garment.position[2] = -0.09f;
    garment.position[1] = height;
    garment.sleep_speed = 0.005f;
    garment.sleep_delay = 0.1f;
    return garment;
}

static slv_garment_id add_cloth(slv_world *world, slv_garment_def garment) {
    return must_add(world, make_grid(SIDE, 1, SIDE, spacing, NULL), garment);
}

static bool is_asleep(slv_world *world, slv_garment_id id) {
    bool asleep = false;
    assert_int_equal(slv_garment_is_asleep(world, id, &asleep), SLV_OK);
    return asleep;
}

static void fall_asleep(slv_world *world, slv_garment_id id) {
    must_step(world, LONG_ENOUGH);
    assert_true(is_asleep(world, id));
}

static uint64_t count_launches(slv_world *world, uint32_t steps) {
    slv_timing timing;
    assert_int_equal(slv_world_get_timing(world, &timing), SLV_OK);
    must_step(world, steps);
    assert_int_equal(slv_world_get_timing(world, &timing), SLV_OK);
    return timing.launches / steps;
}

static double mean_height(slv_world *world, slv_garment_id id) {
    double sum = 0.0;
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        float at[3];
        must_position(world, id, p, at);
        sum += (double)at[1] / (SIDE * SIDE);
    }
    return sum;
}

// --- Falling asleep ---------------------------------------------------------------------------------

static void what_has_come_to_rest_sleeps_and_costs_next_to_nothing(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_id id = add_cloth(world, make_sleepy(0.05f));
    const uint64_t awake = count_launches(world, 10);
    assert_false(is_asleep(world, id));
    fall_asleep(world, id);
    const uint64_t hash = must_hash(world);
    const uint64_t asleep = count_launches(world, 10);
    assert_true(20 * asleep < awake);
    assert_true(hash == must_hash(world)); // nothing moves
    assert_true(must_measure(world).kinetic_energy == 0.0);
    slv_world_destroy(world);
}

// Three millimetres a second are a motion, however smooth.
static void what_creeps_does_not_sleep(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_def garment = make_sleepy(0.5f);
    const uint32_t corner = 0;
    garment.sleep_speed = 0.001f;
    garment.fixed = &corner;
    garment.fixed_count = 1;
    slv_garment_id id = add_cloth(world, garment);
    for (int n = 0; n < 20; n++) {
        const float target[3] = {-0.09f, 0.5f + 0.0003f * (float)n, -0.09f};
        assert_int_equal(slv_garment_move_fixed(world, id, &corner, 1, target, 50), SLV_OK);
        must_step(world, 50);
        assert_false(is_asleep(world, id));
    }
    slv_world_destroy(world);
}

static void without_a_speed_nobody_sleeps(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_def garment = make_sleepy(0.05f);
    garment.sleep_speed = 0.0f;
    slv_garment_id id = add_cloth(world, garment);
    must_step(world, LONG_ENOUGH);
    assert_false(is_asleep(world, id));
    slv_world_destroy(world);
}

// A pile sleeps as a whole; and when its lowest is drawn away, however slowly, all know.
static void who_touches_each_other_sleeps_and_wakes_together(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_id ids[4];
    for (int n = 0; n < 4; n++) {
        slv_garment_def garment = make_sleepy(0.01f + 0.025f * (float)n);
        const uint32_t corners[] = {0, SIDE - 1};
        garment.fixed = corners;
        garment.fixed_count = n == 0 ? 2 : 0;
        garment.position[1] = n == 0 ? 0.005f : garment.position[1];
        ids[n] = add_cloth(world, garment);
    }
    must_step(world, 3 * LONG_ENOUGH);
    for (int n = 0; n < 4; n++) {
        assert_true(is_asleep(world, ids[n]));
    }
    const uint32_t corner = 0;
    const float target[3] = {-0.09f, 0.005f, -0.091f}; // a millimetre in a second
    assert_int_equal(slv_garment_move_fixed(world, ids[0], &corner, 1, target, 500), SLV_OK);
    must_step(world, 5);
    for (int n = 0; n < 4; n++) {
        assert_false(is_asleep(world, ids[n]));
    }
    slv_world_destroy(world);
}

// --- Waking -----------------------------------------------------------------------------------------

// A ball at 50 m/s: it moves further in a step than it is wide, and the cloth must be there.
static void a_ball_wakes_whom_it_meets_before_it_is_through(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_def garment = make_sleepy(1.0f);
    uint32_t edges[2 * SIDE];
    for (uint32_t i = 0; i < SIDE; i++) {
        edges[i] = i;
        edges[SIDE + i] = SIDE * (SIDE - 1) + i;
    }
    garment.fixed = edges;
    garment.fixed_count = 2 * SIDE;
    slv_garment_id id = add_cloth(world, garment);
    garment.position[0] = 2.0f;
    slv_garment_id far = add_cloth(world, garment);
    slv_collider_def ball = slv_default_collider_def();
    slv_collider_id thrown;
    ball.kind = SLV_COLLIDER_SPHERE;
    ball.radius = 0.05f;
    ball.position[1] = 2.02f;
    assert_int_equal(slv_world_add_collider(world, &ball, &thrown), SLV_OK);
    must_step(world, 3 * LONG_ENOUGH);
    assert_true(is_asleep(world, id) && is_asleep(world, far));
    assert_int_equal(slv_collider_set_velocity(world, thrown, (const float[3]){0, -50, 0},
                                               (const float[3]){0, 0, 0}),
                     SLV_OK);
    uint32_t above = 0;
    for (int step = 0; step < 12; step++) {
        float place[3];
        must_step(world, 1);
        assert_int_equal(slv_collider_get_pose(world, thrown, place, NULL), SLV_OK);
        for (uint32_t p = 0; place[1] < 1.3f && p < SIDE * SIDE; p++) {
            float at[3];
            must_position(world, id, p, at);
            above += hypotf(at[0], at[2]) < 0.03f && at[1] > place[1];
        }
    }
    assert_int_equal(above, 0);
    assert_false(is_asleep(world, id));
    assert_true(is_asleep(world, far)); // it has nothing to do with that
    slv_world_destroy(world);
}

// Cloth falls flat upon cloth that hangs asleep. Both must go on as if none had slept.
static double fall_upon(float sleep_speed, double *slept) {
    slv_world *world = make_world(1, NULL);
    slv_garment_def garment = make_sleepy(0.5f);
    const uint32_t corners[] = {0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1};
    garment.sleep_speed = sleep_speed;
    garment.fixed = corners;
    garment.fixed_count = 4;
    slv_garment_id below = add_cloth(world, garment);
    must_step(world, 4 * LONG_ENOUGH);
    *slept = is_asleep(world, below) ? 1.0 : 0.0;
    garment.fixed_count = 0;
    garment.position[1] = 0.6f;
    slv_garment_id upon = add_cloth(world, garment);
    must_step(world, 150);
    assert_false(is_asleep(world, below));
    double height = mean_height(world, below) + mean_height(world, upon);
    slv_world_destroy(world);
    return height;
}

static void a_cloth_that_falls_upon_it_wakes_it_and_loses_no_blow(void **state) {
    (void)state;
    double slept = 0.0;
    const double with = fall_upon(0.005f, &slept);
    assert_true(slept > 0.0);
    const double without = fall_upon(0.0f, &slept);
    assert_true(slept == 0.0);
    assert_near(with, without, 0.002);
}

// Cloth held at two corners that has fallen asleep.
static slv_garment_id hang_to_sleep(slv_world *world, float drag) {
    slv_garment_def garment = make_sleepy(0.5f);
    garment.fixed = (const uint32_t[]){0, SIDE - 1};
    garment.fixed_count = 2;
    garment.drag = drag;
    slv_garment_id id = add_cloth(world, garment);
    must_step(world, 10 * LONG_ENOUGH);
    assert_true(is_asleep(world, id));
    return id;
}

static void wind_wakes_and_the_same_wind_again_does_not(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_id id = hang_to_sleep(world, 1.0f);
    slv_parameters parameters = slv_world_get_parameters(world);
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    assert_true(is_asleep(world, id));
    parameters.wind[2] = 3.0f;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    assert_false(is_asleep(world, id));
    const double before = mean_height(world, id);
    must_step(world, 50);
    assert_true(fabs(mean_height(world, id) - before) > 1e-4);
    slv_world_destroy(world);
}

static void a_pin_that_moves_wakes_and_one_that_stays_does_not(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    const uint32_t corner = 0;
    slv_garment_id id = hang_to_sleep(world, 0.0f);
    float place[3];
    must_position(world, id, 0, place);
    for (int frame = 0; frame < 5; frame++) {
        assert_int_equal(slv_garment_lead_fixed(world, id, &corner, 1, place, 0.016), SLV_OK);
        must_step(world, 8);
        assert_true(is_asleep(world, id));
    }
    place[1] += 0.05f;
    assert_int_equal(slv_garment_lead_fixed(world, id, &corner, 1, place, 0.1), SLV_OK);
    must_step(world, 50);
    assert_false(is_asleep(world, id));
    must_position(world, id, 0, place);
    assert_near((double)place[1], 0.55, 1e-5);
    slv_world_destroy(world);
}

static void what_it_lies_on_wakes_it_when_it_is_taken_away(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_collider_def box = slv_default_collider_def();
    slv_collider_id id;
    box.kind = SLV_COLLIDER_BOX;
    box.size[0] = box.size[1] = box.size[2] = 0.4f;
    box.position[1] = 0.2f;
    assert_int_equal(slv_world_add_collider(world, &box, &id), SLV_OK);
    slv_garment_id cloth = add_cloth(world, make_sleepy(0.41f));
    fall_asleep(world, cloth);
    assert_int_equal(slv_world_remove_collider(world, id), SLV_OK);
    must_step(world, LONG_ENOUGH);
    assert_true(mean_height(world, cloth) < 0.1);
    slv_world_destroy(world);
}

// --- The same for everybody -------------------------------------------------------------------------

// Two sleepers, of whom a third wakes one, in all its stages.
static uint64_t live(slv_world *world, uint32_t pieces) {
    slv_garment_def falls = make_sleepy(1.5f);
    slv_garment_def aside = make_sleepy(0.05f);
    aside.position[0] = 1.0f;
    (void)add_cloth(world, make_sleepy(0.05f));
    (void)add_cloth(world, aside);
    falls.position[0] = -0.05f;
    (void)must_add(world, make_cloth(SIDE, SIDE, spacing, false), falls);
    for (uint32_t n = 0; n < 700; n += pieces) {
        must_step(world, pieces);
    }
    return must_hash(world);
}

static void sleep_does_not_depend_on_threads_or_vectors(void **state) {
    (void)state;
    slv_world *first = make_world(1, "baseline");
    const uint64_t expected = live(first, 700);
    assert_true(is_asleep(first, slv_world_get_garment(first, 1)));
    slv_world_destroy(first);
    const char *const sets[] = {"baseline", "avx2", "avx512", NULL};
    for (uint32_t n = 0; n < 4; n++) {
        slv_world_def def = slv_default_world_def();
        slv_world *probe = NULL;
        def.instruction_set = sets[n];
        if (slv_world_create(&def, &probe, NULL, 0) != SLV_OK) {
            continue;
        }
        slv_world_destroy(probe);
        slv_world *world = make_world(1 + n % 3, sets[n]);
        assert_true(live(world, 7) == expected);
        slv_world_destroy(world);
    }
}

static void a_snapshot_of_sleepers_goes_on_as_they_would(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_id low = add_cloth(world, make_sleepy(0.05f));
    slv_garment_id high = add_cloth(world, make_sleepy(2.0f));
    must_step(world, 300); // one sleeps, one falls; or counts its steps
    assert_true(is_asleep(world, low) && !is_asleep(world, high));
    for (int n = 0; n < 3; n++) {
        size_t size = slv_world_get_snapshot_size(world);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        assert_int_equal(slv_world_save_snapshot(world, bytes, size), SLV_OK);
        const uint64_t here = must_hash(world);
        must_step(world, 130);
        const uint64_t there = must_hash(world);
        assert_int_equal(slv_world_reset(world), SLV_OK);
        assert_false(is_asleep(world, low));
        must_step(world, 11); // another parity
        assert_int_equal(slv_world_restore_snapshot(world, bytes, size), SLV_OK);
        assert_true(must_hash(world) == here);
        must_step(world, 130);
        assert_true(must_hash(world) == there);
        free(bytes);
    }
    slv_world_destroy(world);
}

// Two structs with equal fields may differ in their padding.
static void unchanged_parameters_do_not_wake(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_id id = add_cloth(world, make_sleepy(0.05f));
    fall_asleep(world, id);
    const slv_parameters now = slv_world_get_parameters(world);
    slv_parameters same;
    memset(&same, 0xA5, sizeof same); // padding included
    same.solver = now.solver;
    same.outer_iterations = now.outer_iterations;
    same.inner_iterations = now.inner_iterations;
    same.relaxation = now.relaxation;
    same.damped_jacobi = now.damped_jacobi;
    same.integrate = now.integrate;
    same.damping = now.damping;
    same.stiffness = now.stiffness;
    for (int d = 0; d < 3; d++) {
        same.gravity[d] = now.gravity[d];
        same.wind[d] = now.wind[d];
    }
    assert_int_equal(slv_world_set_parameters(world, &same), SLV_OK);
    assert_true(is_asleep(world, id));
    same.damping += 1.0f;
    assert_int_equal(slv_world_set_parameters(world, &same), SLV_OK);
    assert_false(is_asleep(world, id));
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_parameters_do_not_wake),
        cmocka_unit_test(what_has_come_to_rest_sleeps_and_costs_next_to_nothing),
        cmocka_unit_test(what_creeps_does_not_sleep),
        cmocka_unit_test(without_a_speed_nobody_sleeps),
        cmocka_unit_test(who_touches_each_other_sleeps_and_wakes_together),
        cmocka_unit_test(a_ball_wakes_whom_it_meets_before_it_is_through),
        cmocka_unit_test(a_cloth_that_falls_upon_it_wakes_it_and_loses_no_blow),
        cmocka_unit_test(wind_wakes_and_the_same_wind_again_does_not),
        cmocka_unit_test(a_pin_that_moves_wakes_and_one_that_stays_does_not),
        cmocka_unit_test(what_it_lies_on_wakes_it_when_it_is_taken_away),
        cmocka_unit_test(sleep_does_not_depend_on_threads_or_vectors),
        cmocka_unit_test(a_snapshot_of_sleepers_goes_on_as_they_would),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
