// SPDX-License-Identifier: MIT
// The motion does not depend on the lengths of the frames.
#include "tests/runtime/world/small_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static slv_world *open_world(void) {
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    def.max_advance = 0.0;
    def.parameters.damping = 5.0f; // keeps differences by rounding small
    return must_create(&def);
}

static void states_do_not_depend_on_how_time_is_divided(void **state) {
    (void)state;
    slv_world *one = open_world();
    slv_world *many = open_world();
    slv_world *odd = open_world();
    (void)add_hanging_cloth(one);
    (void)add_hanging_cloth(many);
    (void)add_hanging_cloth(odd);
    slv_advance_report report;
    assert_int_equal(slv_world_advance(one, 2.0, &report), SLV_OK);
    assert_int_equal(report.steps_done, 1000);
    assert_int_equal(report.steps_left, 0);
    assert_near((double)report.fraction, 0.0, 1e-5);
    for (int n = 0; n < 120; n++) {
        assert_int_equal(slv_world_advance(many, 1.0 / 60.0, NULL), SLV_OK);
    }
    for (int n = 0; n < 700; n++) {
        assert_int_equal(slv_world_advance(odd, 2.0 / 700.0, &report), SLV_OK);
        assert_true(report.fraction >= 0.0f && report.fraction <= 1.0f);
    }
    assert_int_equal(slv_world_get_step_count(one), 1000);
    assert_int_equal(slv_world_get_step_count(many), 1000);
    assert_int_equal(slv_world_get_step_count(odd), 1000);
    assert_int_equal(must_hash(one), must_hash(many));
    assert_int_equal(must_hash(one), must_hash(odd));
    slv_world_destroy(one);
    slv_world_destroy(many);
    slv_world_destroy(odd);
}

// Target of the corners: upwards at constant speed, for the two seconds of this test. (Pushed together the cloth
// would fold, and folds amplify differences by rounding.)
static void lead_corners(slv_world *world, slv_garment_id id, double time, double seconds) {
    static const uint32_t corners[] = {0, 7};
    const float height = (float)(0.5 * (time + seconds));
    const float targets[] = {0.0f, height, 0.0f, 0.7f, height, 0.0f};
    assert_int_equal(slv_garment_lead_fixed(world, id, corners, 2, targets, seconds), SLV_OK);
    assert_int_equal(slv_world_advance(world, seconds, NULL), SLV_OK);
    float position[3];
    must_position(world, id, 0,
                  position); // its target at the last step, not at the end of the frame
    assert_near((double)position[1], 0.5 * 0.002 * (double)slv_world_get_step_count(world), 2e-7);
}

static double furthest_apart(slv_world *one, slv_world *other, slv_garment_id id) {
    double most = 0.0;
    slv_particle_view a;
    slv_particle_view b;
    assert_int_equal(slv_garment_get_positions(one, id, &a), SLV_OK);
    assert_int_equal(slv_garment_get_positions(other, id, &b), SLV_OK);
    for (uint32_t p = 0; p < a.count; p++) {
        float i[3];
        float k[3];
        slv_particle_view_get(&a, p, i);
        slv_particle_view_get(&b, p, k);
        for (int d = 0; d < 3; d++) {
            most = fmax(most, fabs((double)(i[d] - k[d])));
        }
    }
    return most;
}

static void fixed_particles_move_alike_in_frames_of_any_length(void **state) {
    (void)state;
    static const double rates[] = {24.0, 60.0, 144.0, 999.0}; // frames a second; steps are 500
    static const uint32_t corners[] = {0, 7};
    static const float targets[] = {0.0f, 1.0f, 0.0f, 0.7f, 1.0f, 0.0f};
    slv_world *known = open_world();
    slv_garment_id id = add_hanging_cloth(known);
    assert_int_equal(slv_garment_move_fixed(known, id, corners, 2, targets, 1000), SLV_OK);
    must_step(known, 1000);
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        slv_world *world = open_world();
        (void)add_hanging_cloth(world);
        int frames = (int)(2.0 * rates[r]);
        for (int n = 0; n < frames; n++) {
            lead_corners(world, id, n / rates[r], 1.0 / rates[r]);
        }
        assert_int_equal(slv_world_get_step_count(world), 1000);
        assert_true(furthest_apart(known, world, id) < 1e-4);
        slv_world_destroy(world);
    }
    slv_world *uneven = open_world(); // frames of 1 to 40 ms
    (void)add_hanging_cloth(uneven);
    double time = 0.0;
    for (uint32_t n = 0; time < 2.0; n++) {
        double seconds = fmin(0.001 + 0.001 * (n * 7919u % 40u), 2.0 - time);
        lead_corners(uneven, id, time, seconds < 1e-6 ? 1e-6 : seconds);
        time += seconds < 1e-6 ? 1e-6 : seconds;
    }
    assert_int_equal(slv_world_get_step_count(uneven), 1000);
    assert_true(furthest_apart(known, uneven, id) < 1e-4);
    slv_world_destroy(uneven);
    slv_world_destroy(known);
}

