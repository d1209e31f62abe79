// SPDX-License-Identifier: MIT
// Contacts between garments and within one: piles, impacts, folds, and more neighbors than a list can hold.
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 20 };
#ifndef CROWD_SIDE
#define CROWD_SIDE 40
#endif
static const float spacing = 0.02f;

static slv_world *make_world(uint32_t threads) {
    slv_world_def def = slv_default_world_def();
    def.threads = threads;
    return must_create(&def);
}

static slv_garment_def make_colliding(float friction) {
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.001f;
    garment.friction = friction;
    garment.self_collision = true;
    garment.garment_collision = true;
    return garment;
}

static void add_box(slv_world *world, float friction, float tilt) {
    slv_collider_def box = slv_default_collider_def();
    box.kind = SLV_COLLIDER_BOX;
    box.size[0] = box.size[2] = 0.6f;
    box.size[1] = 0.2f;
    box.position[1] = -0.1;
    box.rotation[2] = sinf(0.5f * tilt);
    box.rotation[3] = cosf(0.5f * tilt);
    box.friction = friction;
    assert_int_equal(slv_world_add_collider(world, &box, NULL), SLV_OK);
}

// Mean position of a square cloth.
static void find_middle(slv_world *world, slv_garment_id id, double middle[3]) {
    middle[0] = middle[1] = middle[2] = 0.0;
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        float at[3];
        must_position(world, id, p, at);
        for (int d = 0; d < 3; d++) {
            middle[d] += (double)at[d] / (SIDE * SIDE);
        }
    }
}

// Five cloths on a box tilted by 0.1 radians: the mean position of each after 1.5 s.
static void pile_up(float friction, double middles[5][3]) {
    slv_world *world = make_world(1);
    slv_garment_id ids[5];
    const float tilt = 0.1f;
    add_box(world, friction, tilt);
    for (int n = 0; n < 5; n++) {
        slv_garment_def garment = make_colliding(friction);
        float height = 0.01f + 0.025f * (float)n;
        garment.position[0] = (double)(-0.19f - height * sinf(tilt));
        garment.position[1] = (double)(height - 0.19f * sinf(tilt));
        garment.position[2] = -0.19;
        garment.rotation[2] = sinf(0.5f * tilt);
        garment.rotation[3] = cosf(0.5f * tilt);
        ids[n] = must_add(world, make_grid(SIDE, 1, SIDE, spacing, NULL), garment);
    }
    must_step(world, 750);
    for (int n = 0; n < 5; n++) {
        find_middle(world, ids[n], middles[n]);
    }
    slv_world_destroy(world);
}

static void a_pile_of_cloth_stays_with_friction_and_slides_off_without(void **state) {
    (void)state;
    double middles[5][3];
    pile_up(0.6f, middles);
    for (int n = 0; n < 5; n++) {
        assert_near(middles[n][0], 0.0,
                    0.06); // particles of a layer settle between those of the next
        assert_true(middles[n][1] > 0.0);
        assert_true(n == 0 || middles[n][1] > middles[n - 1][1]);
    }
    pile_up(0.0f, middles);
    for (int n = 0; n < 5; n++) {
        assert_true(middles[n][0] < -0.3); // beyond the edge of the box
    }
}

// Four cloths, one behind the other, at 20 m/s against a wall: none passes the wall or another cloth.
static void cloths_thrown_at_a_wall_stay_before_it_and_in_order(void **state) {
    (void)state;
    slv_world *world = make_world(1);
    slv_collider_def wall = slv_default_collider_def();
    wall.kind = SLV_COLLIDER_PLANE;
    wall.rotation[0] = sqrtf(0.5f); // its normal, y, becomes z
    wall.rotation[3] = sqrtf(0.5f);
    assert_int_equal(slv_world_add_collider(world, &wall, NULL), SLV_OK);
    slv_garment_id ids[4];
    for (int n = 0; n < 4; n++) {
        slv_garment_def garment = make_colliding(0.3f);
        garment.position[2] = (double)(0.3f + 0.1f * (float)n);
        garment.velocity[2] = -20.0f;
        ids[n] = must_add(world, make_grid(SIDE, SIDE, 1, spacing, NULL), garment);
    }
    uint32_t through = 0;
    uint32_t swapped = 0;
    for (int step = 0; step < 60; step++) {
        must_step(world, 1);
        for (int n = 0; n < 4; n++) {
            for (uint32_t p = 0; p < SIDE * SIDE; p++) {
                float at[3];
                float next[3];
                must_position(world, ids[n], p, at);
                must_position(world, ids[n < 3 ? n + 1 : n], p, next);
                through += at[2] < 0.005f - 1e-6f;
                bool above = hypotf(at[0] - next[0], at[1] - next[1]) < 0.5f * spacing;
                swapped += n < 3 && above && next[2] < at[2];
            }
        }
    }
    assert_int_equal(through, 0);
    assert_int_equal(swapped, 0);
    slv_contact_report report;
    assert_int_equal(slv_world_get_contact_report(world, &report), SLV_OK);
    assert_false(report.crowded);
    slv_world_destroy(world);
}

