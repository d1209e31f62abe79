// SPDX-License-Identifier: MIT
// Garments against colliders: friction, restitution and rest by their closed forms; no tunneling.
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979;

static slv_collider_id add_collider(slv_world *world, slv_collider_def def) {
    slv_collider_id id = {0};
    slv_result status = slv_world_add_collider(world, &def, &id);
    if (status != SLV_OK) {
        fail_msg("slv_world_add_collider: %s", slv_world_get_message(world));
    }
    return id;
}

static slv_collider_def make_collider(slv_collider_kind kind, float x, float y, float z) {
    slv_collider_def def = slv_default_collider_def();
    def.kind = kind;
    def.position[0] = (double)x;
    def.position[1] = (double)y;
    def.position[2] = (double)z;
    return def;
}

static slv_world *make_world(slv_solver solver) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.parameters.damping = 0.0f;
    def.threads = 1;
    return must_create(&def);
}

// Turned around z.
static void turn_around_z(slv_collider_def *def, double angle) {
    def->rotation[2] = (float)sin(0.5 * angle);
    def->rotation[3] = (float)cos(0.5 * angle);
}

static double distance_between(const float a[3], const float b[3]) {
    return hypot(hypot((double)(a[0] - b[0]), (double)(a[1] - b[1])), (double)(a[2] - b[2]));
}

// --- Friction ---------------------------------------------------------------------------------------

// How far a small cloth slides down a slope in a second.
static double slide_down(slv_solver solver, double angle, float friction, float kinetic,
                         slv_collider_kind kind) {
    slv_world *world = make_world(solver);
    slv_collider_def slope = make_collider(kind, 0.0f, 0.0f, 0.0f);
    slope.size[0] = slope.size[1] = slope.size[2] = 2.0f;
    slope.friction = friction;
    slope.kinetic_friction = kinetic;
    turn_around_z(&slope, angle);
    if (kind == SLV_COLLIDER_BOX) { // its top where the plane would be
        slope.position[0] = (double)(float)sin(angle);
        slope.position[1] = (double)(float)-cos(angle);
    }
    (void)add_collider(world, slope);
    slv_garment_def garment = slv_default_garment_def();
    garment.friction = friction;
    garment.kinetic_friction = kinetic;
    garment.particle_mass = 0.01f;
    garment.thickness = 0.01f;
    memcpy(garment.rotation, slope.rotation, sizeof garment.rotation);
    garment.position[0] = (double)(float)(-0.01 * sin(angle));
    garment.position[1] = (double)(float)(0.01 * cos(angle));
    slv_garment_id id = must_add(world, make_grid(5, 1, 5, 0.05f, NULL), garment);
    float before[3];
    float after[3];
    must_position(world, id, 12, before);
    must_step(world, 500);
    must_position(world, id, 12, after);
    slv_world_destroy(world);
    return distance_between(before, after);
}

static void cloth_on_a_slope_stays_below_the_angle_of_friction(void **state) {
    (void)state;
    const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PD_JACOBI, SLV_PBD_GS, SLV_PBD_JACOBI};
    for (size_t s = 0; s < 4; s++) {
        double angle = atan(0.5);
        assert_true(slide_down(solvers[s], 0.97 * angle, 0.5f, 0.5f, SLV_COLLIDER_PLANE) < 1e-5);
        assert_true(slide_down(solvers[s], 1.03 * angle, 0.5f, 0.5f, SLV_COLLIDER_PLANE) > 0.02);
    }
    assert_true(slide_down(SLV_PD_RBGS, 0.97 * atan(0.5), 0.5f, 0.5f, SLV_COLLIDER_BOX) < 1e-5);
    assert_true(slide_down(SLV_PD_RBGS, 1.03 * atan(0.5), 0.5f, 0.5f, SLV_COLLIDER_BOX) > 0.02);
}

// s = g (sin - kinetic cos) t²/2
static void sliding_cloth_has_the_acceleration_of_kinetic_friction(void **state) {
    (void)state;
    double angle = pi / 6.0;
    for (int n = 0; n < 3; n++) {
        double kinetic = 0.2 * n;
        double expected = 0.5 * 9.81 * (sin(angle) - kinetic * cos(angle));
        double found = slide_down(SLV_PD_RBGS, angle, 0.5f, (float)kinetic, SLV_COLLIDER_PLANE);
        assert_near(found / expected, 1.0, 0.01);
    }
}

// --- Bouncing and rest ------------------------------------------------------------------------------

