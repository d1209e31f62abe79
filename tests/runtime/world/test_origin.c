// SPDX-License-Identifier: MIT
// Worlds far from 0: a world with its origin near its objects moves bit for bit as at 0.
#include "tests/common/free_fall.h"
#include "tests/common/test_world.h"
#include "tests/runtime/world/clip_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add_to(double position[3], const double offset[3]) {
    for (int d = 0; d < 3; d++) {
        position[d] += offset[d];
    }
}

static slv_world *make_world_at(slv_solver solver, double time_step, const double origin[3]) {
    slv_world_def def = plain_world(solver, time_step);
    memcpy(def.origin, origin, sizeof def.origin);
    soften_for_integrators(&def, 1e-6f, 0.0f);
    return must_create(&def);
}

// --- Free fall --------------------------------------------------------------------------------------

// With the world's origin `distance` from 0 on every axis.
static free_fall fall_at(slv_solver solver, double time_step, double distance) {
    const double origin[3] = {distance, distance, -distance};
    slv_world_def def = plain_world(solver, time_step);
    memcpy(def.origin, origin, sizeof def.origin);
    return must_fall(def, 0.0);
}

static void a_cloth_falls_as_far_anywhere(void **state) {
    (void)state;
    static const double time_steps[] = {0.0001, 0.002, 0.016};
    static const double distances[] = {0.0, 2.0, 100.0, 5000.0, 100000.0};
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        // Mass-spring solvers have one integration in common: short steps of one of them suffice.
        for (size_t n = solver > SLV_MS_EXPLICIT_EULER ? 1 : 0;
             n < sizeof time_steps / sizeof *time_steps; n++) {
            uint64_t first = 0;
            for (size_t k = 0; k < sizeof distances / sizeof *distances; k++) {
                const free_fall fall = fall_at((slv_solver)solver, time_steps[n], distances[k]);
                first = k == 0 ? fall.hash : first;
                if (!(fall.error < 1e-4) || fall.hash != first) {
                    fail_msg("%s, steps of %g s, %g m: off by %g",
                             slv_solver_get_name((slv_solver)solver), time_steps[n], distances[k],
                             fall.error);
                }
            }
        }
    }
}

// --- Everything, far away ---------------------------------------------------------------------------

// A floor, a ball that turns and flies, a box that moves to a pose, a cloth that falls on them and sleeps, one with
// limits and a moved corner, a clip that is led.
typedef struct busy_world {
    slv_world *world;
    slv_garment_id falling, held;
    slv_collider_id floor, box;
    slv_clip_id clip;
} busy_world;

static void add_colliders(busy_world *busy, const double at[3]) {
    slv_collider_def def = collider_of_every_shape(0);
    def.position[1] = -0.4 + at[1];
    assert_int_equal(slv_world_add_collider(busy->world, &def, &busy->floor), SLV_OK);
    def = collider_of_every_shape(1);
    def.velocity[0] = 0.1f;
    def.angular_velocity[1] = 2.0f;
    add_to(def.position, at);
    assert_int_equal(slv_world_add_collider(busy->world, &def, NULL), SLV_OK);
    def = collider_of_every_shape(3);
    def.position[0] = 0.25;
    add_to(def.position, at);
    assert_int_equal(slv_world_add_collider(busy->world, &def, &busy->box), SLV_OK);
}

static void add_garments(busy_world *busy, const double at[3]) {
    static const slv_limit_def limit = {.max_distance = 0.05f, .backstop = SLV_UNSET};
    slv_garment_def def = slv_default_garment_def();
    def.garment_collision = true;
    def.sleep_speed = 0.05f;
    def.position[1] = 0.15;
    add_to(def.position, at);
    busy->falling = must_add(busy->world, make_grid(12, 1, 12, 0.03f, NULL), def);
    def.position[1] += 0.25;
    def.limits = &limit;
    def.limit_count = 1;
    def.fixed = (const uint32_t[]){0, 11};
    def.fixed_count = 2;
    busy->held = must_add(busy->world, make_grid(12, 1, 12, 0.03f, NULL), def);
}

