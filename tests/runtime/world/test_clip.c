// SPDX-License-Identifier: MIT
// Clips in a world: at every step the points are at their positions in the frames, at any speed and however steps are
// divided into calls.
#define _GNU_SOURCE
#include "tests/runtime/world/clip_world.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void the_surface_follows_the_frames_at_every_step(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    const slv_clip_id clip = add_clip(world, slv_default_clip_def());
    const slv_clip_report before = get_report(world, clip);
    assert_true(slv_garment_is_valid(world, before.surface));
    assert_int_equal(before.frame_count, CLIP_FRAMES);
    for (int s = 0; s < 600; s++) {
        check_clip_surface(world, before.surface, fmod(s * CLIP_STEP * 30.0, CLIP_FRAMES - 1.0));
        must_step(world, 1);
    }
    const slv_clip_report after = get_report(world, clip);
    assert_near(after.time, 600 * CLIP_STEP, 1e-9);
    assert_true(after.decoded_groups >= 3);
    slv_world_destroy(world);
}

static void a_clip_plays_at_any_speed_forwards_and_backwards(void **state) {
    (void)state;
    static const double speeds[] = {-1.0, 0.37, 2.5, -3.1, 90.0};
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        slv_world *world = make_clip_world();
        slv_clip_def def = slv_default_clip_def();
        def.speed = speeds[k];
        def.time = 0.7;
        const slv_clip_id clip = add_clip(world, def);
        for (int s = 1; s < 300; s++) {
            must_step(world, 1);
            double frame = fmod((0.7 + speeds[k] * s * CLIP_STEP) * 30.0, CLIP_FRAMES - 1.0);
            frame = frame < 0.0 ? frame + CLIP_FRAMES - 1.0 : frame;
            if (fabs(frame - floor(frame + 0.5)) >
                1e-6) { // at the end of a loop rounding decides the frame
                check_clip_surface(world, get_report(world, clip).surface, frame);
            }
        }
        slv_world_destroy(world);
    }
}

static void a_clip_that_does_not_loop_stays_at_its_end(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    slv_clip_def def = slv_default_clip_def();
    def.loop = false;
    const slv_clip_id clip = add_clip(world, def);
    must_step(world, 2000);
    check_clip_surface(world, get_report(world, clip).surface, CLIP_FRAMES - 1);
    assert_near(get_report(world, clip).time, (CLIP_FRAMES - 1) / 30.0, 1e-9);
    slv_world_destroy(world);
}

static void a_loop_starts_at_loop_from(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    slv_clip_def def = slv_default_clip_def();
    def.loop_from = 1.0;
    const slv_clip_id clip = add_clip(world, def);
    must_step(world, 250); // 0.5 s: before the loop
    check_clip_surface(world, get_report(world, clip).surface, 15.0);
    must_step(world, 500); // 1.5 s: the end is at 4/3 s, so 1/6 s into the loop
    assert_near(get_report(world, clip).time, 1.0 + 1.0 / 6.0, 1e-9);
    check_clip_surface(world, get_report(world, clip).surface, 35.0);
    slv_world_destroy(world);
}

