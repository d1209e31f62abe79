// SPDX-License-Identifier: MIT
// Garments, clips and colliders as objects of a world: ids, iteration.
#include "tests/runtime/try_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static slv_world *make_world(void) {
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    return try_create(&def);
}

static slv_garment_id add_cloth(slv_world *world, float height) {
    slv_garment_def def = slv_default_garment_def();
    def.position[1] = height;
    def.particle_mass = 0.01f;
    def.stretch_stiffness = 1000.0f;
    return try_add(world, make_grid(5, 1, 5, 0.05f, NULL), def);
}

static slv_collider_id add_ball(slv_world *world) {
    slv_collider_def def = slv_default_collider_def();
    slv_collider_id id = {0};
    def.radius = 0.1f;
    assert_int_equal(slv_world_add_collider(world, &def, &id), SLV_OK);
    return id;
}

static bool same_id(const void *a, const void *b) {
    return memcmp(a, b, sizeof(slv_garment_id)) == 0;
}

// --- Ids --------------------------------------------------------------------------------------------

static void a_zeroed_id_names_nothing(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_garment_id garment = {0};
    const slv_clip_id clip = {0};
    const slv_collider_id collider = {0};
    slv_particle_view view;
    slv_clip_report report;
    float place[3];
    (void)add_cloth(world, 1.0f);
    (void)add_ball(world);
    assert_false(slv_garment_is_valid(world, garment));
    assert_false(slv_clip_is_valid(world, clip));
    assert_false(slv_collider_is_valid(world, collider));
    assert_int_equal(slv_garment_get_positions(world, garment, &view), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "null id"));
    assert_int_equal(slv_clip_get_report(world, clip, &report), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "null id"));
    assert_int_equal(slv_collider_get_pose(world, collider, place, NULL), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "null id"));
    assert_false(slv_garment_is_valid(NULL, garment));
    assert_false(slv_clip_is_valid(NULL, clip));
    assert_false(slv_collider_is_valid(NULL, collider));
    slv_world_destroy(world);
}

static void iteration_gives_the_ids_in_the_order_of_adding(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_garment_id cloths[3];
    slv_collider_id balls[3];
    const slv_garment_id no_garment = {0};
    const slv_collider_id no_collider = {0};
    const slv_clip_id no_clip = {0};
    for (int i = 0; i < 3; i++) {
        cloths[i] = add_cloth(world, (float)i);
        balls[i] = add_ball(world);
    }
    assert_int_equal(slv_world_get_garment_count(world), 3);
    assert_int_equal(slv_world_get_collider_count(world), 3);
    for (uint32_t i = 0; i < 3; i++) {
        const slv_garment_id garment = slv_world_get_garment(world, i);
        const slv_collider_id collider = slv_world_get_collider(world, i);
        assert_true(same_id(&garment, &cloths[i]));
        assert_true(same_id(&collider, &balls[i]));
        assert_true(slv_garment_is_valid(world, garment));
        assert_true(slv_collider_is_valid(world, collider));
        assert_int_equal(slv_garment_get_index(world, garment), i);
    }
    const slv_garment_id garment = slv_world_get_garment(world, 3);
    const slv_collider_id collider = slv_world_get_collider(world, 3);
    const slv_clip_id clip = slv_world_get_clip(world, 0);
    assert_true(same_id(&garment, &no_garment));
    assert_true(same_id(&collider, &no_collider));
    assert_true(same_id(&clip, &no_clip));
    assert_int_equal(slv_garment_get_index(world, no_garment), UINT32_MAX);
    slv_world_destroy(world);
}

static void the_id_of_a_removed_collider_stays_invalid(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_collider_id first = add_ball(world);
    assert_int_equal(slv_world_remove_collider(world, first), SLV_OK);
    assert_false(slv_collider_is_valid(world, first));
    const slv_collider_id second = add_ball(world);
    assert_true(slv_collider_is_valid(world, second));
    assert_false(slv_collider_is_valid(world, first));
    assert_int_equal(slv_world_remove_collider(world, first), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "removed"));
    assert_true(slv_collider_is_valid(world, second));
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zeroed_id_names_nothing),
        cmocka_unit_test(iteration_gives_the_ids_in_the_order_of_adding),
        cmocka_unit_test(the_id_of_a_removed_collider_stays_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