static void invalid_times_are_refused(void **state) {
    (void)state;
    static const double bad[] = {0.0, -0.1, (double)NAN, (double)INFINITY, 1e30};
    static const uint32_t corner[] = {0};
    static const uint32_t loose[] = {1};
    static const float target[] = {0.0f, 1.0f, 0.0f};
    static const float nowhere[] = {0.0f, NAN, 0.0f};
    slv_world *world = open_world();
    slv_garment_id id = add_hanging_cloth(world);
    must_step(world, 3);
    uint64_t hash = must_hash(world);
    size_t size = slv_world_get_snapshot_size(world); // grows with every move under way
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(slv_garment_lead_fixed(world, id, corner, 1, target, bad[i]),
                         SLV_ERROR_ARGUMENT);
        assert_non_null(strstr(slv_world_get_message(world), "seconds"));
    }
    assert_int_equal(slv_garment_lead_fixed(world, id, corner, 1, nowhere, 0.1),
                     SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_lead_fixed(world, id, loose, 1, target, 0.1), SLV_ERROR_ARGUMENT);
    assert_int_equal(
        slv_garment_lead_fixed(world, slv_world_get_garment(world, 9), corner, 1, target, 0.1),
        SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_lead_fixed(NULL, id, corner, 1, target, 0.1), SLV_ERROR_ARGUMENT);
    assert_int_equal(must_hash(world), hash);
    assert_int_equal(slv_world_get_snapshot_size(world), size);
    slv_world_destroy(world);
}

