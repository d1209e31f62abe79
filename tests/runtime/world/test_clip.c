// SPDX-License-Identifier: MIT
// Clips in a world: at every step their points lie where the frames say, whichever way time runs and
// however it is cut.
#include "tests/common/test_world.h"
#include "tests/formats/sample_collider.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PARTICLES = 12, FRAMES = 41 };
static const double error_allowed = 1e-4;
static const double step = 0.002;
static char path[512];

static int write_pack(void **state) {
    (void)state;
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {
        .particles = PARTICLES, .frames = FRAMES, .more = true, .error = error_allowed};
    (void)temporary_path(path, sizeof path, "clip.slv");
    return sample_collider_write(&sample, path, &error) == SLV_OK ? 0 : -1;
}

static int remove_pack(void **state) {
    (void)state;
    return unlink(path);
}

static slv_world *make_world(void) {
    slv_world_def def = slv_default_world_def();
    def.threads = 2;
    def.time_step = step;
    return must_create(&def);
}

static slv_clip_id add(slv_world *world, slv_clip_def def) {
    slv_clip_id id;
    def.pack_path = path;
    if (slv_world_add_clip(world, &def, &id) != SLV_OK) {
        fail_msg("%s", slv_world_get_message(world));
    }
    return id;
}

static slv_clip_report report_of(slv_world *world, slv_clip_id id) {
    slv_clip_report report;
    assert_int_equal(slv_clip_get_report(world, id, &report), SLV_OK);
    return report;
}

// Where the formula has a point, straight between whole frames.
static void expected(slv_motion_kind kind, uint32_t point, double frame, double at[3]) {
    double a[3];
    double b[3];
    const double whole = floor(frame);
    sample_collider_at(kind, point, whole, a);
    sample_collider_at(kind, point, whole + 1.0 < FRAMES ? whole + 1.0 : whole, b);
    for (int d = 0; d < 3; d++) {
        at[d] = a[d] + (frame - whole) * (b[d] - a[d]);
    }
}

static void check_surface(slv_world *world, slv_garment_id surface, double frame) {
    for (uint32_t i = 0; i < PARTICLES; i++) {
        double at[3];
        float place[3];
        expected(SLV_MOTION_PARTICLES, i, frame, at);
        must_position(world, surface, i, place);
        for (int d = 0; d < 3; d++) {
            assert_near((double)place[d], at[d], error_allowed + 1e-6);
        }
    }
}

static void the_surface_is_where_the_frames_say_at_every_step(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_clip_id clip = add(world, slv_default_clip_def());
    const slv_clip_report before = report_of(world, clip);
    assert_true(before.has_surface);
    assert_int_equal(before.frame_count, FRAMES);
    for (int s = 0; s < 600; s++) {
        check_surface(world, before.surface, fmod(s * step * 30.0, FRAMES - 1.0));
        must_step(world, 1);
    }
    const slv_clip_report after = report_of(world, clip);
    assert_near(after.time, 600 * step, 1e-9);
    assert_true(after.decoded_groups >= 3);
    slv_world_destroy(world);
}

static void any_speed_backwards_too(void **state) {
    (void)state;
    static const double speeds[] = {-1.0, 0.37, 2.5, -3.1, 90.0};
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        slv_world *world = make_world();
        slv_clip_def def = slv_default_clip_def();
        def.speed = speeds[k];
        def.time = 0.7;
        const slv_clip_id clip = add(world, def);
        for (int s = 1; s < 300; s++) {
            must_step(world, 1);
            double frame = fmod((0.7 + speeds[k] * s * step) * 30.0, FRAMES - 1.0);
            frame = frame < 0.0 ? frame + FRAMES - 1.0 : frame;
            if (fabs(frame - floor(frame + 0.5)) > 1e-6) { // at a loop's seam rounding may choose
                check_surface(world, report_of(world, clip).surface, frame);
            }
        }
        slv_world_destroy(world);
    }
}

static void a_clip_that_does_not_loop_stays_at_its_end(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_clip_def def = slv_default_clip_def();
    def.loop = false;
    const slv_clip_id clip = add(world, def);
    must_step(world, 2000);
    check_surface(world, report_of(world, clip).surface, FRAMES - 1);
    assert_near(report_of(world, clip).time, (FRAMES - 1) / 30.0, 1e-9);
    slv_world_destroy(world);
}

