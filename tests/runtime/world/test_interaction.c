// SPDX-License-Identifier: MIT
// Cutting constraints, scaling stiffness, and contact points, as the player uses them.
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 10 };

static slv_world *make_world(slv_solver solver) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.threads = 1;
    soften_for_integrators(&def, 0.02f, 0.1f);
    return must_create(&def);
}

// A cloth that is held by its first row.
static slv_garment_id hang_cloth(slv_world *world) {
    static const uint32_t row[SIDE] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    slv_garment_def garment = slv_default_garment_def();
    garment.fixed = row;
    garment.fixed_count = SIDE;
    garment.shear_stiffness = 50.0f;
    garment.bending_stiffness = 5.0f;
    garment.spring_damping = 0.004f;
    return must_add(world, make_grid(SIDE, 1, SIDE, 0.02f, NULL), garment);
}

// Numbers of all constraints that cross from row 4 to the rows after it.
static uint32_t find_crossing(slv_world *world, slv_garment_id id, uint32_t *numbers) {
    slv_garment_structure structure;
    uint32_t count = 0;
    assert_int_equal(slv_garment_get_structure(world, id, &structure), SLV_OK);
    for (uint32_t c = 0; c < structure.constraint_count; c++) {
        const bool a = structure.constraints[c].a / SIDE <= 4;
        const bool b = structure.constraints[c].b / SIDE <= 4;
        if (a != b) {
            numbers[count++] = c;
        }
    }
    assert_true(count > 3 * SIDE);
    return count;
}

static uint32_t cut_across(slv_world *world, slv_garment_id id) {
    static uint32_t numbers[2000];
    const uint32_t count = find_crossing(world, id, numbers);
    if (slv_garment_cut(world, id, numbers, count) != SLV_OK) {
        fail_msg("%s", slv_world_get_message(world));
    }
    return count;
}

// --- Cutting ----------------------------------------------------------------------------------------

static void a_cut_off_part_falls(void **state) {
    (void)state;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        slv_world *world = make_world((slv_solver)solver);
        const slv_garment_id id = hang_cloth(world);
        const uint8_t *torn = NULL;
        uint32_t torn_count = 0;
        float above[3];
        float below[3];
        must_step(world, 50);
        const uint32_t cut = cut_across(world, id);
        assert_int_equal(slv_garment_get_torn_count(world, id, &torn_count), SLV_OK);
        assert_int_equal(torn_count, cut);
        must_step(world, 200); // 0.4 s: falls by 0.78 m
        must_position(world, id, 44, above);
        must_position(world, id, 55, below);
        assert_true(above[1] > -0.2f);
        assert_true(below[1] < -0.6f);
        assert_int_equal(slv_garment_get_torn(world, id, &torn), SLV_OK);
        uint32_t again = 0;
        slv_garment_structure structure;
        assert_int_equal(slv_garment_get_structure(world, id, &structure), SLV_OK);
        for (uint32_t c = 0; c < structure.constraint_count; c++) {
            again += torn[c];
        }
        assert_int_equal(again, cut);
        slv_world_destroy(world);
    }
}

static void a_reset_restores_cut_constraints(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS);
    slv_world *other = make_world(SLV_PD_RBGS);
    const slv_garment_id id = hang_cloth(world);
    (void)hang_cloth(other);
    must_step(world, 20);
    (void)cut_across(world, id);
    must_step(world, 20);
    assert_int_equal(slv_world_reset(world), SLV_OK);
    must_step(world, 60);
    must_step(other, 60);
    must_end_alike(world, other);
}

static void invalid_cuts_are_refused(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS);
    const slv_garment_id id = hang_cloth(world);
    const uint32_t numbers[2] = {3, 1000000};
    const size_t before = slv_world_get_snapshot_size(world);
    assert_int_equal(slv_garment_cut(world, id, numbers, 2), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "constraints[1]"));
    assert_int_equal(slv_garment_cut(world, id, NULL, 1), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_cut(world, slv_world_get_garment(world, 1), numbers, 1),
                     SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_cut(world, id, NULL, 0), SLV_OK);
    assert_int_equal(slv_world_get_snapshot_size(world), before);
    slv_world_destroy(world);
}

static void a_snapshot_contains_cuts(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PBD_GS);
    const slv_garment_id id = hang_cloth(world);
    (void)cut_across(world, id);
    must_step(world, 10);
    const saved_world saved = must_save(world);
    must_step(world, 40);
    const uint64_t hash = must_hash(world);
    assert_int_equal(slv_world_reset(world), SLV_OK);
    must_restore(world, &saved);
    must_step(world, 40);
    assert_true(must_hash(world) == hash);
    free(saved.bytes);
    slv_world_destroy(world);
}

// --- Stiffness --------------------------------------------------------------------------------------