static busy_world make_busy(slv_solver solver, const double at[3]) {
    busy_world busy = {.world = make_world_at(solver, 0.002, at)};
    slv_clip_def clip = slv_default_clip_def();
    clip.position[2] = 0.7;
    add_to(clip.position, at);
    busy.clip = add_clip(busy.world, clip);
    add_colliders(&busy, at);
    add_garments(&busy, at);
    return busy;
}

// Moves that take 400 steps.
static void lead(const busy_world *busy, const double at[3]) {
    static const uint32_t corner = 0;
    static const float target[3] = {0.1f, 0.5f, 0.05f};
    const float turn[4] = {0.0f, 0.6f, 0.0f, 0.8f};
    double pose[3] = {0.1, 0.05, 0.0};
    add_to(pose, at);
    assert_int_equal(slv_collider_move(busy->world, busy->box, pose, turn, 400), SLV_OK);
    add_to(pose, (const double[3]){0.0, 0.0, 0.5});
    assert_int_equal(slv_clip_lead(busy->world, busy->clip, pose, turn, 0.8), SLV_OK);
    assert_int_equal(slv_garment_move_fixed(busy->world, busy->held, &corner, 1, target, 400),
                     SLV_OK);
}

static void a_world_at_10_km_moves_bit_for_bit_as_at_the_origin(void **state) {
    (void)state;
    static const double places[2][3] = {{0.0, 0.0, 0.0}, {10000.0, 512.0, -10000.0}};
    static const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PBD_GS};
    for (int s = 0; s < 2; s++) {
        uint64_t hashes[2][3];
        for (int w = 0; w < 2; w++) {
            const busy_world busy = make_busy(solvers[s], places[w]);
            double pose[3];
            must_step(busy.world, 50);
            hashes[w][0] = must_hash(busy.world);
            lead(&busy, places[w]);
            must_step(busy.world, 250);
            hashes[w][1] = must_hash(busy.world);
            assert_int_equal(slv_collider_get_pose(busy.world, busy.box, pose, NULL), SLV_OK);
            assert_true(fabs(pose[2] - places[w][2]) < 1.0);
            assert_int_equal(slv_collider_get_pose(busy.world, busy.floor, pose, NULL), SLV_OK);
            assert_near(pose[1] - places[w][1], -0.4, 1e-6);
            assert_int_equal(slv_world_reset(busy.world), SLV_OK);
            must_step(busy.world, 50);
            hashes[w][2] = must_hash(busy.world);
            slv_world_destroy(busy.world);
        }
        assert_memory_equal(hashes[0], hashes[1], sizeof hashes[0]);
        assert_true(hashes[0][0] == hashes[0][2]);
    }
}

// --- Moving the origin ------------------------------------------------------------------------------

// Largest distance of particles of two worlds with different origins.
static double compare(const busy_world *one, const busy_world *other, slv_garment_id id) {
    double origins[2][3];
    double worst = 0.0;
    slv_particle_view view;
    slv_world_get_origin(one->world, origins[0]);
    slv_world_get_origin(other->world, origins[1]);
    assert_int_equal(slv_garment_get_positions(one->world, id, &view), SLV_OK);
    for (uint32_t p = 0; p < view.count; p++) {
        float at[2][3];
        must_position(one->world, id, p, at[0]);
        must_position(other->world, id, p, at[1]);
        for (int d = 0; d < 3; d++) {
            const double left = origins[0][d] + (double)at[0][d];
            const double right = origins[1][d] + (double)at[1][d];
            worst = fmax(worst, fabs(left - right));
        }
    }
    return worst;
}