// Two fixed edges of a cloth move towards each other until it is folded: its layers must stay apart.
static void cloth_does_not_fold_through_itself(void **state) {
    (void)state;
    slv_world *world = make_world(1);
    slv_garment_def garment = make_colliding(0.2f);
    uint32_t edges[2 * SIDE];
    float targets[2 * SIDE][3];
    for (uint32_t i = 0; i < SIDE; i++) {
        edges[i] = i * SIDE;
        edges[SIDE + i] = i * SIDE + SIDE - 1;
        targets[i][0] = 0.19f;
        targets[i][1] = 0.0f;
        targets[SIDE + i][0] = 0.19f;
        targets[SIDE + i][1] = 0.022f;
        targets[i][2] = targets[SIDE + i][2] = spacing * (float)i;
    }
    garment.fixed = edges;
    garment.fixed_count = 2 * SIDE;
    slv_garment_id id = must_add(world, make_grid(SIDE, 1, SIDE, spacing, NULL), garment);
    assert_int_equal(slv_garment_move_fixed(world, id, edges, 2 * SIDE, &targets[0][0], 300),
                     SLV_OK);
    must_step(world, 600);
    double nearest = 1e9;
    for (uint32_t a = 0; a < SIDE * SIDE; a++) {
        for (uint32_t b = a + 1; b < SIDE * SIDE; b++) {
            uint32_t across = a % SIDE > b % SIDE ? a % SIDE - b % SIDE : b % SIDE - a % SIDE;
            uint32_t along = b / SIDE - a / SIDE;
            float p[3];
            float q[3];
            if (across + along < 3) {
                continue;
            }
            must_position(world, id, a, p);
            must_position(world, id, b, q);
            double d = sqrt(pow((double)(p[0] - q[0]), 2) + pow((double)(p[1] - q[1]), 2) +
                            pow((double)(p[2] - q[2]), 2));
            nearest = d < nearest ? d : nearest;
        }
    }
    assert_true(nearest > 0.6 * (double)spacing);
    slv_world_destroy(world);
}

static void contacts_do_not_depend_on_threads(void **state) {
    (void)state;
    uint64_t hashes[3];
    for (uint32_t threads = 1; threads <= 3; threads++) {
        slv_world *world = make_world(threads);
        add_box(world, 0.3f, 0.2f);
        for (int n = 0; n < 3; n++) {
            slv_garment_def garment = make_colliding(0.3f);
            garment.position[0] = (double)(-0.3f + 0.05f * (float)n);
            garment.position[1] = (double)(0.02f + 0.022f * (float)n);
            (void)must_add(world, make_grid(SIDE, 1, SIDE, spacing, NULL), garment);
        }
        must_step(world, 200);
        hashes[threads - 1] = must_hash(world);
        slv_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

// Two cloths at equal positions, where no contact normal is defined: they must separate symmetrically.
static void cloths_at_the_same_positions_separate(void **state) {
    (void)state;
    slv_world_def def = slv_default_world_def();
    def.parameters.gravity[1] = 0.0f;
    def.threads = 1;
    slv_world *world = must_create(&def);
    slv_garment_id ids[2];
    for (int n = 0; n < 2; n++) {
        ids[n] = must_add(world, make_grid(SIDE, 1, SIDE, spacing, NULL), make_colliding(0.3f));
    }
    must_step(world, 200);
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        float one[3];
        float other[3];
        must_position(world, ids[0], p, one);
        must_position(world, ids[1], p, other);
        assert_true(fabsf(one[1] - other[1]) > 0.9f * spacing);
        assert_near((double)(one[1] + other[1]), 0.0, 0.1 * (double)spacing); // symmetric
    }
    slv_world_destroy(world);
}

// All particles of a cloth at almost one position: lists grow to their limit, and the report says that
// neighbors were left out.
static void neighbor_lists_are_bounded_and_overflow_is_reported(void **state) {
    (void)state;
    slv_world *world = make_world(1);
    slv_garment_def garment = make_colliding(0.3f);
    garment.stretch = 1e-5f;
    (void)must_add(world, make_grid(CROWD_SIDE, 1, CROWD_SIDE, spacing, NULL), garment);
    must_step(world, CROWD_SIDE > 100 ? 1 : 3);
    slv_contact_report report;
    assert_int_equal(slv_world_get_contact_report(world, &report), SLV_OK);
    assert_true(report.crowded);
    assert_int_equal(report.neighbor_capacity, 64);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_of_cloth_stays_with_friction_and_slides_off_without),
        cmocka_unit_test(cloths_thrown_at_a_wall_stay_before_it_and_in_order),
        cmocka_unit_test(cloth_does_not_fold_through_itself),
        cmocka_unit_test(contacts_do_not_depend_on_threads),
        cmocka_unit_test(cloths_at_the_same_positions_separate),
        cmocka_unit_test(neighbor_lists_are_bounded_and_overflow_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