static void seeking_and_speed_take_effect(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    const slv_clip_id clip = add_clip(world, slv_default_clip_def());
    must_step(world, 10);
    assert_int_equal(slv_clip_seek(world, clip, 1.0), SLV_OK);
    must_step(world, 10);
    check_clip_surface(world, get_report(world, clip).surface, (1.0 + 10 * CLIP_STEP) * 30.0);
    assert_int_equal(slv_clip_set_speed(world, clip, 0.0), SLV_OK);
    must_step(world, 100);
    check_clip_surface(world, get_report(world, clip).surface, (1.0 + 10 * CLIP_STEP) * 30.0);
    assert_int_equal(slv_clip_seek(world, clip, (double)NAN), SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

// A seek cannot be decoded ahead. Whether the worker is faster than the caller is for the system to choose, so no
// thread can be started here: then the caller decodes each group that it needs, and every seek is one wait.
static void every_seek_waits_where_no_thread_can_be_started(void **state) {
    (void)state;
    enum { SEEKS = 40, TOO_LARGE_A_STACK_BITS = 62 };
    char long_path[512];
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {.particles = 1000, .frames = 160, .error = CLIP_ERROR};
    assert_int_equal(sample_collider_write(
                         &sample, temporary_path(long_path, sizeof long_path, "long.slv"), &error),
                     SLV_OK);
    slv_world *world = make_clip_world();
    slv_clip_def def = slv_default_clip_def();
    slv_clip_id clip;
    def.pack_path = long_path;
    pthread_attr_t before;
    pthread_attr_t without;
    assert_int_equal(pthread_getattr_default_np(&before), 0);
    assert_int_equal(pthread_getattr_default_np(&without), 0);
    assert_int_equal(pthread_attr_setstacksize(&without, (size_t)1 << TOO_LARGE_A_STACK_BITS), 0);
    assert_int_equal(pthread_setattr_default_np(&without), 0);
    const slv_result added = slv_world_add_clip(world, &def, &clip);
    assert_int_equal(pthread_setattr_default_np(&before), 0);
    assert_int_equal(added, SLV_OK);
    slv_clip_report report = get_report(world, clip);
    assert_int_equal(report.waits, 0); // the first frame is not counted
    slv_motion_view view;
    for (int n = 1; n <= SEEKS; n++) {
        assert_int_equal(slv_clip_seek(world, clip, 0.1 + 2.1 * (n % 3)), SLV_OK);
        assert_int_equal(slv_clip_get_motion(world, clip, &view), SLV_OK);
    }
    report = get_report(world, clip);
    assert_int_equal(report.waits, SEEKS);
    assert_true(report.decoded_groups >= SEEKS && report.wait_seconds > 0.0);
    slv_world_destroy(world);
    assert_int_equal(unlink(long_path), 0);
    assert_int_equal(pthread_attr_destroy(&before), 0);
    assert_int_equal(pthread_attr_destroy(&without), 0);
}

// --- Velocities -----------------------------------------------------------------------------------

// A frame's velocity, in metres a frame: central difference, one-sided at both ends.
static void frame_velocity(uint32_t point, double frame, double velocity[3]) {
    double a[3];
    double b[3];
    const double before = frame > 0.0 ? frame - 1.0 : 0.0;
    const double after = frame < CLIP_FRAMES - 1 ? frame + 1.0 : CLIP_FRAMES - 1;
    sample_collider_at(SLV_MOTION_PARTICLES, point, before, a);
    sample_collider_at(SLV_MOTION_PARTICLES, point, after, b);
    for (int d = 0; d < 3; d++) {
        velocity[d] = (b[d] - a[d]) / (after - before);
    }
}

static void check_motion(slv_world *world, slv_clip_id clip, double frame, double pace) {
    slv_motion_view view;
    assert_int_equal(slv_clip_get_motion(world, clip, &view), SLV_OK);
    assert_int_equal(view.count, CLIP_PARTICLES);
    for (uint32_t i = 0; i < CLIP_PARTICLES; i++) {
        double at[3];
        double low[3];
        double high[3];
        const double whole = floor(frame);
        expected_position(SLV_MOTION_PARTICLES, i, frame, at);
        frame_velocity(i, whole, low);
        frame_velocity(i, whole + 1.0, high);
        for (size_t d = 0; d < 3; d++) {
            const double velocity = low[d] + (frame - whole) * (high[d] - low[d]);
            assert_near((double)view.positions[3 * i + d], at[d], CLIP_ERROR + 1e-6);
            assert_near((double)view.velocities[3 * i + d], 30.0 * pace * velocity,
                        fabs(pace) * 30.0 * CLIP_ERROR + 1e-4);
        }
    }
}

static void velocities_are_interpolated_between_those_of_the_frames(void **state) {
    (void)state;
    static const double speeds[] = {1.0, -1.0, 0.4, 0.0};
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        slv_world *world = make_clip_world();
        slv_clip_def def = slv_default_clip_def();
        def.speed = speeds[k];
        def.time = 0.55;
        def.solid = k % 2 == 0;
        const slv_clip_id clip = add_clip(world, def);
        for (int s = 0; s < 200; s += 7) {
            check_motion(world, clip, (0.55 + speeds[k] * s * CLIP_STEP) * 30.0, speeds[k]);
            must_step(world, 7);
        }
        slv_world_destroy(world);
    }
}

static void velocities_are_transformed_and_zero_after_the_end(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    slv_clip_def def = slv_default_clip_def();
    const slv_clip_id plain = add_clip(world, def);
    def.scale = 2.0f;
    def.rotation[1] = def.rotation[3] = 0.70710678f; // x becomes -z
    def.position[0] = 5.0;
    def.loop = false;
    const slv_clip_id turned = add_clip(world, def);
    slv_motion_view one;
    slv_motion_view other;
    must_step(world, 40);
    assert_int_equal(slv_clip_get_motion(world, plain, &one), SLV_OK);
    assert_int_equal(slv_clip_get_motion(world, turned, &other), SLV_OK);
    float fastest = 0.0f;
    for (size_t i = 0; i < CLIP_PARTICLES; i++) {
        const float *a = one.velocities + 3 * i;
        const float *b = other.velocities + 3 * i;
        assert_near((double)b[0], 2.0 * (double)a[2], 1e-3);
        assert_near((double)b[1], 2.0 * (double)a[1], 1e-3);
        assert_near((double)b[2], -2.0 * (double)a[0], 1e-3);
        fastest = fmaxf(fastest, fabsf(a[1]));
    }
    assert_true(fastest > 0.01f); // something moves
    must_step(world, 1000);
    assert_int_equal(slv_clip_get_motion(world, turned, &other), SLV_OK);
    for (size_t i = 0; i < 3 * (size_t)CLIP_PARTICLES; i++) {
        assert_true(other.velocities[i] == 0.0f);
    }
    assert_int_equal(slv_clip_get_motion(world, turned, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_clip_get_motion(world, slv_world_get_clip(world, 7), &other),
                     SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

// --- Attachments ----------------------------------------------------------------------------------

static slv_garment_id add_cloth(slv_world *world) {
    slv_garment_def def = slv_default_garment_def();
    def.position[1] = 1.0;
    return must_add(world, make_cloth(5, 5, 0.05f, true), def);
}

static void attached_particles_follow_their_tracks(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    slv_clip_def def = slv_default_clip_def();
    def.solid = false;
    const slv_garment_id cloth = add_cloth(world);
    const slv_clip_id clip = add_clip(world, def);
    assert_false(slv_garment_is_valid(world, get_report(world, clip).surface));
    assert_int_equal(slv_clip_attach(world, clip, "belt", cloth), SLV_OK);
    must_step(world, 100);
    for (uint32_t i = 0; i < 2; i++) { // "belt": points 0 and 1 hold particles 1 and 4
        double at[3];
        float position[3];
        expected_position(SLV_MOTION_ATTACHMENTS, i, 100 * CLIP_STEP * 30.0, at);
        must_position(world, cloth, i == 0 ? 1 : 4, position);
        for (int d = 0; d < 3; d++) {
            assert_near((double)position[d], at[d], CLIP_ERROR + 1e-6);
        }
    }
    float free_one[3];
    must_position(world, cloth, 24, free_one);
    assert_true(free_one[1] < 1.0f); // the rest hangs
    assert_int_equal(slv_clip_attach(world, clip, "sash", cloth), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "sash"));
    slv_world_destroy(world);
}

// --- Contact --------------------------------------------------------------------------------------

typedef struct drape {
    float highest; // metres, of the cloth in the end
    float nearest; // of a particle of the cloth to one of the surface, at any time
} drape;

static void measure_drape(slv_world *world, slv_garment_id cloth, slv_clip_id clip, drape *seen) {
    slv_motion_view surface;
    assert_int_equal(slv_clip_get_motion(world, clip, &surface), SLV_OK);
    seen->highest = -1e9f;
    for (uint32_t i = 0; i < 81; i++) {
        float p[3];
        must_position(world, cloth, i, p);
        seen->highest = fmaxf(seen->highest, p[1]);
        for (uint32_t k = 0; k < CLIP_PARTICLES; k++) {
            const float *q = surface.positions + 3 * (size_t)k;
            const float gap[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
            seen->nearest =
                fminf(seen->nearest, sqrtf(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]));
        }
    }
}

// A sheet that falls across the row of particles; 0.8 s, in which a free one falls by 3 m.
static drape drop_cloth(bool solid, double speed) {
    drape seen = {.nearest = 1e9f};
    slv_world *world = make_clip_world();
    slv_garment_def def = slv_default_garment_def();
    slv_clip_def clip_def = slv_default_clip_def();
    def.garment_collision = true;
    def.position[0] = 0.05;
    def.position[1] = 1.4;
    def.position[2] = -0.2;
    const slv_garment_id cloth = must_add(world, make_cloth(9, 9, 0.05f, true), def);
    clip_def.solid = solid;
    clip_def.speed = speed;
    const slv_clip_id clip = add_clip(world, clip_def);
    for (int n = 0; n < 40; n++) {
        must_step(world, 10);
        measure_drape(world, cloth, clip, &seen);
    }
    slv_world_destroy(world);
    return seen;
}

static void cloth_collides_with_the_surface_at_rest_and_in_motion(void **state) {
    (void)state;
    const drape missed = drop_cloth(false, 0.0);
    const drape held = drop_cloth(true, 0.0);
    const drape lifted = drop_cloth(true, 0.5);
    const float apart = 0.04f + 0.0277f; // the radii: of the clip's and of the cloth's particles
    assert_true(missed.highest < 0.0f && missed.nearest < 0.5f * apart);
    assert_true(held.highest > 1.0f && held.nearest > apart);
    assert_true(lifted.highest > held.highest + 0.05f && lifted.nearest > apart);
}

#ifndef SHORT // 1,500 steps of 3,000 particles

static float center_of(slv_world *world, slv_garment_id cloth) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < 81; i++) {
        float p[3];
        must_position(world, cloth, i, p);
        assert_true(p[1] > 0.0f); // it lies on the tray
        sum += p[0];
    }
    return sum / 81.0f;
}

// A patch rests on a baked tray that moves sideways: its displacement divided by that of the tray.
static double carry(float friction) {
    char tray[512];
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {
        .particles = 56 * 56, .frames = 46, .error = 1e-5, .tray = true};
    assert_int_equal(
        sample_collider_write(&sample, temporary_path(tray, sizeof tray, "tray.slv"), &error),
        SLV_OK);
    slv_world *world = make_clip_world();
    slv_garment_def def = slv_default_garment_def();
    def.garment_collision = true;
    def.friction = friction;
    def.position[0] = def.position[2] = -0.2;
    def.position[1] = 0.03; // a little above where it will lie
    const slv_garment_id cloth = must_add(world, make_cloth(9, 9, 0.05f, true), def);
    slv_clip_def clip = slv_default_clip_def();
    slv_clip_id id;
    clip.pack_path = tray;
    clip.loop = false;
    clip.friction = friction;
    assert_int_equal(slv_world_add_clip(world, &clip, &id), SLV_OK);
    const float before = center_of(world, cloth);
    must_step(world, 750); // 1.5 s
    const double gone = (double)(center_of(world, cloth) - before);
    slv_world_destroy(world);
    (void)unlink(tray);
    return gone / sample_tray_travel;
}

static void a_moving_surface_carries_cloth_by_friction_only(void **state) {
    (void)state;
    assert_near(carry(0.8f), 1.0, 0.03);
    assert_true(fabs(carry(0.0f)) < 0.15); // the rest comes from the uneven surface of points
}

#endif

static uint64_t run_cut(const uint32_t *cuts, size_t count) {
    slv_world *world = make_clip_world();
    const slv_garment_id cloth = add_cloth(world);
    slv_clip_def def = slv_default_clip_def();
    def.solid = false;
    def.speed = 0.9;
    const slv_clip_id clip = add_clip(world, def);
    assert_int_equal(slv_clip_attach(world, clip, "belt", cloth), SLV_OK);
    for (size_t i = 0; i < count; i++) {
        must_step(world, cuts[i]);
    }
    const uint64_t hash = must_hash(world);
    slv_world_destroy(world);
    return hash;
}

static void states_do_not_depend_on_steps_per_call(void **state) {
    (void)state;
    static const uint32_t whole[] = {400};
    static const uint32_t pieces[] = {1, 2, 17, 30, 50, 99, 1, 200};
    assert_int_equal(run_cut(whole, 1), run_cut(pieces, 8));
}

static void snapshots_and_resets_include_the_clip(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    const slv_garment_id cloth = add_cloth(world);
    const slv_clip_id clip = add_clip(world, slv_default_clip_def());
    assert_int_equal(slv_clip_attach(world, clip, "hook", cloth), SLV_OK);
    must_step(world, 150);
    const uint64_t first = must_hash(world);
    const saved_world saved = must_save(world);
    must_step(world, 77);
    const uint64_t later = must_hash(world);
    must_restore(world, &saved);
    assert_int_equal(must_hash(world), first);
    must_step(world, 77);
    assert_int_equal(must_hash(world), later);
    assert_int_equal(slv_world_reset(world), SLV_OK);
    must_step(world, 150);
    assert_int_equal(must_hash(world), first);
    free(saved.bytes);
    slv_world_destroy(world);
}

static void the_render_mesh_follows_the_frames(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    slv_clip_def def = slv_default_clip_def();
    def.solid = false;
    def.position[0] = 2.0;
    def.scale = 3.0f;
    const slv_clip_id clip = add_clip(world, def);
    slv_surface_view view;
    must_step(world, 123);
    assert_int_equal(slv_clip_get_surface(world, clip, &view), SLV_OK);
    assert_int_equal(view.vertex_count, 5);
    assert_int_equal(view.triangle_count, 3);
    for (uint32_t i = 0; i < view.vertex_count; i++) {
        double at[3];
        expected_position(SLV_MOTION_MESH, i, 123 * CLIP_STEP * 30.0, at);
        for (size_t d = 0; d < 3; d++) {
            assert_near((double)view.positions[3 * (size_t)i + d],
                        3.0 * at[d] + (d == 0 ? 2.0 : 0.0), 3.0 * CLIP_ERROR + 1e-5);
        }
    }
    slv_world_destroy(world);
}

static void invalid_clips_are_refused(void **state) {
    (void)state;
    slv_world *world = make_clip_world();
    slv_clip_def def = slv_default_clip_def();
    assert_int_equal(slv_world_add_clip(world, &def, NULL), SLV_ERROR_ARGUMENT);
    def.pack_path = "/nowhere/at/all.slv";
    assert_int_equal(slv_world_add_clip(world, &def, NULL), SLV_ERROR_FILE);
    def.pack_path = clip_path();
    def.speed = (double)INFINITY;
    assert_int_equal(slv_world_add_clip(world, &def, NULL), SLV_ERROR_ARGUMENT);
    def = (slv_clip_def){.pack_path = clip_path()};
    assert_int_equal(slv_world_add_clip(world, &def, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_clip_count(world), 0);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_surface_follows_the_frames_at_every_step),
        cmocka_unit_test(a_clip_plays_at_any_speed_forwards_and_backwards),
        cmocka_unit_test(a_clip_that_does_not_loop_stays_at_its_end),
        cmocka_unit_test(a_loop_starts_at_loop_from),
        cmocka_unit_test(seeking_and_speed_take_effect),
        cmocka_unit_test(every_seek_waits_where_no_thread_can_be_started),
        cmocka_unit_test(velocities_are_interpolated_between_those_of_the_frames),
        cmocka_unit_test(velocities_are_transformed_and_zero_after_the_end),
        cmocka_unit_test(attached_particles_follow_their_tracks),
        cmocka_unit_test(cloth_collides_with_the_surface_at_rest_and_in_motion),
#ifndef SHORT
        cmocka_unit_test(a_moving_surface_carries_cloth_by_friction_only),
#endif
        cmocka_unit_test(states_do_not_depend_on_steps_per_call),
        cmocka_unit_test(snapshots_and_resets_include_the_clip),
        cmocka_unit_test(the_render_mesh_follows_the_frames),
        cmocka_unit_test(invalid_clips_are_refused),
    };
    return cmocka_run_group_tests(tests, write_clip_pack, remove_clip_pack);
}
