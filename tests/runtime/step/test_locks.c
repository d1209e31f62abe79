// SPDX-License-Identifier: MIT
// Locks between particles: closed forms, momentum, sleep, what comes and goes, what is refused.
#include "tests/common/generated_body.h"
#include "tests/common/test_world.h"

#include "runtime/world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double gravity = 9.81;
static const double pi = 3.14159265358979;

// Particles without springs, `spacing` apart along x.
static slv_garment_id add_points(slv_world *world, uint32_t count, float spacing,
                                 slv_garment_def def) {
    generated_garment *made = make_chain(count, spacing);
    generated_remove_springs(made);
    return must_add(world, made, def);
}

static slv_garment_def point_def(double x, double y, float mass) {
    slv_garment_def def = slv_default_garment_def();
    def.position[0] = x;
    def.position[1] = y;
    def.particle_mass = mass;
    return def;
}

static slv_lock_id must_lock(slv_world *world, slv_garment_id one, uint32_t particle,
                             slv_garment_id other, uint32_t other_particle, float length) {
    slv_lock_def def = slv_default_lock_def();
    slv_lock_id id;
    def.garment = one;
    def.particle = particle;
    def.other_garment = other;
    def.other_particle = other_particle;
    def.length = length;
    if (slv_world_add_lock(world, &def, &id) != SLV_OK) {
        fail_msg("%s", slv_world_get_message(world));
    }
    return id;
}

static double must_distance(slv_world *world, slv_lock_id id) {
    double distance = -1.0;
    assert_int_equal(slv_lock_get_distance(world, id, &distance), SLV_OK);
    return distance;
}

static double height_of(slv_world *world, slv_garment_id id, uint32_t particle) {
    float position[3];
    must_position(world, id, particle, position);
    return (double)position[1];
}

// --- Motion -----------------------------------------------------------------------------------------

static const uint32_t first_particle = 0;

static slv_garment_def held_def(double x, double y) {
    slv_garment_def def = point_def(x, y, 0.01f);
    def.fixed = &first_particle;
    def.fixed_count = 1;
    return def;
}

// A pendulum's first quarter, and its way back to there: half a period, T = 2 pi sqrt(L / g) (1 + a²/16 + …).
static void a_pendulum_has_its_period(void **state) {
    (void)state;
    const double h = 0.001;
    const double angle = 0.1;
    const double expected = 2.0 * pi * sqrt(0.5 / gravity) * (1.0 + angle * angle / 16.0);
    for (int k = 0; k < 2; k++) {
        slv_world_def def = plain_world(k ? SLV_PBD_GS : SLV_PD_RBGS, h);
        slv_world *world = must_create(&def);
        const slv_garment_id held = add_points(world, 1, 0.1f, held_def(0.0, 2.0));
        const slv_garment_id bob =
            add_points(world, 1, 0.1f, point_def(0.5 * sin(angle), 2.0 - 0.5 * cos(angle), 0.1f));
        const slv_lock_id lock = must_lock(world, held, 0, bob, 0, SLV_UNSET);
        double crossings[3];
        double before = 1.0;
        int found = 0;
        for (int step = 1; found < 3 && step < 5000; step++) {
            float position[3];
            must_step(world, 1);
            must_position(world, bob, 0, position);
            const double now = (double)position[0];
            if (now * before < 0.0) {
                crossings[found++] = h * ((double)step - now / (now - before));
            }
            before = now;
        }
        assert_int_equal(found, 3);
        assert_near(crossings[2] - crossings[0], expected, 1e-3 * expected);
        assert_near(must_distance(world, lock), 0.5, 1e-6);
        slv_world_destroy(world);
    }
}

// Two points, one of which is 10,000 times as heavy, turn about their center of mass, which moves on.
static void momentum_is_kept_at_any_ratio_of_masses(void **state) {
    (void)state;
    const double h = 0.001;
    const double masses[2] = {1e-3, 10.0};
    slv_world_def world_def = plain_world(SLV_PBD_GS, h);
    world_def.parameters.gravity[1] = 0.0f;
    slv_world *world = must_create(&world_def);
    slv_garment_def def = point_def(0.0, 0.0, (float)masses[0]);
    def.velocity[1] = 1.0f;
    const slv_garment_id light = add_points(world, 1, 0.1f, def);
    def = point_def(0.5, 0.0, (float)masses[1]);
    def.velocity[2] = 0.1f;
    const slv_garment_id heavy = add_points(world, 1, 0.1f, def);
    const slv_lock_id lock = must_lock(world, light, 0, heavy, 0, SLV_UNSET);
    double center[2][3] = {{0.0}};
    for (int n = 0; n < 2; n++) {
        for (int k = 0; k < 2; k++) {
            float position[3];
            must_position(world, k ? heavy : light, 0, position);
            for (int d = 0; d < 3; d++) {
                center[n][d] += masses[k] / (masses[0] + masses[1]) * (double)position[d];
            }
        }
        must_step(world, n == 0 ? 4000 : 0);
        assert_near(must_distance(world, lock), 0.5, 1e-6);
    }
    for (int d = 0; d < 3; d++) {
        const double speed = d == 1   ? masses[0] / (masses[0] + masses[1])
                             : d == 2 ? (double)0.1f * masses[1] / (masses[0] + masses[1])
                                      : 0.0;
        assert_near(center[1][d] - center[0][d], 4.0 * speed, 1e-6);
    }
    slv_world_destroy(world);
}