// The origin moves by some metres in the midst of moves, contacts and leading. Energy and positions stay, and the
// motion goes on as without that.
static void a_new_origin_changes_no_motion(void **state) {
    (void)state;
    static const double zero[3] = {0.0, 0.0, 0.0};
    static const double origin[3] = {1.0, -0.5, 0.25};
    const busy_world still = make_busy(SLV_PD_RBGS, zero);
    const busy_world moved = make_busy(SLV_PD_RBGS, zero);
    const busy_world *both[2] = {&still, &moved};
    slv_measures measures[2];
    for (int w = 0; w < 2; w++) {
        must_step(both[w]->world, 20);
        lead(both[w], zero);
        must_step(both[w]->world, 40);
    }
    assert_int_equal(slv_world_set_origin(moved.world, origin), SLV_OK);
    assert_true(compare(&still, &moved, still.falling) < 1e-7);
    assert_true(compare(&still, &moved, still.held) < 1e-7);
    for (int n = 0; n < 5; n++) {
        for (int w = 0; w < 2; w++) {
            measures[w] = must_measure(both[w]->world);
            must_step(both[w]->world, 1);
        }
        assert_near(measures[1].kinetic_energy / measures[0].kinetic_energy, 1.0, 1e-5);
    }
    // A strain limit that takes effect a step earlier or later in one of the worlds moves a particle by some 20 um.
    assert_true(compare(&still, &moved, still.falling) < 2e-6);
    assert_true(compare(&still, &moved, still.held) < 5e-5);
    slv_world_destroy(still.world);
    slv_world_destroy(moved.world);
}

// Displacements of a step are 120 um. Without remainders of previous positions the energy changes by 2.3e-6.
static void a_new_origin_changes_no_velocity(void **state) {
    (void)state;
    static const double zero[3] = {0.0, 0.0, 0.0};
    slv_world *world = make_world_at(SLV_PD_RBGS, 0.002, zero);
    slv_garment_def garment = slv_default_garment_def();
    garment.velocity[0] = 0.06f;
    garment.velocity[2] = -0.03f;
    (void)must_add(world, make_grid(5, 1, 4, 0.05f, NULL), garment);
    for (int n = 1; n <= 20; n++) {
        const double origin[3] = {0.3 * n, -0.7 * n, 0.1};
        must_step(world, 3);
        const double energy = must_measure(world).kinetic_energy;
        assert_int_equal(slv_world_set_origin(world, origin), SLV_OK);
        assert_near(must_measure(world).kinetic_energy / energy, 1.0, 1e-6);
    }
    slv_world_destroy(world);
}

// The garments move away and the origin follows: it is as accurate as at the start.
static void velocities_survive_any_origin(void **state) {
    (void)state;
    static const double zero[3] = {0.0, 0.0, 0.0};
    slv_world *world = make_world_at(SLV_PD_RBGS, 0.002, zero);
    slv_garment_def garment = slv_default_garment_def();
    slv_parameters parameters = slv_world_get_parameters(world);
    memset(parameters.gravity, 0, sizeof parameters.gravity);
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    garment.velocity[0] = 30.0f;
    const slv_garment_id id = must_add(world, make_grid(5, 1, 4, 0.05f, NULL), garment);
    const double energy = must_measure(world).kinetic_energy;
    for (int n = 1; n <= 100; n++) {
        const double origin[3] = {6.0 * n, 0.0, 0.0};
        must_step(world, 100);
        assert_int_equal(slv_world_set_origin(world, origin), SLV_OK);
        assert_near(must_measure(world).kinetic_energy / energy, 1.0, 1e-5);
    }
    float at[3];
    must_position(world, id, 0, at);
    assert_near((double)at[0], 0.0, 1e-3); // 600 m
    slv_world_destroy(world);
}