static void a_bounce_reaches_the_square_of_the_restitution(void **state) {
    (void)state;
    const float restitutions[] = {0.5f, 0.8f, 1.0f};
    for (size_t n = 0; n < 3; n++) {
        slv_world *world = make_world(SLV_PD_RBGS);
        slv_collider_def floor = make_collider(SLV_COLLIDER_PLANE, 0.0f, 0.0f, 0.0f);
        floor.restitution = restitutions[n];
        (void)add_collider(world, floor);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.01f;
        garment.thickness = 0.005f;
        garment.position[1] = (double)(1.0f + garment.thickness);
        slv_garment_id id = must_add(world, make_chain(1, 0.1f), garment);
        double expected = 1.0;
        float position[3];
        for (int bounce = 0; bounce < 3; bounce++) {
            bool rising = false;
            double last = 1e9;
            double top = 0.0;
            for (int step = 0; step < 1000; step++) {
                must_step(world, 1);
                must_position(world, id, 0, position);
                double height = (double)(position[1] - garment.thickness);
                rising = rising || height > last;
                top = rising && height > top ? height : top;
                if (rising && height < last) {
                    break;
                }
                last = height;
            }
            expected *= (double)(restitutions[n] * restitutions[n]);
            assert_near(top / expected, 1.0, 0.02);
        }
        slv_world_destroy(world);
    }
}

static double mean_speed(slv_world *world, double particles, double mass) {
    return sqrt(2.0 * must_measure(world).kinetic_energy / (particles * mass));
}

static void resting_cloth_is_still(void **state) {
    (void)state;
    const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PBD_GS};
    for (size_t s = 0; s < 2; s++) {
        slv_world *world = make_world(solvers[s]);
        (void)add_collider(world, make_collider(SLV_COLLIDER_PLANE, 0.0f, 0.0f, 0.0f));
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.001f;
        garment.position[1] = 0.05;
        (void)must_add(world, make_grid(20, 1, 20, 0.02f, NULL), garment);
        must_step(world, 1000);
        assert_true(mean_speed(world, 400, 0.001) < 1e-4);
        slv_world_destroy(world);
    }
}

// --- Moving colliders -------------------------------------------------------------------------------

static void cloth_on_a_turning_table_turns_with_it(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS);
    slv_collider_def table = make_collider(SLV_COLLIDER_BOX, 0.0f, -0.1f, 0.0f);
    table.size[0] = table.size[2] = 2.0f;
    table.size[1] = 0.2f;
    table.friction = 1.0f;
    table.angular_velocity[1] = 1.0f;
    slv_collider_id turning = add_collider(world, table);
    slv_garment_def garment = slv_default_garment_def();
    garment.friction = 1.0f;
    garment.particle_mass = 0.001f;
    garment.position[0] = garment.position[2] = -0.19;
    garment.thickness = 0.005f;
    garment.position[1] = (double)garment.thickness;
    slv_garment_id id = must_add(world, make_grid(20, 1, 20, 0.02f, NULL), garment);
    float before[3];
    float after[3];
    double pose[3];
    float rotation[4];
    must_position(world, id, 0, before);
    must_step(world, 500); // a second: a radian
    must_position(world, id, 0, after);
    double turned =
        atan2((double)-after[2], (double)after[0]) - atan2((double)-before[2], (double)before[0]);
    assert_near(turned < 0.0 ? turned + 2.0 * pi : turned, 1.0, 0.02);
    assert_int_equal(slv_collider_get_pose(world, turning, pose, rotation), SLV_OK);
    assert_near(2.0 * atan2((double)rotation[1], (double)rotation[3]), 1.0, 1e-4);
    slv_world_destroy(world);
}

