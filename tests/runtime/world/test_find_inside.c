// SPDX-License-Identifier: MIT
// slv_world_find_inside: how many particles are inside colliders and characters, and where the deepest is.
#include "tests/common/test_world.h"
#include "tests/formats/sample_collider.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 5, PARTICLES = SIDE * SIDE, SKIN = 900 };

static slv_world *make_world(double x) {
    slv_world_def def = plain_world(SLV_PD_RBGS, 0.002);
    def.origin[0] = x;
    return must_create(&def);
}

// A small cloth in the x-z plane with its center at a place.
static slv_garment_id add_cloth(slv_world *world, double x, double y, double z,
                                slv_garment_def def) {
    const double half = 0.5 * (SIDE - 1) * 0.02;
    def.position[0] = x - half;
    def.position[1] = y;
    def.position[2] = z - half;
    return must_add(world, make_grid(SIDE, 1, SIDE, 0.02f, NULL), def);
}

static slv_inside_report must_find(slv_world *world) {
    slv_inside_report report;
    assert_int_equal(slv_world_find_inside(world, &report), SLV_OK);
    return report;
}

static slv_collider_id add_collider(slv_world *world, slv_collider_kind kind, double x, double y) {
    slv_collider_def def = slv_default_collider_def();
    slv_collider_id id;
    def.kind = kind;
    def.radius = 0.2f;
    def.position[0] = x;
    def.position[1] = y;
    assert_int_equal(slv_world_add_collider(world, &def, &id), SLV_OK);
    return id;
}

static slv_clip_id add_ball(slv_world *world) {
    char path[256];
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {.particles = SKIN, .frames = 41, .ball = true, .error = 1e-4};
    slv_clip_def def = slv_default_clip_def();
    slv_clip_id id;
    def.pack_path = temporary_path(path, sizeof path, "ball.slv");
    def.copy = true;
    assert_int_equal(sample_collider_write(&sample, path, &error), SLV_OK);
    assert_int_equal(slv_world_add_clip(world, &def, &id), SLV_OK);
    (void)remove(path);
    return id;
}

static slv_garment_def collidable(void) {
    slv_garment_def def = slv_default_garment_def();
    def.garment_collision = true;
    return def;
}

static void the_deepest_particle_is_named_with_what_it_is_in(void **state) {
    (void)state;
    slv_world *world = make_world(1000.0);
    const slv_collider_id gone = add_collider(world, SLV_COLLIDER_SPHERE, 900.0, 0.0);
    (void)add_collider(world, SLV_COLLIDER_SPHERE, 1000.0, 0.02);
    const slv_collider_id floor = add_collider(world, SLV_COLLIDER_PLANE, 1000.0, -0.01);
    assert_int_equal(slv_world_remove_collider(world, gone), SLV_OK);
    (void)add_cloth(world, 1000.0, 1.0, 0.0, slv_default_garment_def());
    slv_inside_report report = must_find(world);
    assert_int_equal(report.particle_count, 0);
    assert_true(report.depth == 0.0);
    const slv_garment_id deep = add_cloth(world, 1000.5, -0.31, 0.0, slv_default_garment_def());
    (void)add_cloth(world, 1000.0, 0.0, 0.0, slv_default_garment_def());
    report = must_find(world);
    assert_int_equal(report.particle_count, 2 * PARTICLES);
    assert_near(report.depth, 0.3, 1e-5);
    assert_int_equal(slv_garment_get_index(world, report.garment),
                     slv_garment_get_index(world, deep));
    assert_memory_equal(&report.collider, &floor, sizeof floor);
    assert_int_equal(report.particle, 0);
    assert_near(report.position[0], 1000.46, 1e-4);
    assert_near(report.position[1], -0.31, 1e-5);
    slv_world_destroy(world);
}

static void fixed_particles_and_garments_that_do_not_collide_are_left_out(void **state) {
    (void)state;
    const uint32_t fixed[2] = {3, 4};
    slv_world *world = make_world(0.0);
    slv_garment_def def = slv_default_garment_def();
    (void)add_collider(world, SLV_COLLIDER_PLANE, 0.0, 0.0);
    (void)add_ball(world);
    def.collides = false;
    (void)add_cloth(world, 0.0, -1.0, 0.0, def);
    def.fixed = fixed;
    def.fixed_count = 2;
    def.collides = true;
    (void)add_cloth(world, 0.0, 0.02, 0.0, def);
    assert_int_equal(must_find(world).particle_count, 0);
    (void)add_cloth(world, 0.0, -1.0, 0.0, def);
    assert_int_equal(must_find(world).particle_count, PARTICLES - 2);
    slv_world_destroy(world);
}