static void a_slack_lock_is_a_string(void **state) {
    (void)state;
    const double h = 0.002;
    slv_world_def world_def = plain_world(SLV_PBD_GS, h);
    slv_world *world = must_create(&world_def);
    const slv_garment_id held = add_points(world, 1, 0.1f, held_def(0.0, 2.0));
    const slv_garment_id bob = add_points(world, 1, 0.1f, point_def(0.0, 1.9, 0.1f));
    slv_lock_def def = slv_default_lock_def();
    def.garment = held;
    def.other_garment = bob;
    def.length = 0.5f;
    def.slack = true;
    slv_lock_id lock;
    assert_int_equal(slv_world_add_lock(world, &def, &lock), SLV_OK);
    must_step(world, 100); // falls freely by g t² / 2, a step's rounding of Verlet apart
    assert_near(must_distance(world, lock), 0.1 + 0.5 * gravity * 0.2 * (0.2 + h), 1e-5);
    must_step(world, 400);
    assert_near(must_distance(world, lock), 0.5, 1e-6);
    slv_world_destroy(world);
}

// Neighbors of a rope, and all spokes of a wheel, share particles.
static void locks_that_share_particles_all_hold(void **state) {
    (void)state;
    enum { COUNT = 12 };
    slv_world_def def = plain_world(SLV_PBD_GS, 0.002);
    def.parameters.outer_iterations = 40;
    def.parameters.inner_iterations = 1;
    def.parameters.damping = 2.0f;
    slv_world *world = must_create(&def);
    const slv_garment_id rope = add_points(world, COUNT, 0.05f, held_def(0.0, 2.0));
    const slv_garment_id wheel = add_points(world, COUNT, 0.05f, held_def(0.0, 1.0));
    slv_lock_id locks[2 * COUNT];
    uint32_t count = 0;
    for (uint32_t p = 1; p < COUNT; p++) {
        locks[count++] = must_lock(world, rope, p - 1, rope, p, SLV_UNSET);
        locks[count++] = must_lock(world, wheel, 0, wheel, p, SLV_UNSET);
    }
    must_step(world, 1500);
    for (uint32_t n = 0; n < count; n++) {
        slv_lock_def made;
        assert_int_equal(slv_lock_get_def(world, locks[n], &made), SLV_OK);
        const double length = (double)made.length;
        assert_near(must_distance(world, locks[n]), length, 0.01 * length);
    }
    assert_near(height_of(world, rope, COUNT - 1), 2.0 - 0.05 * (COUNT - 1), 0.02);
    slv_world_destroy(world);
}

// A box hangs on a rope from the middle of a cloth that is held at its corners.
static void a_lock_ties_a_body_to_a_rope_and_a_rope_to_a_cloth(void **state) {
    (void)state;
    static const uint32_t corners[] = {0, 8, 72, 80};
    slv_world_def world_def = plain_world(SLV_PBD_GS, 0.002);
    world_def.parameters.outer_iterations = 16;
    world_def.parameters.inner_iterations = 1;
    world_def.parameters.damping = 2.0f;
    slv_world *world = must_create(&world_def);
    slv_garment_def def = point_def(-0.2, 2.0, 0.01f);
    def.position[2] = -0.2;
    def.stretch_stiffness = 1e5f;
    def.fixed = corners;
    def.fixed_count = 4;
    const slv_garment_id cloth = must_add(world, make_grid(9, 1, 9, 0.05f, NULL), def);
    def = point_def(0.0, 1.95, 0.01f);
    def.stretch_stiffness = 1e6f;
    const slv_garment_id rope = must_add(world, make_chain(6, 0.05f), def);
    def = point_def(0.25, 1.9, 0.02f);
    const slv_garment_id box = must_add(world, make_body(3, 3, 3, 0.03f, 0, 1), def);
    const slv_lock_id above = must_lock(world, cloth, 40, rope, 0, 0.05f);
    const slv_lock_id below = must_lock(world, rope, 5, box, 22, 0.03f);
    must_step(world, 3000);
    printf("locks above and below: %.4f, %.4f m\n", must_distance(world, above),
           must_distance(world, below));
    assert_near(must_distance(world, above), 0.05, 0.01 * 0.05);
    assert_near(must_distance(world, below), 0.03, 0.01 * 0.03);
    assert_true(height_of(world, box, 13) < height_of(world, rope, 5));
    slv_world_destroy(world);
}