static void a_loop_may_begin_later(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_clip_def def = slv_default_clip_def();
    def.loop_from = 1.0;
    const slv_clip_id clip = add(world, def);
    must_step(world, 250); // 0.5 s: on the way in
    check_surface(world, report_of(world, clip).surface, 15.0);
    must_step(world, 500); // 1.5 s: the end is at 4/3 s, so 1/6 s into the loop
    assert_near(report_of(world, clip).time, 1.0 + 1.0 / 6.0, 1e-9);
    check_surface(world, report_of(world, clip).surface, 35.0);
    slv_world_destroy(world);
}

static void seeking_and_speed_take_effect(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_clip_id clip = add(world, slv_default_clip_def());
    must_step(world, 10);
    assert_int_equal(slv_clip_seek(world, clip, 1.0), SLV_OK);
    must_step(world, 10);
    check_surface(world, report_of(world, clip).surface, (1.0 + 10 * step) * 30.0);
    assert_int_equal(slv_clip_set_speed(world, clip, 0.0), SLV_OK);
    must_step(world, 100);
    check_surface(world, report_of(world, clip).surface, (1.0 + 10 * step) * 30.0);
    assert_int_equal(slv_clip_seek(world, clip, (double)NAN), SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

// Nobody can know of a seek before it is made. Where this thread is put aside just then, the worker may
// be done when it comes back; not forty times.
static void waits_are_counted(void **state) {
    (void)state;
    char long_path[512];
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {.particles = 1000, .frames = 160, .error = error_allowed};
    assert_int_equal(sample_collider_write(
                         &sample, temporary_path(long_path, sizeof long_path, "long.slv"), &error),
                     SLV_OK);
    slv_world *world = make_world();
    slv_clip_def def = slv_default_clip_def();
    slv_clip_id clip;
    def.pack_path = long_path;
    assert_int_equal(slv_world_add_clip(world, &def, &clip), SLV_OK);
    slv_clip_report report = report_of(world, clip);
    assert_int_equal(report.waits, 0); // the first frame is not one
    slv_motion_view view;
    for (int n = 1; n <= 40; n++) {
        assert_int_equal(slv_clip_seek(world, clip, 0.1 + 2.1 * (n % 3)), SLV_OK);
        assert_int_equal(slv_clip_get_motion(world, clip, &view), SLV_OK);
    }
    report = report_of(world, clip);
    assert_in_range(report.waits, 1, 2 * 40); // two groups at most each time
    assert_true(report.decoded_groups >= 40 && report.wait_seconds > 0.0);
    slv_world_destroy(world);
    assert_int_equal(unlink(long_path), 0);
}

// --- Velocities -----------------------------------------------------------------------------------

// A frame's velocity, in metres a frame: from its two neighbors, at the ends from the one there is.
static void frame_velocity(uint32_t point, double frame, double velocity[3]) {
    double a[3];
    double b[3];
    const double before = frame > 0.0 ? frame - 1.0 : 0.0;
    const double after = frame < FRAMES - 1 ? frame + 1.0 : FRAMES - 1;
    sample_collider_at(SLV_MOTION_PARTICLES, point, before, a);
    sample_collider_at(SLV_MOTION_PARTICLES, point, after, b);
    for (int d = 0; d < 3; d++) {
        velocity[d] = (b[d] - a[d]) / (after - before);
    }
}

static void check_motion(slv_world *world, slv_clip_id clip, double frame, double pace) {
    slv_motion_view view;
    assert_int_equal(slv_clip_get_motion(world, clip, &view), SLV_OK);
    assert_int_equal(view.count, PARTICLES);
    for (uint32_t i = 0; i < PARTICLES; i++) {
        double at[3];
        double low[3];
        double high[3];
        const double whole = floor(frame);
        expected(SLV_MOTION_PARTICLES, i, frame, at);
        frame_velocity(i, whole, low);
        frame_velocity(i, whole + 1.0, high);
        for (size_t d = 0; d < 3; d++) {
            const double velocity = low[d] + (frame - whole) * (high[d] - low[d]);
            assert_near((double)view.positions[3 * i + d], at[d], error_allowed + 1e-6);
            assert_near((double)view.velocities[3 * i + d], 30.0 * pace * velocity,
                        fabs(pace) * 30.0 * error_allowed + 1e-4);
        }
    }
}

static void velocities_are_those_of_the_frames_and_in_between(void **state) {
    (void)state;
    static const double speeds[] = {1.0, -1.0, 0.4, 0.0};
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        slv_world *world = make_world();
        slv_clip_def def = slv_default_clip_def();
        def.speed = speeds[k];
        def.time = 0.55;
        def.solid = k % 2 == 0;
        const slv_clip_id clip = add(world, def);
        for (int s = 0; s < 200; s += 7) {
            check_motion(world, clip, (0.55 + speeds[k] * s * step) * 30.0, speeds[k]);
            must_step(world, 7);
        }
        slv_world_destroy(world);
    }
}

static void velocities_are_placed_and_end_with_the_clip(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_clip_def def = slv_default_clip_def();
    const slv_clip_id plain = add(world, def);
    def.scale = 2.0f;
    def.rotation[1] = def.rotation[3] = 0.70710678f; // x becomes -z
    def.position[0] = 5.0f;
    def.loop = false;
    const slv_clip_id turned = add(world, def);
    slv_motion_view one;
    slv_motion_view other;
    must_step(world, 40);
    assert_int_equal(slv_clip_get_motion(world, plain, &one), SLV_OK);
    assert_int_equal(slv_clip_get_motion(world, turned, &other), SLV_OK);
    float fastest = 0.0f;
    for (size_t i = 0; i < PARTICLES; i++) {
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
    for (size_t i = 0; i < 3 * (size_t)PARTICLES; i++) {
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
    def.position[1] = 1.0f;
    return must_add(world, make_cloth(5, 5, 0.05f, true), def);
}

static void attached_particles_follow_their_tracks(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_clip_def def = slv_default_clip_def();
    def.solid = false;
    const slv_garment_id cloth = add_cloth(world);
    const slv_clip_id clip = add(world, def);
    assert_false(report_of(world, clip).has_surface);
    assert_int_equal(slv_clip_attach(world, clip, "belt", cloth), SLV_OK);
    must_step(world, 100);
    for (uint32_t i = 0; i < 2; i++) { // "belt": points 0 and 1 hold particles 1 and 4
        double at[3];
        float place[3];
        expected(SLV_MOTION_ATTACHMENTS, i, 100 * step * 30.0, at);
        must_position(world, cloth, i == 0 ? 1 : 4, place);
        for (int d = 0; d < 3; d++) {
            assert_near((double)place[d], at[d], error_allowed + 1e-6);
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

static void look_at_drape(slv_world *world, slv_garment_id cloth, slv_clip_id clip, drape *seen) {
    slv_motion_view surface;
    assert_int_equal(slv_clip_get_motion(world, clip, &surface), SLV_OK);
    seen->highest = -1e9f;
    for (uint32_t i = 0; i < 81; i++) {
        float p[3];
        must_position(world, cloth, i, p);
        seen->highest = fmaxf(seen->highest, p[1]);
        for (uint32_t k = 0; k < PARTICLES; k++) {
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
    slv_world *world = make_world();
    slv_garment_def def = slv_default_garment_def();
    slv_clip_def clip_def = slv_default_clip_def();
    def.garment_collision = true;
    def.position[0] = 0.05f;
    def.position[1] = 1.4f;
    def.position[2] = -0.2f;
    const slv_garment_id cloth = must_add(world, make_cloth(9, 9, 0.05f, true), def);
    clip_def.solid = solid;
    clip_def.speed = speed;
    const slv_clip_id clip = add(world, clip_def);
    for (int n = 0; n < 40; n++) {
        must_step(world, 10);
        look_at_drape(world, cloth, clip, &seen);
    }
    slv_world_destroy(world);
    return seen;
}

static void cloth_meets_the_surface_at_rest_and_in_motion(void **state) {
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

static float centre_of(slv_world *world, slv_garment_id cloth) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < 81; i++) {
        float p[3];
        must_position(world, cloth, i, p);
        assert_true(p[1] > 0.0f); // it lies on the tray
        sum += p[0];
    }
    return sum / 81.0f;
}

// How far a patch goes along that rests on a baked tray which goes aside, as a share of the tray's way.
static double carry(float friction) {
    char tray[512];
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {
        .particles = 56 * 56, .frames = 46, .error = 1e-5, .tray = true};
    assert_int_equal(
        sample_collider_write(&sample, temporary_path(tray, sizeof tray, "tray.slv"), &error),
        SLV_OK);
    slv_world *world = make_world();
    slv_garment_def def = slv_default_garment_def();
    def.garment_collision = true;
    def.friction = friction;
    def.position[0] = def.position[2] = -0.2f;
    def.position[1] = 0.03f; // a little above where it will lie
    const slv_garment_id cloth = must_add(world, make_cloth(9, 9, 0.05f, true), def);
    slv_clip_def clip = slv_default_clip_def();
    slv_clip_id id;
    clip.pack_path = tray;
    clip.loop = false;
    clip.friction = friction;
    assert_int_equal(slv_world_add_clip(world, &clip, &id), SLV_OK);
    const float before = centre_of(world, cloth);
    must_step(world, 750); // 1.5 s
    const double gone = (double)(centre_of(world, cloth) - before);
    slv_world_destroy(world);
    (void)unlink(tray);
    return gone / sample_tray_way;
}

static void cloth_goes_along_with_a_moving_surface_by_friction_alone(void **state) {
    (void)state;
    assert_near(carry(0.8f), 1.0, 0.03);
    assert_true(fabs(carry(0.0f)) < 0.15); // what is left is the unevenness of points
}

#endif

static uint64_t run_cut(const uint32_t *cuts, size_t count) {
    slv_world *world = make_world();
    const slv_garment_id cloth = add_cloth(world);
    slv_clip_def def = slv_default_clip_def();
    def.solid = false;
    def.speed = 0.9;
    const slv_clip_id clip = add(world, def);
    assert_int_equal(slv_clip_attach(world, clip, "belt", cloth), SLV_OK);
    for (size_t i = 0; i < count; i++) {
        must_step(world, cuts[i]);
    }
    const uint64_t hash = must_hash(world);
    slv_world_destroy(world);
    return hash;
}

static void how_steps_are_cut_into_calls_changes_nothing(void **state) {
    (void)state;
    static const uint32_t whole[] = {400};
    static const uint32_t pieces[] = {1, 2, 17, 30, 50, 99, 1, 200};
    assert_int_equal(run_cut(whole, 1), run_cut(pieces, 8));
}

static void snapshots_and_resets_take_the_clip_along(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_garment_id cloth = add_cloth(world);
    const slv_clip_id clip = add(world, slv_default_clip_def());
    assert_int_equal(slv_clip_attach(world, clip, "hook", cloth), SLV_OK);
    must_step(world, 150);
    const uint64_t first = must_hash(world);
    const size_t size = slv_world_get_snapshot_size(world);
    void *bytes = malloc(size);
    assert_int_equal(slv_world_save_snapshot(world, bytes, size), SLV_OK);
    must_step(world, 77);
    const uint64_t later = must_hash(world);
    assert_int_equal(slv_world_restore_snapshot(world, bytes, size), SLV_OK);
    assert_int_equal(must_hash(world), first);
    must_step(world, 77);
    assert_int_equal(must_hash(world), later);
    assert_int_equal(slv_world_reset(world), SLV_OK);
    must_step(world, 150);
    assert_int_equal(must_hash(world), first);
    free(bytes);
    slv_world_destroy(world);
}

static void the_drawn_mesh_follows(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_clip_def def = slv_default_clip_def();
    def.solid = false;
    def.position[0] = 2.0f;
    def.scale = 3.0f;
    const slv_clip_id clip = add(world, def);
    slv_surface_view view;
    must_step(world, 123);
    assert_int_equal(slv_clip_get_surface(world, clip, &view), SLV_OK);
    assert_int_equal(view.vertex_count, 5);
    assert_int_equal(view.triangle_count, 3);
    for (uint32_t i = 0; i < view.vertex_count; i++) {
        double at[3];
        expected(SLV_MOTION_MESH, i, 123 * step * 30.0, at);
        for (size_t d = 0; d < 3; d++) {
            assert_near((double)view.positions[3 * (size_t)i + d],
                        3.0 * at[d] + (d == 0 ? 2.0 : 0.0), 3.0 * error_allowed + 1e-5);
        }
    }
    slv_world_destroy(world);
}

static void what_is_no_clip_is_refused(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_clip_def def = slv_default_clip_def();
    assert_int_equal(slv_world_add_clip(world, &def, NULL), SLV_ERROR_ARGUMENT);
    def.pack_path = "/nowhere/at/all.slv";
    assert_int_equal(slv_world_add_clip(world, &def, NULL), SLV_ERROR_FILE);
    def.pack_path = path;
    def.speed = (double)INFINITY;
    assert_int_equal(slv_world_add_clip(world, &def, NULL), SLV_ERROR_ARGUMENT);
    def = (slv_clip_def){.pack_path = path};
    assert_int_equal(slv_world_add_clip(world, &def, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_clip_count(world), 0);
    slv_world_destroy(world);
}

// --- Poses -------------------------------------------------------------------------------------------

static const float half_turn[4] = {0.0f, 1.0f, 0.0f, 0.0f}; // around y: x and z change their signs

// Where the formula has a particle of the surface, moved along x and turned around y by an angle.
static void check_turned(slv_world *world, slv_garment_id surface, double frame, double shift,
                         double angle, double tolerance) {
    for (uint32_t i = 0; i < PARTICLES; i++) {
        double at[3];
        float place[3];
        expected(SLV_MOTION_PARTICLES, i, frame, at);
        must_position(world, surface, i, place);
        assert_near((double)place[0], cos(angle) * at[0] + sin(angle) * at[2] + shift, tolerance);
        assert_near((double)place[1], at[1], tolerance);
        assert_near((double)place[2], cos(angle) * at[2] - sin(angle) * at[0], tolerance);
    }
}

static double speed_of(slv_world *world, slv_garment_id garment, uint32_t particle) {
    slv_particle_view now;
    slv_particle_view before;
    double square = 0.0;
    assert_int_equal(slv_garment_get_positions(world, garment, &now), SLV_OK);
    assert_int_equal(slv_garment_get_previous_positions(world, garment, &before), SLV_OK);
    const size_t at = (size_t)now.slot[particle] * now.stride;
    const double way[3] = {(double)now.x[at] - (double)before.x[at],
                           (double)now.y[at] - (double)before.y[at],
                           (double)now.z[at] - (double)before.z[at]};
    for (int d = 0; d < 3; d++) {
        square += way[d] * way[d];
    }
    return sqrt(square) / step;
}

static void a_pose_that_is_set_takes_all_along_without_a_spike(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_clip_id clip = add(world, slv_default_clip_def());
    const slv_garment_id surface = report_of(world, clip).surface;
    const slv_garment_id cloth =
        must_add(world, make_grid(5, 1, 5, 0.05f, NULL), slv_default_garment_def());
    const float place[3] = {3.0f, 0.0f, 0.0f};
    float at[3];
    float turn[4];
    float held[2][3];
    assert_int_equal(slv_clip_attach(world, clip, "belt", cloth), SLV_OK);
    must_step(world, 100);
    const double before = speed_of(world, surface, 3);
    must_position(world, cloth, 1, held[0]);
    assert_int_equal(slv_clip_set_pose(world, clip, place, half_turn), SLV_OK);
    assert_near(speed_of(world, surface, 3), before, 1e-3);
    must_position(world, cloth, 1, held[1]);
    assert_near((double)held[1][0], 3.0 - (double)held[0][0], 1e-5);
    check_turned(world, surface, 100 * step * 30.0, 3.0, 3.14159265358979, 1e-4 + error_allowed);
    assert_int_equal(slv_clip_get_pose(world, clip, at, turn), SLV_OK);
    assert_memory_equal(at, place, sizeof place);
    assert_memory_equal(turn, half_turn, sizeof half_turn);
    for (int s = 101; s < 200; s++) {
        must_step(world, 1);
        check_turned(world, surface, s * step * 30.0, 3.0, 3.14159265358979, 1e-4 + error_allowed);
        assert_true(speed_of(world, surface, 3) < 20.0);
    }
    assert_int_equal(slv_clip_set_pose(world, clip, NULL, half_turn), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_clip_set_pose(world, (slv_clip_id){0}, place, half_turn),
                     SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

// A still clip that is led: its points go evenly, and as fast as the pose, from the first step to the last.
static void a_clip_that_is_led_moves_evenly(void **state) {
    (void)state;
    static const double frames[] = {1.0 / 60.0, 1.0 / 37.0, 0.001};
    for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
        slv_world *world = make_world();
        slv_clip_def def = slv_default_clip_def();
        const float upright[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        def.speed = 0.0;
        const slv_clip_id clip = add(world, def);
        const slv_garment_id surface = report_of(world, clip).surface;
        for (double time = 0.0; time < 0.4; time += frames[f]) {
            const float place[3] = {(float)(2.0 * (time + frames[f])), 0.0f, 0.0f};
            assert_int_equal(slv_clip_lead(world, clip, place, upright, frames[f]), SLV_OK);
            assert_int_equal(slv_world_advance(world, frames[f], NULL), SLV_OK);
            const double steps = (double)slv_world_get_step_count(world);
            check_turned(world, surface, 0.0, 2.0 * step * steps, 0.0, 2e-5 + error_allowed);
            if (steps > 0.0) {
                assert_near(speed_of(world, surface, 0), 2.0, 5e-3);
            }
        }
        slv_world_destroy(world);
    }
}

// Turned once around in a second and back at rest, with the bits of a run that is cut differently.
static void a_clip_that_turns_follows_its_arc(void **state) {
    (void)state;
    slv_world *worlds[2] = {make_world(), make_world()};
    slv_clip_id clips[2];
    const float place[3] = {0.0f, 0.0f, 0.0f};
    for (int w = 0; w < 2; w++) {
        slv_clip_def def = slv_default_clip_def();
        def.speed = 0.0;
        clips[w] = add(worlds[w], def);
        assert_int_equal(slv_clip_lead(worlds[w], clips[w], place, half_turn, 0.5), SLV_OK);
    }
    must_step(worlds[0], 260);
    for (int s = 0; s < 260; s++) {
        must_step(worlds[1], 1);
    }
    assert_int_equal(must_hash(worlds[0]), must_hash(worlds[1]));
    check_turned(worlds[0], report_of(worlds[0], clips[0]).surface, 0.0, 0.0, 3.14159265358979,
                 1e-5 + error_allowed);
    assert_int_equal(slv_world_reset(worlds[0]), SLV_OK);
    must_step(worlds[0], 20);
    check_surface(worlds[0], report_of(worlds[0], clips[0]).surface, 0.0);
    slv_world_destroy(worlds[0]);
    slv_world_destroy(worlds[1]);
}

static void a_pose_is_in_a_snapshot(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_clip_id clip = add(world, slv_default_clip_def());
    const float place[3] = {1.0f, 0.5f, 0.0f};
    assert_int_equal(slv_clip_lead(world, clip, place, half_turn, 0.3), SLV_OK);
    must_step(world, 40);
    const size_t size = slv_world_get_snapshot_size(world);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(slv_world_save_snapshot(world, bytes, size), SLV_OK);
    must_step(world, 200);
    const uint64_t known = must_hash(world);
    assert_int_equal(slv_world_restore_snapshot(world, bytes, size), SLV_OK);
    must_step(world, 200);
    assert_int_equal(must_hash(world), known);
    free(bytes);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_surface_is_where_the_frames_say_at_every_step),
        cmocka_unit_test(any_speed_backwards_too),
        cmocka_unit_test(a_clip_that_does_not_loop_stays_at_its_end),
        cmocka_unit_test(a_loop_may_begin_later),
        cmocka_unit_test(seeking_and_speed_take_effect),
        cmocka_unit_test(waits_are_counted),
        cmocka_unit_test(velocities_are_those_of_the_frames_and_in_between),
        cmocka_unit_test(velocities_are_placed_and_end_with_the_clip),
        cmocka_unit_test(attached_particles_follow_their_tracks),
        cmocka_unit_test(cloth_meets_the_surface_at_rest_and_in_motion),
#ifndef SHORT
        cmocka_unit_test(cloth_goes_along_with_a_moving_surface_by_friction_alone),
#endif
        cmocka_unit_test(how_steps_are_cut_into_calls_changes_nothing),
        cmocka_unit_test(snapshots_and_resets_take_the_clip_along),
        cmocka_unit_test(the_drawn_mesh_follows),
        cmocka_unit_test(what_is_no_clip_is_refused),
        cmocka_unit_test(a_pose_that_is_set_takes_all_along_without_a_spike),
        cmocka_unit_test(a_clip_that_is_led_moves_evenly),
        cmocka_unit_test(a_clip_that_turns_follows_its_arc),
        cmocka_unit_test(a_pose_is_in_a_snapshot),
    };
    return cmocka_run_group_tests(tests, write_pack, remove_pack);
}
