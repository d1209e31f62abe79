// SPDX-License-Identifier: MIT
// Sleeping garments: when they fall asleep, the launches saved, and the events that wake them.
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
    def.parameters.damping = 3.0f; // hanging cloth swings for minutes otherwise
    slv_world *world = must_create(&def);
    slv_collider_def floor = slv_default_collider_def();
    floor.kind = SLV_COLLIDER_PLANE;
    assert_int_equal(slv_world_add_collider(world, &floor, NULL), SLV_OK);
    return world;
}

static slv_garment_def make_sleeping(float height) {
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.001f;
    garment.self_collision = garment.garment_collision = true;
    garment.position[0] = garment.position[2] = -0.09;
    garment.position[1] = (double)height;
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

static void a_garment_at_rest_sleeps_and_launches_almost_nothing(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_id id = add_cloth(world, make_sleeping(0.05f));
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

// 3 mm/s is above sleep_speed, although no particle changes its velocity.
static void a_slowly_moving_garment_does_not_sleep(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_def garment = make_sleeping(0.5f);
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

static void no_garment_sleeps_at_sleep_speed_zero(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_def garment = make_sleeping(0.05f);
    garment.sleep_speed = 0.0f;
    slv_garment_id id = add_cloth(world, garment);
    must_step(world, LONG_ENOUGH);
    assert_false(is_asleep(world, id));
    slv_world_destroy(world);
}

// A pile falls asleep as a whole. When the lowest garment is moved, even slowly, all wake.
static void garments_in_contact_sleep_and_wake_together(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_id ids[4];
    for (int n = 0; n < 4; n++) {
        slv_garment_def garment = make_sleeping(0.01f + 0.025f * (float)n);
        const uint32_t corners[] = {0, SIDE - 1};
        garment.fixed = corners;
        garment.fixed_count = n == 0 ? 2 : 0;
        garment.position[1] = n == 0 ? 0.005 : garment.position[1];
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

// A ball at 50 m/s moves by its own diameter in a step. The cloth must be awake before the contact.
static void a_fast_ball_wakes_a_garment_before_it_tunnels(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_def garment = make_sleeping(1.0f);
    uint32_t edges[2 * SIDE];
    for (uint32_t i = 0; i < SIDE; i++) {
        edges[i] = i;
        edges[SIDE + i] = SIDE * (SIDE - 1) + i;
    }
    garment.fixed = edges;
    garment.fixed_count = 2 * SIDE;
    slv_garment_id id = add_cloth(world, garment);
    garment.position[0] = 2.0;
    slv_garment_id far = add_cloth(world, garment);
    slv_collider_def ball = slv_default_collider_def();
    slv_collider_id thrown;
    ball.kind = SLV_COLLIDER_SPHERE;
    ball.radius = 0.05f;
    ball.position[1] = 2.02;
    assert_int_equal(slv_world_add_collider(world, &ball, &thrown), SLV_OK);
    must_step(world, 3 * LONG_ENOUGH);
    assert_true(is_asleep(world, id) && is_asleep(world, far));
    assert_int_equal(slv_collider_set_velocity(world, thrown, (const float[3]){0, -50, 0},
                                               (const float[3]){0, 0, 0}),
                     SLV_OK);
    uint32_t above = 0;
    for (int step = 0; step < 12; step++) {
        double position[3];
        must_step(world, 1);
        assert_int_equal(slv_collider_get_pose(world, thrown, position, NULL), SLV_OK);
        for (uint32_t p = 0; position[1] < 1.3 && p < SIDE * SIDE; p++) {
            float at[3];
            must_position(world, id, p, at);
            above += hypotf(at[0], at[2]) < 0.03f && (double)at[1] > position[1];
        }
    }
    assert_int_equal(above, 0);
    assert_false(is_asleep(world, id));
    assert_true(is_asleep(world, far)); // no contact with the ball
    slv_world_destroy(world);
}

// A cloth falls on a sleeping cloth. Both must move as if neither had slept.
static double drop_on_sleeping(float sleep_speed, double *slept) {
    slv_world *world = make_world(1, NULL);
    slv_garment_def garment = make_sleeping(0.5f);
    const uint32_t corners[] = {0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1};
    garment.sleep_speed = sleep_speed;
    garment.fixed = corners;
    garment.fixed_count = 4;
    slv_garment_id below = add_cloth(world, garment);
    must_step(world, 4 * LONG_ENOUGH);
    *slept = is_asleep(world, below) ? 1.0 : 0.0;
    garment.fixed_count = 0;
    garment.position[1] = 0.6;
    slv_garment_id upon = add_cloth(world, garment);
    must_step(world, 150);
    assert_false(is_asleep(world, below));
    double height = mean_height(world, below) + mean_height(world, upon);
    slv_world_destroy(world);
    return height;
}

static void an_impact_on_a_sleeping_garment_equals_one_on_an_awake_garment(void **state) {
    (void)state;
    double slept = 0.0;
    const double with = drop_on_sleeping(0.005f, &slept);
    assert_true(slept > 0.0);
    const double without = drop_on_sleeping(0.0f, &slept);
    assert_true(slept == 0.0);
    assert_near(with, without, 0.002);
}

// A sleeping cloth, fixed at two corners.
static slv_garment_id hang_to_sleep(slv_world *world, float drag) {
    slv_garment_def garment = make_sleeping(0.5f);
    garment.fixed = (const uint32_t[]){0, SIDE - 1};
    garment.fixed_count = 2;
    garment.drag = drag;
    slv_garment_id id = add_cloth(world, garment);
    must_step(world, 10 * LONG_ENOUGH);
    assert_true(is_asleep(world, id));
    return id;
}

static void changed_wind_wakes_and_unchanged_wind_does_not(void **state) {
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

static void a_moving_fixed_particle_wakes_and_a_still_one_does_not(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    const uint32_t corner = 0;
    slv_garment_id id = hang_to_sleep(world, 0.0f);
    float position[3];
    must_position(world, id, 0, position);
    for (int frame = 0; frame < 5; frame++) {
        assert_int_equal(slv_garment_lead_fixed(world, id, &corner, 1, position, 0.016), SLV_OK);
        must_step(world, 8);
        assert_true(is_asleep(world, id));
    }
    position[1] += 0.05f;
    assert_int_equal(slv_garment_lead_fixed(world, id, &corner, 1, position, 0.1), SLV_OK);
    must_step(world, 50);
    assert_false(is_asleep(world, id));
    must_position(world, id, 0, position);
    assert_near((double)position[1], 0.55, 1e-5);
    slv_world_destroy(world);
}

static void removing_the_collider_below_wakes_a_garment(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_collider_def box = slv_default_collider_def();
    slv_collider_id id;
    box.kind = SLV_COLLIDER_BOX;
    box.size[0] = box.size[1] = box.size[2] = 0.4f;
    box.position[1] = 0.2;
    assert_int_equal(slv_world_add_collider(world, &box, &id), SLV_OK);
    slv_garment_id cloth = add_cloth(world, make_sleeping(0.41f));
    fall_asleep(world, cloth);
    assert_int_equal(slv_world_remove_collider(world, id), SLV_OK);
    must_step(world, LONG_ENOUGH);
    assert_true(mean_height(world, cloth) < 0.1);
    slv_world_destroy(world);
}

// --- Determinism -------------------------------------------------------------------------

// Two sleeping garments, one of which is woken by a third.
static uint64_t run_sleep_scene(slv_world *world, uint32_t pieces) {
    slv_garment_def falls = make_sleeping(1.5f);
    slv_garment_def aside = make_sleeping(0.05f);
    aside.position[0] = 1.0;
    (void)add_cloth(world, make_sleeping(0.05f));
    (void)add_cloth(world, aside);
    falls.position[0] = -0.05;
    (void)must_add(world, make_cloth(SIDE, SIDE, spacing, false), falls);
    for (uint32_t n = 0; n < 700; n += pieces) {
        must_step(world, pieces);
    }
    return must_hash(world);
}

static void sleep_does_not_depend_on_threads_or_instruction_sets(void **state) {
    (void)state;
    slv_world *first = make_world(1, "baseline");
    const uint64_t expected = run_sleep_scene(first, 700);
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
        assert_true(run_sleep_scene(world, 7) == expected);
        slv_world_destroy(world);
    }
}

static void a_snapshot_contains_the_sleep_state(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_id low = add_cloth(world, make_sleeping(0.05f));
    slv_garment_id high = add_cloth(world, make_sleeping(2.0f));
    must_step(world, 300); // one sleeps, the other falls
    assert_true(is_asleep(world, low) && !is_asleep(world, high));
    for (int n = 0; n < 3; n++) {
        const saved_world saved = must_save(world);
        const uint64_t here = must_hash(world);
        must_step(world, 130);
        const uint64_t there = must_hash(world);
        assert_int_equal(slv_world_reset(world), SLV_OK);
        assert_false(is_asleep(world, low));
        must_step(world, 11); // another parity
        must_restore(world, &saved);
        assert_true(must_hash(world) == here);
        must_step(world, 130);
        assert_true(must_hash(world) == there);
        free(saved.bytes);
    }
    slv_world_destroy(world);
}

// Two structs with equal fields may differ in their padding.
static void unchanged_parameters_do_not_wake(void **state) {
    (void)state;
    slv_world *world = make_world(1, NULL);
    slv_garment_id id = add_cloth(world, make_sleeping(0.05f));
    fall_asleep(world, id);
    const slv_parameters now = slv_world_get_parameters(world);
    slv_parameters same;
    memset(&same, 0xA5, sizeof same); // padding included
#define FIELD(type, name, count, ...) memcpy(&same.name, &now.name, sizeof same.name);
#include "runtime/base/parameters/parameters.def"
#undef FIELD
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
        cmocka_unit_test(a_garment_at_rest_sleeps_and_launches_almost_nothing),
        cmocka_unit_test(a_slowly_moving_garment_does_not_sleep),
        cmocka_unit_test(no_garment_sleeps_at_sleep_speed_zero),
        cmocka_unit_test(garments_in_contact_sleep_and_wake_together),
        cmocka_unit_test(a_fast_ball_wakes_a_garment_before_it_tunnels),
        cmocka_unit_test(an_impact_on_a_sleeping_garment_equals_one_on_an_awake_garment),
        cmocka_unit_test(changed_wind_wakes_and_unchanged_wind_does_not),
        cmocka_unit_test(a_moving_fixed_particle_wakes_and_a_still_one_does_not),
        cmocka_unit_test(removing_the_collider_below_wakes_a_garment),
        cmocka_unit_test(sleep_does_not_depend_on_threads_or_instruction_sets),
        cmocka_unit_test(a_snapshot_contains_the_sleep_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
