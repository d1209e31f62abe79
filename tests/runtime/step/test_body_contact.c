// SPDX-License-Identifier: MIT
// Contacts with sampled distance fields, at rest and moving, with bodies of fixed points as clips have them, and
// between garments of different particle radii.
#include "runtime/world/garment.h"
#include "tests/common/generated_field.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 16 };
static const float spacing = 0.02f;

static slv_world *make_world(void) {
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    return must_create(&def);
}

static slv_garment_id add_cloth(slv_world *world, float height, float friction) {
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 8e-5f;
    garment.friction = friction;
    garment.garment_collision = true;
    garment.position[0] = garment.position[2] = (double)(-0.5f * spacing * (SIDE - 1));
    garment.position[1] = (double)height;
    return must_add(world, make_grid(SIDE, 1, SIDE, spacing, NULL), garment);
}

static double mean_of(slv_world *world, slv_garment_id id, uint32_t count, int axis) {
    double sum = 0.0;
    for (uint32_t p = 0; p < count; p++) {
        float at[3];
        must_position(world, id, p, at);
        sum += (double)at[axis];
    }
    return sum / count;
}

// --- Fields -----------------------------------------------------------------------------------------

// Least distance of a cloth's particles from a point.
static double nearest_to(slv_world *world, slv_garment_id id, const double center[3]) {
    double nearest = 1e9;
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        float at[3];
        must_position(world, id, p, at);
        double x = (double)at[0] - center[0];
        double y = (double)at[1] - center[1];
        double z = (double)at[2] - center[2];
        nearest = fmin(nearest, sqrt(x * x + y * y + z * z));
    }
    return nearest;
}

static void cloth_rests_on_a_field_and_moves_with_it(void **state) {
    (void)state;
    char path[256];
    const double radius = 0.15;
    slv_world *world = make_world();
    write_ball_field(temporary_path(path, sizeof path, "ball.slv"), radius);
    slv_collider_def ball = slv_default_collider_def();
    slv_collider_id id = {0};
    ball.kind = SLV_COLLIDER_FIELD;
    ball.pack_path = path;
    ball.friction = 1.0f;
    if (slv_world_add_collider(world, &ball, &id) != SLV_OK) {
        fail_msg("%s", slv_world_get_message(world));
    }
    (void)remove(path);
    slv_garment_id cloth = add_cloth(world, 0.17f, 1.0f);
    double center[3] = {0.0, 0.0, 0.0};
    must_step(world, 750);
    assert_near(nearest_to(world, cloth, center), radius + 0.005, 0.002);
    const double to[3] = {0.1, 0.05, 0.0}; // over a second, and turned by a quarter
    const float turned[4] = {0.0f, sqrtf(0.5f), 0.0f, sqrtf(0.5f)};
    float before[3];
    float after[3];
    must_position(world, cloth, 0, before);
    assert_int_equal(slv_collider_move(world, id, to, turned, 500), SLV_OK);
    must_step(world, 750);
    assert_int_equal(slv_collider_get_pose(world, id, center, NULL), SLV_OK);
    assert_near(center[0], 0.1, 1e-6);
    assert_near(nearest_to(world, cloth, center), radius + 0.005, 0.002);
    assert_near(mean_of(world, cloth, SIDE * SIDE, 0), 0.1, 0.03);
    must_position(world, cloth, 0, after); // (-x, -z) becomes (-x, z)
    assert_near((double)after[0] - center[0], (double)before[2], 0.05);
    assert_near((double)after[2], -(double)before[0], 0.05);
    slv_world_destroy(world);
}

// --- Bodies of points -------------------------------------------------------------------------------

// A plate of fixed points below y = 0, so wide that cloth stays on it.
enum { PLATE = 64 };

static slv_garment_id add_plate(slv_world *world, float radius, float apart, float friction) {
    static float positions[3 * PLATE * PLATE];
    static float zeros[PLATE * PLATE];
    static uint32_t order[PLATE * PLATE];
    for (uint32_t n = 0; n < PLATE * PLATE; n++) {
        positions[n] = apart * ((float)(n % PLATE) - 0.5f * (PLATE - 1));
        positions[PLATE * PLATE + n] = -radius;
        uint32_t row = n / PLATE;
        positions[2 * PLATE * PLATE + n] = apart * ((float)row - 0.5f * (PLATE - 1));
        order[n] = n;
    }
    assert_int_equal(
        slv_world_add_fixed_points(world, positions, zeros, order, PLATE * PLATE, radius, friction),
        SLV_OK);
    return slv_world_get_garment(world, slv_world_get_garment_count(world) - 1);
}