static void moving_colliders_do_not_depend_on_steps_per_call(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int cut = 0; cut < 2; cut++) {
        slv_world *world = make_world(SLV_PD_RBGS);
        slv_collider_def ball = make_collider(SLV_COLLIDER_SPHERE, 0.1f, -0.3f, 0.1f);
        ball.radius = 0.1f;
        slv_collider_id id = add_collider(world, ball);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.001f;
        (void)must_add(world, make_grid(10, 1, 10, 0.02f, NULL), garment);
        const double to[3] = {0.15, 0.1, 0.1};
        const float turned[4] = {0.6f, 0.0f, 0.0f, 0.8f};
        assert_int_equal(slv_collider_move(world, id, to, turned, 60), SLV_OK);
        for (int n = 0; n < (cut ? 100 : 1); n++) {
            must_step(world, cut ? 1 : 100);
        }
        hashes[cut] = must_hash(world);
        double position[3];
        assert_int_equal(slv_collider_get_pose(world, id, position, NULL), SLV_OK);
        assert_near(position[1], 0.1, 1e-7);
        slv_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

// --- No tunneling ---------------------------------------------------------------------------

static uint32_t count_in_ball(slv_world *world, slv_garment_id id, uint32_t count,
                              const float center[3], float radius) {
    uint32_t inside = 0;
    for (uint32_t p = 0; p < count; p++) {
        float at[3];
        must_position(world, id, p, at);
        inside += distance_between(at, center) < (double)radius * 0.9999;
    }
    return inside;
}

// Twice the signed area of a triangle as seen along z, with its corner c at p.
static double side_of(const float a[3], const float b[3], const float p[3]) {
    return (double)(b[0] - a[0]) * (double)(p[1] - a[1]) -
           (double)(b[1] - a[1]) * (double)(p[0] - a[0]);
}

// Where a ray from a point along +z goes through a triangle: 1, 0 or -1 by the side it comes from.
static int crosses(const float p[3], const float a[3], const float b[3], const float c[3]) {
    double u = side_of(b, c, p);
    double v = side_of(c, a, p);
    double w = side_of(a, b, p);
    bool within = (u > 0.0) == (v > 0.0) && (v > 0.0) == (w > 0.0);
    double sum = u + v + w;
    double z = (u * (double)a[2] + v * (double)b[2] + w * (double)c[2]) / sum;
    return !within || z < (double)p[2] ? 0 : sum > 0.0 ? 1 : -1;
}

// How often, counted by sides, a ray from a point along +z goes through a square cloth: not at all once
// the point has gone through it.
static int count_layers_ahead(slv_world *world, slv_garment_id id, uint32_t side,
                              const float point[3]) {
    int layers = 0;
    for (uint32_t n = 0; n < (side - 1) * (side - 1); n++) {
        uint32_t corner = n / (side - 1) * side + n % (side - 1);
        float at[4][3];
        must_position(world, id, corner, at[0]);
        must_position(world, id, corner + 1, at[1]);
        must_position(world, id, corner + side, at[2]);
        must_position(world, id, corner + side + 1, at[3]);
        layers += crosses(point, at[0], at[1], at[3]) + crosses(point, at[0], at[3], at[2]);
    }
    return layers;
}

static void a_ball_at_50_metres_a_second_does_not_tunnel_through_cloth(void **state) {
    (void)state;
    enum { SIDE = 40 };
    slv_world *world = make_world(SLV_PD_RBGS);
    slv_collider_def ball = make_collider(SLV_COLLIDER_SPHERE, 0.0f, -0.4f, -0.55f);
    ball.radius = 0.1f;
    ball.position[0] = 0.0013; // no particle, no edge lies exactly ahead
    ball.velocity[2] = 50.0f;
    slv_collider_id flying = add_collider(world, ball);
    slv_garment_def garment = slv_default_garment_def();
    uint32_t top[SIDE];
    for (uint32_t i = 0; i < SIDE; i++) {
        top[i] = SIDE * (SIDE - 1) + i;
    }
    garment.particle_mass = 0.0005f;
    garment.fixed = top;
    garment.fixed_count = SIDE;
    garment.position[0] = -0.39;
    garment.position[1] = -0.78;
    slv_garment_id id = must_add(world, make_grid(SIDE, SIDE, 1, 0.02f, NULL), garment);
    for (int step = 0; step < 16; step++) { // 1.6 m
        double pose[3];
        must_step(world, 1);
        assert_int_equal(slv_collider_get_pose(world, flying, pose, NULL), SLV_OK);
        const float center[3] = {(float)pose[0], (float)pose[1], (float)pose[2]};
        assert_int_equal(count_in_ball(world, id, SIDE * SIDE, center, ball.radius), 0);
        assert_int_equal(abs(count_layers_ahead(world, id, SIDE, center)), 1);
    }
    float middle[3];
    must_position(world, id, SIDE * SIDE / 2 + SIDE / 2, middle);
    assert_true(middle[2] > 0.3f); // the ball hit it
    slv_world_destroy(world);
}

static uint32_t count_below(slv_world *world, slv_garment_id id, uint32_t count, int axis,
                            double limit) {
    uint32_t below = 0;
    for (uint32_t p = 0; p < count; p++) {
        float at[3];
        must_position(world, id, p, at);
        below += (double)at[axis] < limit;
    }
    return below;
}

static void thin_cloth_falling_ten_metres_does_not_tunnel_through_plates(void **state) {
    (void)state;
    enum { SIDE = 20 };
    for (int plate = 0; plate < 2; plate++) {
        slv_world *world = make_world(SLV_PD_RBGS);
        slv_collider_def floor =
            make_collider(plate ? SLV_COLLIDER_BOX : SLV_COLLIDER_PLANE, 0.0f, 0.0f, 0.0f);
        floor.size[0] = floor.size[2] = 1.0f;
        floor.size[1] = 0.002f; // the displacement in a step is fifteen times that
        (void)add_collider(world, floor);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.001f;
        garment.thickness = 0.0025f;
        garment.position[0] = garment.position[2] = -0.19;
        garment.position[1] = 10.0;
        slv_garment_id id = must_add(world, make_grid(SIDE, 1, SIDE, 0.02f, NULL), garment);
        for (int step = 0; step < 900; step++) {
            must_step(world, 1);
            assert_int_equal(count_below(world, id, SIDE * SIDE, 1, 0.0025 - 1e-6), 0);
        }
        float position[3];
        must_position(world, id, 210, position);
        assert_true(position[1] < 0.05f);
        slv_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_on_a_slope_stays_below_the_angle_of_friction),
        cmocka_unit_test(sliding_cloth_has_the_acceleration_of_kinetic_friction),
        cmocka_unit_test(a_bounce_reaches_the_square_of_the_restitution),
        cmocka_unit_test(resting_cloth_is_still),
        cmocka_unit_test(cloth_on_a_turning_table_turns_with_it),
        cmocka_unit_test(moving_colliders_do_not_depend_on_steps_per_call),
        cmocka_unit_test(a_ball_at_50_metres_a_second_does_not_tunnel_through_cloth),
        cmocka_unit_test(thin_cloth_falling_ten_metres_does_not_tunnel_through_plates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
