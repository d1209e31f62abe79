// SPDX-License-Identifier: MIT
// Multigrid of every instruction set, faster forms included, against the plain text of kernels/: the same bits.
#include "tests/kernels/compared_worlds.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static bool has_gap(uint32_t i, uint32_t j, uint32_t k) {
    (void)j;
    return !(i > 4 && i < 8 && k > 2 && k < 11) && !(i == 12 && k == 0);
}

static void add_sphere(slv_world *world) {
    slv_collider_def collider = slv_default_collider_def();
    collider.kind = SLV_COLLIDER_SPHERE;
    collider.radius = 0.3f;
    collider.position[1] = -0.32;
    assert_int_equal(slv_world_add_collider(world, &collider, NULL), SLV_OK);
}

// Flat grids with and without shear and bending, wider than a strip and narrower than a vector, along either axis, with
// holes; a solid without coarse grids; and meshes with one level of aggregates and with two.
static slv_world *make_woven(const char *set, slv_solver solver, bool contacts) {
    slv_world *world = make_single(set, solver, 2, 2);
    if (contacts) {
        add_sphere(world);
    }
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.002f;
    garment.fixed = (const uint32_t[]){2, 30};
    garment.fixed_count = 2;
    (void)must_add(world, make_grid(37, 1, 11, 0.02f, NULL), garment);
    garment.shear_stiffness = 300.0f;
    (void)must_add(world, make_grid(150, 1, 19, 0.02f, NULL), garment);
    (void)must_add(world, make_grid(3, 1, 14, 0.02f, NULL), garment);
    garment.bending_stiffness = 20.0f;
    (void)must_add(world, make_grid(33, 30, 1, 0.02f, NULL), garment);
    (void)must_add(world, make_grid(170, 1, 13, 0.02f, NULL), garment);
    garment.shear_stiffness = 0.0f;
    (void)must_add(world, make_grid(19, 1, 23, 0.02f, has_gap), garment);
    (void)must_add(world, make_grid(5, 4, 6, 0.02f, NULL), garment);
    (void)must_add(world, make_cloth(13, 11, 0.04f, false), garment);
    (void)must_add(world, make_cloth(31, 25, 0.04f, false), garment);
    return world;
}

static slv_world *make_free(const char *set, slv_solver solver) {
    return make_woven(set, solver, false);
}

static slv_world *make_touching(const char *set, slv_solver solver) {
    return make_woven(set, solver, true);
}

static void multigrid_of_every_set_equals_the_plain_kernels(void **state) {
    (void)state;
    compare_steps(make_free, SLV_PD_MULTIGRID, 12);
}

static void multigrid_with_contacts_equals_the_plain_kernels(void **state) {
    (void)state;
    compare_steps(make_touching, SLV_PD_MULTIGRID, 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multigrid_of_every_set_equals_the_plain_kernels),
        cmocka_unit_test(multigrid_with_contacts_equals_the_plain_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