static void a_sleeping_garment_sleeps_on(void **state) {
    (void)state;
    static const double zero[3] = {0.0, 0.0, 0.0};
    static const double origin[3] = {3.0, 0.0, 1.0};
    slv_world *world = make_world_at(SLV_PD_RBGS, 0.002, zero);
    slv_collider_def floor = collider_of_every_shape(0);
    slv_garment_def def = slv_default_garment_def();
    bool asleep = false;
    def.sleep_speed = 0.05f;
    def.position[1] = 0.006;
    assert_int_equal(slv_world_add_collider(world, &floor, NULL), SLV_OK);
    const slv_garment_id id = must_add(world, make_grid(6, 1, 6, 0.03f, NULL), def);
    must_step(world, 1500);
    assert_int_equal(slv_garment_is_asleep(world, id, &asleep), SLV_OK);
    assert_true(asleep);
    assert_int_equal(slv_world_set_origin(world, origin), SLV_OK);
    must_step(world, 10);
    assert_int_equal(slv_garment_is_asleep(world, id, &asleep), SLV_OK);
    assert_true(asleep);
    slv_world_destroy(world);
}

static void snapshots_and_resets_keep_places(void **state) {
    (void)state;
    static const double zero[3] = {0.0, 0.0, 0.0};
    static const double far[3] = {2000.0, 0.0, 64.0};
    const busy_world busy = make_busy(SLV_PD_RBGS, zero);
    double origin[3];
    float before[3];
    float after[3];
    must_step(busy.world, 30);
    must_position(busy.world, busy.held, 7, before);
    const saved_world saved = must_save(busy.world);
    const uint64_t hash = must_hash(busy.world);
    assert_int_equal(slv_world_set_origin(busy.world, far), SLV_OK);
    must_position(busy.world, busy.held, 7, after);
    assert_near((double)before[0], (double)after[0] + far[0], 1e-4);
    must_restore(busy.world, &saved);
    slv_world_get_origin(busy.world, origin);
    assert_true(origin[0] == 0.0 && must_hash(busy.world) == hash);
    assert_int_equal(slv_world_set_origin(busy.world, far), SLV_OK);
    assert_int_equal(slv_world_reset(busy.world), SLV_OK);
    assert_int_equal(slv_world_set_origin(busy.world, zero), SLV_OK);
    must_position(busy.world, busy.held, 7, after); // its start, rounded at 2 km
    assert_near((double)after[0], 0.03 * 7, 1e-4);
    free(saved.bytes);
    slv_world_destroy(busy.world);
}

static void wrong_origins_are_refused(void **state) {
    (void)state;
    static const double wrong[][3] = {{1e6, 0, 0}, {0, (double)NAN, 0}, {0, 0, -(double)INFINITY}};
    static const double zero[3] = {0.0, 0.0, 0.0};
    static const double corner[3] = {-8.9e5, 0.0, 0.0};
    const busy_world busy = make_busy(SLV_PD_RBGS, zero);
    const uint64_t hash = must_hash(busy.world);
    for (size_t n = 0; n < 3; n++) {
        assert_int_equal(slv_world_set_origin(busy.world, wrong[n]), SLV_ERROR_ARGUMENT);
    }
    assert_int_equal(slv_world_set_origin(busy.world, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_set_origin(NULL, zero), SLV_ERROR_ARGUMENT);
    assert_true(must_hash(busy.world) == hash);
    slv_garment_def def = slv_default_garment_def();
    def.position[0] = 5e4;
    (void)must_add(busy.world, make_grid(2, 1, 2, 0.03f, NULL), def);
    assert_int_equal(slv_world_set_origin(busy.world, corner), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(busy.world), "origin: garment"));
    slv_world_destroy(busy.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cloth_falls_as_far_anywhere),
        cmocka_unit_test(a_world_at_10_km_moves_bit_for_bit_as_at_the_origin),
        cmocka_unit_test(a_new_origin_changes_no_motion),
        cmocka_unit_test(a_new_origin_changes_no_velocity),
        cmocka_unit_test(velocities_survive_any_origin),
        cmocka_unit_test(a_sleeping_garment_sleeps_on),
        cmocka_unit_test(snapshots_and_resets_keep_places),
        cmocka_unit_test(wrong_origins_are_refused),
    };
    return cmocka_run_group_tests(tests, write_clip_pack, remove_clip_pack);
}
