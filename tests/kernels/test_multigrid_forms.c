// SPDX-License-Identifier: MIT
// Multigrid of every instruction set, faster forms included, against the plain text of kernels/: the same bits.
#include "tests/common/test_world.h"
#include "tests/kernels/plain_layouts.h"

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
// holes; and bodies without coarse grids.
static slv_world *make_woven(const char *set, bool contacts) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = SLV_PD_MULTIGRID;
    def.parameters.outer_iterations = 2;
    def.parameters.inner_iterations = 2;
    def.instruction_set = set;
    def.threads = 1;
    slv_world *world = must_create(&def);
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
    return world;
}

static void compare(bool contacts, uint32_t steps) {
    static const char *const sets[] = {"baseline", "avx2", "avx512"};
    slv_world *plain = make_woven(sets[0], contacts);
    const uint64_t before = must_hash(plain);
    play_plainly(plain, (int)steps);
    assert_true(must_hash(plain) != before);
    for (size_t n = 0; n < sizeof sets / sizeof *sets; n++) {
        if (!slv_find_instruction_set(sets[n])) {
            print_message("skipped: this processor has no %s\n", sets[n]);
            continue;
        }
        slv_world *fast = make_woven(sets[n], contacts);
        must_step(fast, steps);
        assert_true(must_hash(fast) == must_hash(plain));
        slv_world_destroy(fast);
    }
    slv_world_destroy(plain);
}

static void multigrid_of_every_set_equals_the_plain_kernels(void **state) {
    (void)state;
    compare(false, 12);
}

static void multigrid_with_contacts_equals_the_plain_kernels(void **state) {
    (void)state;
    compare(true, 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multigrid_of_every_set_equals_the_plain_kernels),
        cmocka_unit_test(multigrid_with_contacts_equals_the_plain_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