// --- Bits -------------------------------------------------------------------------------------------

// Cloths of both layouts, each particle of the one tied to two of the other: neighbors in the list share particles.
static slv_world *make_tied(uint32_t threads) {
    slv_world_def def = plain_world(SLV_PD_RBGS, 0.004);
    def.threads = threads;
    slv_world *world = must_create(&def);
    const slv_garment_id grid =
        must_add(world, make_grid(30, 1, 30, 0.05f, NULL), held_def(0.0, 2.0));
    const slv_garment_id mesh =
        must_add(world, make_cloth(30, 30, 0.05f, false), point_def(0.0, 1.9, 0.01f));
    for (uint32_t p = 0; p < 900; p++) {
        (void)must_lock(world, grid, p, mesh, (p * 7) % 900, SLV_UNSET);
        (void)must_lock(world, grid, p, mesh, (p * 11 + 1) % 900, SLV_UNSET);
    }
    return world;
}

static void locks_have_the_same_bits_with_any_number_of_threads(void **state) {
    (void)state;
    uint64_t first = 0;
    for (uint32_t threads = 1; threads <= 4; threads++) {
        slv_world *world = make_tied(threads);
        must_step(world, 20);
        const uint64_t hash = must_hash(world);
        first = threads == 1 ? hash : first;
        assert_true(hash == first);
        slv_world_destroy(world);
    }
}

static void a_snapshot_goes_on_alike_with_the_same_locks(void **state) {
    (void)state;
    slv_world *one = make_tied(1);
    slv_world *other = make_tied(1);
    must_step(one, 7);
    saved_world saved = must_save(one);
    must_restore(other, &saved);
    must_step(one, 9);
    must_step(other, 9);
    must_end_alike(one, other);
    free(saved.bytes);
}

// --- Sleep ------------------------------------------------------------------------------------------

static bool is_asleep(slv_world *world, slv_garment_id id) {
    bool asleep = false;
    assert_int_equal(slv_garment_is_asleep(world, id, &asleep), SLV_OK);
    return asleep;
}

// Two points lie on a floor, too far apart to touch; the first is woken.
static void garments_that_a_lock_joins_sleep_and_wake_together(void **state) {
    (void)state;
    for (int locked = 0; locked < 2; locked++) {
        slv_world_def world_def = plain_world(SLV_PBD_GS, 0.005);
        slv_world *world = must_create(&world_def);
        slv_collider_def floor = slv_default_collider_def();
        floor.kind = SLV_COLLIDER_PLANE;
        assert_int_equal(slv_world_add_collider(world, &floor, NULL), SLV_OK);
        slv_garment_id ids[2];
        for (int n = 0; n < 2; n++) {
            slv_garment_def def = point_def(0.5 * n, 0.005, 0.1f);
            def.sleep_speed = 0.01f;
            def.sleep_delay = 0.1f;
            ids[n] = add_points(world, 1, 0.1f, def);
        }
        if (locked) {
            (void)must_lock(world, ids[0], 0, ids[1], 0, SLV_UNSET);
        }
        must_step(world, 100);
        assert_true(is_asleep(world, ids[0]) && is_asleep(world, ids[1]));
        assert_int_equal(slv_garment_wake(world, ids[0]), SLV_OK);
        must_step(world, 4);
        assert_false(is_asleep(world, ids[0]));
        assert_int_equal(is_asleep(world, ids[1]), !locked);
        slv_world_destroy(world);
    }
}

// --- What comes and goes ----------------------------------------------------------------------------

static void a_lock_that_is_cut_holds_no_longer(void **state) {
    (void)state;
    slv_world_def def = plain_world(SLV_PBD_GS, 0.002);
    slv_world *world = must_create(&def);
    const slv_garment_id held = add_points(world, 1, 0.1f, held_def(0.0, 2.0));
    const slv_garment_id bob = add_points(world, 1, 0.1f, point_def(0.0, 1.5, 0.1f));
    const slv_lock_id lock = must_lock(world, held, 0, bob, 0, SLV_UNSET);
    must_step(world, 100);
    assert_near(height_of(world, bob, 0), 1.5, 1e-5);
    assert_int_equal(slv_world_remove_lock(world, lock), SLV_OK);
    assert_false(slv_lock_is_valid(world, lock));
    assert_int_equal(slv_world_get_lock_count(world), 0);
    assert_int_equal(slv_world_remove_lock(world, lock), SLV_ERROR_ARGUMENT);
    must_step(world, 100);
    assert_near(height_of(world, bob, 0), 1.5 - 0.5 * gravity * 0.04, 0.01);
    slv_world_destroy(world);
}