// Displacement of cloth on a plate that moves 0.03 m sideways in half a second.
static double carry(float friction) {
    slv_world *world = make_world();
    slv_garment_id plate = add_plate(world, 0.01f, 0.006f, friction);
    slv_garment_id cloth = add_cloth(world, 0.012f, friction);
    static uint32_t numbers[PLATE * PLATE];
    static float targets[PLATE * PLATE][3];
    must_step(world, 250);
    double before = mean_of(world, cloth, SIDE * SIDE, 0);
    for (uint32_t n = 0; n < PLATE * PLATE; n++) {
        numbers[n] = n;
        must_position(world, plate, n, targets[n]);
        targets[n][0] += 0.03f;
    }
    assert_int_equal(
        slv_garment_move_fixed(world, plate, numbers, PLATE * PLATE, &targets[0][0], 250), SLV_OK);
    must_step(world, 250);
    assert_true(mean_of(world, cloth, SIDE * SIDE, 1) > 0.0);
    double gone = mean_of(world, cloth, SIDE * SIDE, 0) - before;
    slv_world_destroy(world);
    return gone;
}

static void a_body_of_points_carries_cloth_by_friction(void **state) {
    (void)state;
    assert_near(carry(0.8f), 0.03, 0.003);
    assert_true(fabs(carry(0.0f)) < 0.01); // the rest comes from the uneven surface of points
}

// Number of launches of the solvers, and of the kernels after them, over a garment.
static int count_solving(const slv_world *world, slv_garment_id id) {
    static const char *const names[] = {"project", "relax",  "jacobi",       "sweep", "average",
                                        "apply",   "accept", "rest_damping", "strain"};
    int count = 0;
    slv_plan_cursor cursor = slv_plan_begin(&world->plan, SLV_STAGE_SOLVE);
    for (const slv_plan_launch *next; (next = slv_plan_next(&cursor)) != NULL;) {
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            const char *name = slv_kernel_infos[next->kernel].name;
            count += next->body == (int)slv_garment_get_index(world, id) && strstr(name, names[n])
                         ? 1
                         : 0;
        }
    }
    return count;
}

static void solvers_skip_bodies_of_fixed_points(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        slv_world_def def = slv_default_world_def();
        def.parameters.solver = (slv_solver)solver;
        def.parameters.inner_iterations = 3;
        def.threads = 1;
        slv_world *world = must_create(&def);
        slv_garment_id plate = add_plate(world, 0.01f, 0.006f, 0.4f);
        slv_garment_id cloth = add_cloth(world, 0.012f, 0.4f);
        must_step(world, 2);
        assert_int_equal(count_solving(world, plate), 0);
        assert_true(count_solving(world, cloth) > 0);
        slv_world_destroy(world);
    }
}

static void garments_keep_the_sum_of_their_radii_apart(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_garment_id plate = add_plate(world, 0.025f, 0.03f, 0.4f);
    slv_garment_id cloth = add_cloth(world, 0.03f, 0.4f);
    must_step(world, 750);
    double nearest = 1e9;
    for (uint32_t a = 0; a < SIDE * SIDE; a++) {
        float p[3];
        must_position(world, cloth, a, p);
        for (uint32_t b = 0; b < PLATE * PLATE; b++) {
            float q[3];
            must_position(world, plate, b, q);
            nearest = fmin(nearest, hypot(hypot((double)(p[0] - q[0]), (double)(p[1] - q[1])),
                                          (double)(p[2] - q[2])));
        }
    }
    assert_near(nearest, 0.025 + 0.01, 0.0005); // the sum of both radii
    slv_world_destroy(world);
}

static void a_radius_that_does_not_suit_the_spacing_is_reported(void **state) {
    (void)state;
    const float radii[] = {SLV_UNSET, 0.006f, 0.008f, 0.014f, 0.015f};
    const bool suits[] = {true, false, true, true, false};
    for (size_t n = 0; n < 5; n++) {
        char message[256] = "?";
        slv_world *world = make_world();
        slv_garment_def garment = slv_default_garment_def();
        garment.collision_radius = radii[n];
        garment.self_collision = true;
        slv_garment_id id = must_add(world, make_grid(4, 1, 4, spacing, NULL), garment);
        assert_int_equal(slv_garment_check_radius(world, id, message, sizeof message), SLV_OK);
        assert_int_equal(message[0] == '\0', suits[n]);
        slv_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_rests_on_a_field_and_moves_with_it),
        cmocka_unit_test(a_body_of_points_carries_cloth_by_friction),
        cmocka_unit_test(solvers_skip_bodies_of_fixed_points),
        cmocka_unit_test(garments_keep_the_sum_of_their_radii_apart),
        cmocka_unit_test(a_radius_that_does_not_suit_the_spacing_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
