// SPDX-License-Identifier: MIT
// slv_garment_get_structure: particles, constraints and colors of a garment.
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static slv_garment_structure look(slv_world *world, slv_garment_id id) {
    slv_garment_structure structure;
    assert_int_equal(slv_garment_get_structure(world, id, &structure), SLV_OK);
    return structure;
}

static void constraints_join_neighbors_of_other_colors(void **state) {
    (void)state;
    const slv_world_def def = slv_default_world_def();
    slv_world *world = must_create(&def);
    const slv_garment_id id =
        must_add(world, make_grid(5, 1, 4, 0.02f, NULL), slv_default_garment_def());
    const slv_garment_structure a = look(world, id);
    assert_int_equal(a.particle_count, 20);
    assert_int_equal(a.distance_count, 4 * 4 + 5 * 3);
    assert_int_equal(a.constraint_count, a.distance_count); // neither shear nor bending
    assert_int_equal(a.color_count, 2);
    for (uint32_t i = 0; i < a.constraint_count; i++) {
        const slv_constraint *c = &a.constraints[i];
        assert_true(c->a < 20 && c->b < 20 && c->a != c->b);
        assert_int_not_equal(a.colors[c->a], a.colors[c->b]);
        assert_true(fabsf(c->rest - 0.02f) < 1e-6f);
    }
    slv_world_destroy(world);
}

static void fixed_particles_are_marked_as_they_are_now(void **state) {
    (void)state;
    const slv_world_def def = slv_default_world_def();
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    const uint32_t held = 3;
    const uint32_t later = 7;
    garment.fixed = &held;
    garment.fixed_count = 1;
    const slv_garment_id id = must_add(world, make_grid(4, 1, 4, 0.02f, NULL), garment);
    assert_int_equal(look(world, id).fixed[3], 1);
    assert_int_equal(look(world, id).fixed[7], 0);
    assert_int_equal(slv_garment_set_fixed(world, id, &later, 1, true), SLV_OK);
    assert_int_equal(look(world, id).fixed[7], 1);
    slv_world_destroy(world);
}

static void invalid_arguments_are_refused(void **state) {
    (void)state;
    const slv_world_def def = slv_default_world_def();
    slv_world *world = must_create(&def);
    slv_garment_structure structure;
    assert_int_equal(slv_garment_get_structure(NULL, slv_world_get_garment(NULL, 0), &structure),
                     SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_get_structure(world, slv_world_get_garment(world, 0), &structure),
                     SLV_ERROR_ARGUMENT); // there is none yet
    const slv_garment_id id =
        must_add(world, make_grid(3, 1, 3, 0.02f, NULL), slv_default_garment_def());
    assert_int_equal(slv_garment_get_structure(world, id, NULL), SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_join_neighbors_of_other_colors),
        cmocka_unit_test(fixed_particles_are_marked_as_they_are_now),
        cmocka_unit_test(invalid_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