static void a_garment_that_is_removed_takes_its_locks_along(void **state) {
    (void)state;
    slv_world_def def = plain_world(SLV_PBD_GS, 0.002);
    slv_world *world = must_create(&def);
    slv_garment_id ids[3];
    for (int n = 0; n < 3; n++) {
        ids[n] = add_points(world, 2, 0.1f, held_def(0.3 * n, 1.0));
    }
    (void)must_lock(world, ids[0], 1, ids[1], 1, SLV_UNSET);
    const slv_lock_id kept = must_lock(world, ids[0], 1, ids[2], 1, SLV_UNSET);
    (void)must_lock(world, ids[1], 1, ids[2], 1, SLV_UNSET);
    must_step(world, 5);
    assert_int_equal(slv_world_remove_garment(world, ids[1]), SLV_OK);
    assert_int_equal(slv_world_get_lock_count(world), 1);
    assert_true(slv_lock_is_valid(world, kept));
    slv_lock_def left;
    assert_int_equal(slv_lock_get_def(world, kept, &left), SLV_OK);
    assert_int_equal(slv_garment_get_index(world, left.garment), 0);
    assert_int_equal(slv_garment_get_index(world, left.other_garment), 1);
    must_step(world, 50);
    assert_near(must_distance(world, kept), 0.6, 1e-5);
    slv_world_destroy(world);
}

// --- What is refused --------------------------------------------------------------------------------

static void refuse(slv_world *world, const slv_lock_def *def, const char *message) {
    const uint64_t hash = must_hash(world);
    assert_int_equal(slv_world_add_lock(world, def, NULL), SLV_ERROR_ARGUMENT);
    assert_string_equal(slv_world_get_message(world), message);
    assert_int_equal(slv_world_get_lock_count(world), 0);
    assert_true(must_hash(world) == hash);
}

static void wrong_locks_are_refused(void **state) {
    (void)state;
    slv_world_def world_def = plain_world(SLV_PBD_GS, 0.002);
    slv_world *world = must_create(&world_def);
    const slv_garment_id id = add_points(world, 3, 0.1f, point_def(0.0, 0.0, 0.1f));
    const slv_lock_def zeros = {.length = 1.0f};
    slv_lock_def good = slv_default_lock_def();
    good.garment = good.other_garment = id;
    good.other_particle = 2;
    slv_lock_def def = good;
    refuse(world, NULL, "def: a definition must come from slv_default_lock_def");
    refuse(world, &zeros, "def: a definition must come from slv_default_lock_def");
    def.other_particle = 3;
    refuse(world, &def, "other_particle is 3; the garment has 3 particles, counted from 0");
    def.other_particle = 0;
    refuse(world, &def, "other_particle: both ends are the same particle; a lock joins two");
    def = good;
    def.other_garment = (slv_garment_id){0, 0};
    refuse(world, &def, "id: the null id names no garment");
    def = good;
    def.length = -2.0f;
    refuse(world, &def, "length is -2, should be from 0 to 1e+06, or SLV_UNSET");
    def.length = NAN;
    assert_int_equal(slv_world_add_lock(world, &def, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_add_lock(NULL, &good, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_add_lock(world, &good, NULL), SLV_OK);
    const slv_lock_id lock = slv_world_get_lock(world, 0);
    assert_int_equal(slv_lock_get_def(world, lock, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_lock_get_distance(world, lock, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_lock(world, 1).slot, 0);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_has_its_period),
        cmocka_unit_test(momentum_is_kept_at_any_ratio_of_masses),
        cmocka_unit_test(a_slack_lock_is_a_string),
        cmocka_unit_test(locks_that_share_particles_all_hold),
        cmocka_unit_test(a_lock_ties_a_body_to_a_rope_and_a_rope_to_a_cloth),
        cmocka_unit_test(locks_have_the_same_bits_with_any_number_of_threads),
        cmocka_unit_test(a_snapshot_goes_on_alike_with_the_same_locks),
        cmocka_unit_test(garments_that_a_lock_joins_sleep_and_wake_together),
        cmocka_unit_test(a_lock_that_is_cut_holds_no_longer),
        cmocka_unit_test(a_garment_that_is_removed_takes_its_locks_along),
        cmocka_unit_test(wrong_locks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