static void cloth_inside_a_character_is_found_and_cloth_on_its_skin_is_not(void **state) {
    (void)state;
    const double depths[] = {0.24, 0.15, 0.08, 0.03};
    for (size_t n = 0; n < sizeof depths / sizeof *depths; n++) {
        slv_world *world = make_world(0.0);
        const slv_clip_id ball = add_ball(world);
        (void)add_cloth(world, 0.0, sample_ball_radius - depths[n], 0.0, collidable());
        const slv_inside_report report = must_find(world);
        assert_int_equal(report.particle_count, PARTICLES);
        assert_memory_equal(&report.clip, &ball, sizeof ball);
        assert_near(report.depth, depths[n], 0.025);
        slv_world_destroy(world);
    }
    slv_world *world = make_world(0.0);
    (void)add_ball(world);
    for (int n = 0; n < 8; n++) {
        (void)add_cloth(world, 0.0, sample_ball_radius + 0.005 * n, 0.0, collidable());
    }
    const slv_inside_report report = must_find(world);
    assert_true(report.depth < 0.01);
    must_step(world, 450); // to where the ball has moved by its whole way
    (void)add_cloth(world, sample_tray_travel, 0.0, 0.0, collidable());
    assert_true(must_find(world).particle_count >= PARTICLES);
    slv_world_destroy(world);
}

// A rope and a tray enclose nothing.
static void an_open_surface_has_no_inside(void **state) {
    (void)state;
    for (int tray = 0; tray < 2; tray++) {
        char path[256];
        slv_error error = {.code = SLV_OK};
        const sample_collider sample = {
            .particles = 400, .frames = 41, .tray = tray == 1, .error = 1e-4};
        slv_world *world = make_world(0.0);
        slv_clip_def def = slv_default_clip_def();
        def.pack_path = temporary_path(path, sizeof path, "open.slv");
        def.copy = true;
        assert_int_equal(sample_collider_write(&sample, path, &error), SLV_OK);
        assert_int_equal(slv_world_add_clip(world, &def, NULL), SLV_OK);
        (void)remove(path);
        for (int n = -4; n < 4; n++) {
            (void)add_cloth(world, 0.0, 0.02 * n - 0.04, 0.0, collidable());
        }
        assert_int_equal(must_find(world).particle_count, 0);
        slv_world_destroy(world);
    }
}

static void a_lack_of_memory_is_an_error_and_leaves_nothing(void **state) {
    (void)state;
    counting_memory counted = unlimited_memory();
    const slv_allocator allocator = counting_allocator(&counted);
    slv_world_def def = plain_world(SLV_PD_RBGS, 0.002);
    def.allocator = &allocator;
    slv_world *world = must_create(&def);
    (void)add_ball(world);
    (void)add_cloth(world, 0.0, 0.0, 0.0, collidable());
    const size_t bytes = counted.bytes;
    slv_inside_report report;
    slv_result result = SLV_ERROR_MEMORY;
    for (size_t left = 0; result != SLV_OK; left++) {
        counted.left = left;
        result = slv_world_find_inside(world, &report);
        assert_true(result == SLV_OK || result == SLV_ERROR_MEMORY);
        assert_int_equal(counted.bytes, bytes);
        assert_true(left < 50);
    }
    counted = (counting_memory){.bytes = counted.bytes, .left = SIZE_MAX, .most = SIZE_MAX};
    assert_int_equal(report.particle_count, PARTICLES);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_deepest_particle_is_named_with_what_it_is_in),
        cmocka_unit_test(fixed_particles_and_garments_that_do_not_collide_are_left_out),
        cmocka_unit_test(cloth_inside_a_character_is_found_and_cloth_on_its_skin_is_not),
        cmocka_unit_test(an_open_surface_has_no_inside),
        cmocka_unit_test(a_lack_of_memory_is_an_error_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
