// SPDX-License-Identifier: MIT
// Poses of clips: set at once or reached in a given time, with the velocities that follow from them.
#include "tests/runtime/world/clip_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const float half_turn[4] = {0.0f, 1.0f, 0.0f, 0.0f}; // around y: x and z change their signs

// Compares the surface with the formula, moved along x and rotated around y by an angle.
static void check_turned(slv_world *world, slv_garment_id surface, double frame, double shift,
                         double angle, double tolerance) {
    for (uint32_t i = 0; i < CLIP_PARTICLES; i++) {
        double at[3];
        float position[3];
        expected_position(SLV_MOTION_PARTICLES, i, frame, at);
        must_position(world, surface, i, position);
        assert_near((double)position[0], cos(angle) * at[0] + sin(angle) * at[2] + shift,
                    tolerance);
        assert_near((double)position[1], at[1], tolerance);
        assert_near((double)position[2], cos(angle) * at[2] - sin(angle) * at[0], tolerance);
    }
}

static double speed_of(slv_world *world, slv_garment_id garment, uint32_t particle) {
    slv_particle_view now;
    slv_particle_view before;
    double square = 0.0;
    assert_int_equal(slv_garment_get_positions(world, garment, &now), SLV_OK);
    assert_int_equal(slv_garment_get_previous_positions(world, garment, &before), SLV_OK);
    const size_t at = (size_t)now.slot[particle] * now.stride;
    const double displacement[3] = {(double)now.x[at] - (double)before.x[at],
                                    (double)now.y[at] - (double)before.y[at],
                                    (double)now.z[at] - (double)before.z[at]};
    for (int d = 0; d < 3; d++) {
        square += displacement[d] * displacement[d];
    }
    return sqrt(square) / CLIP_STEP;
}

static void a_set_pose_moves_surface_and_attachments_without_a_velocity_spike(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    const slv_clip_id clip = add_clip(world, slv_default_clip_def());
    const slv_garment_id surface = get_report(world, clip).surface;
    const slv_garment_id cloth =
        must_add(world, make_grid(5, 1, 5, 0.05f, NULL), slv_default_garment_def());
    const double position[3] = {3.0, 0.0, 0.0};
    double at[3];
    float turn[4];
    float held[2][3];
    assert_int_equal(slv_clip_attach(world, clip, "belt", cloth), SLV_OK);
    must_step(world, 100);
    const double before = speed_of(world, surface, 3);
    must_position(world, cloth, 1, held[0]);
    assert_int_equal(slv_clip_set_pose(world, clip, position, half_turn), SLV_OK);
    assert_near(speed_of(world, surface, 3), before, 1e-3);
    must_position(world, cloth, 1, held[1]);
    assert_near((double)held[1][0], 3.0 - (double)held[0][0], 1e-5);
    check_turned(world, surface, 100 * CLIP_STEP * 30.0, 3.0, 3.14159265358979, 1e-4 + CLIP_ERROR);
    assert_int_equal(slv_clip_get_pose(world, clip, at, turn), SLV_OK);
    assert_memory_equal(at, position, sizeof position);
    assert_memory_equal(turn, half_turn, sizeof half_turn);
    for (int s = 101; s < 200; s++) {
        must_step(world, 1);
        check_turned(world, surface, s * CLIP_STEP * 30.0, 3.0, 3.14159265358979,
                     1e-4 + CLIP_ERROR);
        assert_true(speed_of(world, surface, 3) < 20.0);
    }
    assert_int_equal(slv_clip_set_pose(world, clip, NULL, half_turn), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_clip_set_pose(world, (slv_clip_id){0}, position, half_turn),
                     SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

// A paused clip: its points have the constant velocity of the pose from the first step to the last.
static void a_led_clip_moves_at_constant_velocity(void **state) {
    (void)state;
    static const double frames[] = {1.0 / 60.0, 1.0 / 37.0, 0.001};
    for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
        slv_world *world = make_clip_world();
        slv_clip_def def = slv_default_clip_def();
        const float upright[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        def.speed = 0.0;
        const slv_clip_id clip = add_clip(world, def);
        const slv_garment_id surface = get_report(world, clip).surface;
        for (int n = 0; n * frames[f] < 0.4; n++) {
            const double position[3] = {2.0 * (n + 1) * frames[f], 0.0, 0.0};
            assert_int_equal(slv_clip_lead(world, clip, position, upright, frames[f]), SLV_OK);
            assert_int_equal(slv_world_advance(world, frames[f], NULL), SLV_OK);
            const double steps = (double)slv_world_get_step_count(world);
            check_turned(world, surface, 0.0, 2.0 * CLIP_STEP * steps, 0.0, 2e-5 + CLIP_ERROR);
            if (steps > 0.0) {
                assert_near(speed_of(world, surface, 0), 2.0, 5e-3);
            }
        }
        slv_world_destroy(world);
    }
}

// Half a turn in half a second, then at rest. The bits do not depend on the steps per call.
static void a_rotating_clip_follows_its_arc(void **state) {
    (void)state;
    slv_world *worlds[2] = {make_clip_world(), make_clip_world()};
    slv_clip_id clips[2];
    const double position[3] = {0.0, 0.0, 0.0};
    for (int w = 0; w < 2; w++) {
        slv_clip_def def = slv_default_clip_def();
        def.speed = 0.0;
        clips[w] = add_clip(worlds[w], def);
        assert_int_equal(slv_clip_lead(worlds[w], clips[w], position, half_turn, 0.5), SLV_OK);
    }
    must_step(worlds[0], 260);
    for (int s = 0; s < 260; s++) {
        must_step(worlds[1], 1);
    }
    assert_int_equal(must_hash(worlds[0]), must_hash(worlds[1]));
    check_turned(worlds[0], get_report(worlds[0], clips[0]).surface, 0.0, 0.0, 3.14159265358979,
                 1e-5 + CLIP_ERROR);
    assert_int_equal(slv_world_reset(worlds[0]), SLV_OK);
    must_step(worlds[0], 20);
    check_clip_surface(worlds[0], get_report(worlds[0], clips[0]).surface, 0.0);
    slv_world_destroy(worlds[0]);
    slv_world_destroy(worlds[1]);
}

static void a_snapshot_contains_the_pose(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    const slv_clip_id clip = add_clip(world, slv_default_clip_def());
    const double position[3] = {1.0, 0.5, 0.0};
    assert_int_equal(slv_clip_lead(world, clip, position, half_turn, 0.3), SLV_OK);
    must_step(world, 40);
    const saved_world saved = must_save(world);
    must_step(world, 200);
    const uint64_t known = must_hash(world);
    must_restore(world, &saved);
    must_step(world, 200);
    assert_int_equal(must_hash(world), known);
    free(saved.bytes);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_pose_moves_surface_and_attachments_without_a_velocity_spike),
        cmocka_unit_test(a_led_clip_moves_at_constant_velocity),
        cmocka_unit_test(a_rotating_clip_follows_its_arc),
        cmocka_unit_test(a_snapshot_contains_the_pose),
    };
    return cmocka_run_group_tests(tests, write_clip_pack, remove_clip_pack);
}