static void interpolated_positions_are_between_two_steps(void **state) {
    (void)state;
    slv_world *world = open_world();
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 0.01f;
    generated_garment *made = make_cloth(8, 9, 0.1f, false);
    static const float zeros[9] = {0.0f};
    static const float up[9] = {0, 1, 0, 0, 1, 0, 0, 1, 0};
    static const uint32_t corners[] = {0, 1, 40};
    static const uint32_t triangle[] = {0, 1, 2};
    static const float whole[] = {1.0f, 1.0f, 1.0f};
    generated_view(made)->render = (slv_render_mesh){.vertex_count = 3,
                                                     .triangle_count = 1,
                                                     .positions = zeros,
                                                     .normals = up,
                                                     .triangles = triangle,
                                                     .influences = 1,
                                                     .particles = corners,
                                                     .weights = whole};
    slv_garment_id id = must_add(world, made, def);
    slv_particle_view now;
    slv_particle_view before;
    slv_surface_view surface;
    float shown[3][3];
    float fraction = 0.0f;
    slv_advance_report report;
    assert_int_equal(slv_world_advance(world, 0.1234, &report), SLV_OK);
    fraction = report.fraction;
    assert_near((double)fraction, 0.7, 1e-4);
    assert_int_equal(slv_garment_get_previous_positions(world, id, &before), SLV_OK);
    assert_int_equal(slv_garment_get_positions(world, id, &now), SLV_OK);
    assert_int_equal(before.count, now.count);
    size_t at = (size_t)now.slot[40] * now.stride;
    float fallen = now.y[at] - before.y[at];
    assert_true(fallen < -1e-4f);
    for (int n = 0; n < 3; n++) {
        assert_int_equal(slv_garment_get_surface_at(world, id, 0.5f * (float)n, &surface), SLV_OK);
        assert_int_equal(surface.vertex_count, 3);
        memcpy(shown[n], surface.positions + 3 * 2, sizeof shown[n]);
    }
    for (int d = 0; d < 3; d++) {
        assert_near((double)shown[1][d], 0.5 * ((double)shown[0][d] + (double)shown[2][d]), 1e-6);
    }
    assert_true(shown[2][1] < shown[0][1] - 1e-4f);
    assert_int_equal(slv_garment_get_surface(world, id, &surface), SLV_OK); // the last step
    assert_memory_equal(surface.positions + 3 * 2, shown[2], sizeof shown[2]);
    assert_int_equal(slv_garment_get_surface_at(world, id, 1.5f, &surface), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_get_surface_at(world, id, NAN, &surface), SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

// --- Remaining steps -----------------------------------------------------------------------------

static slv_world *open_capped(double max_advance) {
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    def.max_advance = max_advance;
    return must_create(&def);
}

static void a_call_does_at_most_the_steps_of_max_advance(void **state) {
    (void)state;
    slv_world *capped = open_capped(0.1);
    slv_world *known = open_capped(0.0);
    slv_advance_report report;
    (void)add_hanging_cloth(capped);
    (void)add_hanging_cloth(known);
    assert_int_equal(slv_world_advance(known, 0.35, NULL), SLV_OK);
    assert_int_equal(slv_world_get_step_count(known), 175);
    assert_int_equal(slv_world_advance(capped, 0.35, &report), SLV_OK);
    for (int left = 125; left > 0; left -= 50) {
        assert_int_equal(report.steps_done, 50);
        assert_int_equal(report.steps_left, left);
        assert_near((double)report.fraction, 1.0, 0.0);
        assert_int_equal(slv_world_advance(capped, 0.0, &report), SLV_OK);
    }
    assert_int_equal(report.steps_done, 25);
    assert_int_equal(report.steps_left, 0);
    must_end_alike(capped, known);
}

static void dropped_steps_are_not_made_up_later(void **state) {
    (void)state;
    slv_world *world = open_capped(0.1);
    slv_advance_report report;
    (void)add_hanging_cloth(world);
    assert_int_equal(slv_world_advance(world, 1.001, &report), SLV_OK);
    assert_int_equal(report.steps_left, 450);
    assert_int_equal(slv_world_drop_steps(world), SLV_OK);
    assert_int_equal(slv_world_advance(world, 0.0, &report), SLV_OK);
    assert_int_equal(report.steps_done, 0);
    assert_int_equal(report.steps_left, 0);
    assert_near((double)report.fraction, 0.5, 1e-3);
    assert_int_equal(slv_world_advance(world, 0.001, &report), SLV_OK);
    assert_int_equal(report.steps_done, 1);
    assert_int_equal(slv_world_get_step_count(world), 51);
    assert_int_equal(slv_world_drop_steps(NULL), SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

static void a_snapshot_contains_the_remaining_steps(void **state) {
    (void)state;
    slv_world *world = open_capped(0.1);
    slv_advance_report report;
    (void)add_hanging_cloth(world);
    assert_int_equal(slv_world_advance(world, 0.2, &report), SLV_OK);
    const saved_world saved = must_save(world);
    assert_int_equal(slv_world_drop_steps(world), SLV_OK);
    must_restore(world, &saved);
    assert_int_equal(slv_world_advance(world, 0.0, &report), SLV_OK);
    assert_int_equal(report.steps_done, 50);
    free(saved.bytes);
    slv_world_destroy(world);
}

// --- Colliders moved in seconds --------------------------------------------------------------------------

// A ball that moves along a line in frames of any length is at its target position at every step.
static void a_collider_moves_evenly_in_frames_of_any_length(void **state) {
    (void)state;
    static const double frames[] = {1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0, 0.001};
    for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
        slv_world *world = open_capped(0.0);
        slv_collider_def def = slv_default_collider_def();
        slv_collider_id id = {0};
        const float turn[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        def.radius = 0.01f;
        (void)add_hanging_cloth(world);
        assert_int_equal(slv_world_add_collider(world, &def, &id), SLV_OK);
        for (int n = 0; n * frames[f] < 0.5; n++) {
            const double position[3] = {2.0 * (n + 1) * frames[f], 5.0, 0.0};
            double at[3];
            assert_int_equal(slv_collider_lead(world, id, position, turn, frames[f]), SLV_OK);
            assert_int_equal(slv_world_advance(world, frames[f], NULL), SLV_OK);
            assert_int_equal(slv_collider_get_pose(world, id, at, NULL), SLV_OK);
            assert_near(at[0], 2.0 * 0.002 * (double)slv_world_get_step_count(world), 2e-5);
        }
        assert_int_equal(slv_collider_lead(world, id, def.position, turn, 0.0), SLV_ERROR_ARGUMENT);
        assert_int_equal(slv_collider_lead(world, id, NULL, turn, 0.1), SLV_ERROR_ARGUMENT);
        slv_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_do_not_depend_on_how_time_is_divided),
        cmocka_unit_test(fixed_particles_move_alike_in_frames_of_any_length),
        cmocka_unit_test(invalid_times_are_refused),
        cmocka_unit_test(interpolated_positions_are_between_two_steps),
        cmocka_unit_test(a_call_does_at_most_the_steps_of_max_advance),
        cmocka_unit_test(dropped_steps_are_not_made_up_later),
        cmocka_unit_test(a_snapshot_contains_the_remaining_steps),
        cmocka_unit_test(a_collider_moves_evenly_in_frames_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