static double stretch_at(float stiffness, slv_solver solver) {
    slv_world *world = make_world(solver);
    (void)hang_cloth(world);
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.outer_iterations = 20;
    parameters.damping = 5.0f;
    parameters.stiffness = stiffness;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    must_step(world, 800);
    const double stretch = must_measure(world).max_stretch - 1.0;
    slv_world_destroy(world);
    return stretch;
}

// A hanging cloth's stretch is its weight over its stiffness.
static void a_tenth_of_the_stiffness_is_ten_times_the_stretch(void **state) {
    (void)state;
    const slv_solver solvers[2] = {SLV_PD_GS, SLV_PBD_GS};
    for (int i = 0; i < 2; i++) {
        const double soft = stretch_at(0.01f, solvers[i]);
        const double stiff = stretch_at(0.1f, solvers[i]);
        assert_true(soft > 8.0 * stiff && soft < 12.0 * stiff);
    }
}

static void stiffness_one_changes_no_bit(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS);
    slv_world *other = make_world(SLV_PD_RBGS);
    (void)hang_cloth(world);
    (void)hang_cloth(other);
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.stiffness = 7.0f;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    parameters.stiffness = 1.0f;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    must_step(world, 30);
    must_step(other, 30);
    assert_true(must_hash(world) == must_hash(other));
    parameters.stiffness = 0.0f;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "stiffness"));
    slv_world_destroy(world);
    slv_world_destroy(other);
}

// --- Contact points ---------------------------------------------------------------------------------------

static void contact_normals_on_a_ball_are_radial(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS);
    slv_collider_def ball = slv_default_collider_def();
    ball.radius = 0.3f;
    ball.position[1] = -0.32;
    assert_int_equal(slv_world_add_collider(world, &ball, NULL), SLV_OK);
    slv_garment_def garment = slv_default_garment_def();
    garment.position[0] = garment.position[2] = -0.09;
    const slv_garment_id id = must_add(world, make_grid(SIDE, 1, SIDE, 0.02f, NULL), garment);
    slv_contact_point touches[SIDE * SIDE];
    uint32_t count = 1;
    assert_int_equal(slv_garment_get_contact_points(world, id, touches, SIDE * SIDE, &count),
                     SLV_OK);
    assert_int_equal(count, 0); // still in the air
    must_step(world, 150);
    assert_int_equal(slv_garment_get_contact_points(world, id, NULL, 0, &count), SLV_OK);
    assert_true(count > SIDE * SIDE / 2 && count <= SIDE * SIDE);
    assert_int_equal(slv_garment_get_contact_points(world, id, touches, SIDE * SIDE, &count),
                     SLV_OK);
    for (uint32_t i = 0; i < count; i++) {
        for (int d = 0; d < 3; d++) {
            const double on = ball.position[d] + (double)ball.radius * (double)touches[i].normal[d];
            assert_near((double)touches[i].position[d], on, 1e-5);
        }
    }
    slv_world_destroy(world);
}

static void contact_points_between_garments_are_listed(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS);
    slv_garment_def garment = slv_default_garment_def();
    garment.garment_collision = true;
    garment.collision_radius = 0.01f;
    const slv_garment_id low = must_add(world, make_grid(4, 1, 4, 0.02f, NULL), garment);
    garment.position[1] = 0.02;
    const slv_garment_id high = must_add(world, make_grid(4, 1, 4, 0.02f, NULL), garment);
    slv_contact_point touches[16];
    uint32_t count = 0;
    assert_int_equal(slv_garment_get_contact_points(world, high, touches, 16, &count), SLV_OK);
    assert_int_equal(count, 16);
    assert_near((double)touches[5].normal[1], 1.0, 1e-6);
    assert_near((double)touches[5].position[1], 0.01, 1e-6);
    assert_int_equal(slv_garment_get_contact_points(world, low, touches, 16, &count), SLV_OK);
    assert_int_equal(count, 16);
    assert_near((double)touches[5].normal[1], -1.0, 1e-6);
    assert_int_equal(slv_garment_teleport(world, high, (const double[3]){0.0, 1.0, 0.0},
                                          (const float[4]){0.0f, 0.0f, 0.0f, 1.0f}),
                     SLV_OK);
    assert_int_equal(slv_garment_get_contact_points(world, low, touches, 16, &count), SLV_OK);
    assert_int_equal(count, 0);
    assert_int_equal(slv_garment_get_contact_points(world, low, NULL, 4, &count),
                     SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_off_part_falls),
        cmocka_unit_test(a_reset_restores_cut_constraints),
        cmocka_unit_test(invalid_cuts_are_refused),
        cmocka_unit_test(a_snapshot_contains_cuts),
        cmocka_unit_test(a_tenth_of_the_stiffness_is_ten_times_the_stretch),
        cmocka_unit_test(stiffness_one_changes_no_bit),
        cmocka_unit_test(contact_normals_on_a_ball_are_radial),
        cmocka_unit_test(contact_points_between_garments_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
