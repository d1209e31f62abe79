// SPDX-License-Identifier: MIT
// Cloth on every collider shape for many steps, and on degenerate shapes: too small, too large, overlapping. All
// positions stay finite and every call returns.
#include "tests/common/generated_field.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 8 };
#ifndef SOAK_STEPS
#define SOAK_STEPS 2000
#endif

static slv_garment_id add_cloth(slv_world *world, float height) {
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.001f;
    garment.position[0] = garment.position[2] = -0.07;
    garment.position[1] = (double)height;
    garment.self_collision = true;
    return must_add(world, make_grid(SIDE, 1, SIDE, 0.02f, NULL), garment);
}

static void add_collider(slv_world *world, const slv_collider_def *def) {
    if (slv_world_add_collider(world, def, NULL) != SLV_OK) {
        fail_msg("%s", slv_world_get_message(world));
    }
}

static void assert_finite(slv_world *world, slv_garment_id id) {
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        float at[3];
        must_position(world, id, p, at);
        for (int d = 0; d < 3; d++) {
            assert_true(isfinite(at[d]) && fabsf(at[d]) < 1e5f);
        }
    }
}

static slv_world *make_world(void) {
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    def.parameters.outer_iterations = 2;
    def.parameters.inner_iterations = 2;
    slv_world *world = must_create(&def);
    slv_collider_def floor = slv_default_collider_def();
    floor.kind = SLV_COLLIDER_PLANE;
    floor.position[1] = -0.5;
    add_collider(world, &floor);
    return world;
}

static slv_collider_def make_shape(slv_collider_kind kind, float size) {
    slv_collider_def def = slv_default_collider_def();
    def.kind = kind;
    def.radius = size;
    def.length = size;
    def.size[0] = def.size[1] = def.size[2] = size;
    def.steepness = size > 0.001f ? size : 0.001f;
    def.low = -size;
    def.high = size;
    def.wall = size;
    return def;
}

static void positions_stay_finite_on_every_shape(void **state) {
    (void)state;
    char path[256];
    write_ball_field(temporary_path(path, sizeof path, "ball.slv"), 0.1);
    for (int kind = SLV_COLLIDER_PLANE; kind <= SLV_COLLIDER_FIELD; kind++) {
        slv_world *world = make_world();
        slv_collider_def shape = make_shape((slv_collider_kind)kind, 0.1f);
        shape.pack_path = kind == SLV_COLLIDER_FIELD ? path : NULL;
        shape.angular_velocity[1] = 0.5f;
        shape.restitution = 0.3f;
        add_collider(world, &shape);
        slv_garment_id id = add_cloth(world, 0.2f);
        must_step(world, SOAK_STEPS);
        assert_finite(world, id);
        slv_world_destroy(world);
    }
    (void)remove(path);
}

static void positions_stay_finite_at_shapes_of_extreme_sizes(void **state) {
    (void)state;
    const float sizes[] = {0.0f, 1e-6f, 1e6f};
    for (int kind = SLV_COLLIDER_PLANE; kind < SLV_COLLIDER_FIELD; kind++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            slv_world *world = make_world();
            slv_collider_def shape = make_shape((slv_collider_kind)kind, sizes[s]);
            if (sizes[s] > 1.0f && kind != SLV_COLLIDER_FUNNEL) {
                shape.position[1] = -0.9e6;
            }
            add_collider(world, &shape);
            slv_garment_id id = add_cloth(world, 0.0f); // a particle at the center of the shape
            slv_result status = slv_world_step(world, 100);
            assert_true(status == SLV_OK || status == SLV_ERROR_DIVERGED);
            if (status == SLV_OK) {
                assert_finite(world, id);
            }
            slv_world_destroy(world);
        }
    }
}

static void positions_stay_finite_in_overlapping_colliders(void **state) {
    (void)state;
    slv_world *world = make_world();
    for (int kind = SLV_COLLIDER_SPHERE; kind < SLV_COLLIDER_FIELD; kind++) {
        slv_collider_def shape = make_shape((slv_collider_kind)kind, 0.1f);
        shape.position[0] = (double)(0.01f * (float)kind);
        add_collider(world, &shape);
        add_collider(world, &shape);
    }
    slv_garment_id id = add_cloth(world, 0.02f);
    must_step(world, SOAK_STEPS / 4);
    assert_finite(world, id);
    slv_world_destroy(world);
}

// Two plates close on a cloth. Both contacts cannot hold, but no particle may leave.
static void cloth_stays_between_closing_plates(void **state) {
    (void)state;
    slv_world *world = make_world();
    for (int n = 0; n < 2; n++) {
        slv_collider_def plate = make_shape(SLV_COLLIDER_BOX, 0.5f);
        plate.size[1] = 0.1f;
        plate.position[1] = n ? 0.2 : -0.2;
        plate.velocity[1] = n ? -0.2f : 0.2f;
        add_collider(world, &plate);
    }
    slv_garment_id id = add_cloth(world, 0.0f);
    must_step(world, 500);
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        float at[3];
        must_position(world, id, p, at);
        assert_true(fabsf(at[0]) < 1.0f && fabsf(at[1]) < 1.0f && fabsf(at[2]) < 1.0f);
    }
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_stay_finite_on_every_shape),
        cmocka_unit_test(positions_stay_finite_at_shapes_of_extreme_sizes),
        cmocka_unit_test(positions_stay_finite_in_overlapping_colliders),
        cmocka_unit_test(cloth_stays_between_closing_plates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
