// SPDX-License-Identifier: MIT
#include "tests/kernels/compared_worlds.h"

#include "tests/common/generated_body.h"
#include "tests/kernels/plain_layouts.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

const char *const compared_sets[COMPARED_SETS] = {"baseline", "avx2", "avx512"};

const slv_instruction_set *find_set(const char *name) {
    const slv_instruction_set *set = slv_find_instruction_set(name);
    if (!set) {
        print_message("skipped: this processor has no %s\n", name);
    }
    return set;
}

void compare_steps(world_maker *make, slv_solver solver, uint32_t steps) {
    slv_world *plain = make(compared_sets[0], solver);
    const uint64_t before = must_hash(plain);
    play_plainly(plain, (int)steps);
    assert_true(must_hash(plain) != before);
    for (size_t n = 0; n < COMPARED_SETS; n++) {
        if (find_set(compared_sets[n])) {
            slv_world *fast = make(compared_sets[n], solver);
            must_step(fast, steps);
            assert_true(must_hash(fast) == must_hash(plain));
            slv_world_destroy(fast);
        }
    }
    slv_world_destroy(plain);
}

slv_world *make_single(const char *set, slv_solver solver, uint32_t outer_iterations,
                       uint32_t inner_iterations) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.parameters.outer_iterations = outer_iterations;
    def.parameters.inner_iterations = inner_iterations;
    def.instruction_set = set;
    def.threads = 1;
    return must_create(&def);
}

slv_world *make_body_world(const char *set, slv_solver solver) {
    static const uint32_t kinds[][5] = {{4, 4, 4, 2, 1}, {5, 4, 4, 3, 1}, {7, 5, 4, 0, 1},
                                        {9, 1, 3, 0, 1}, {1, 1, 1, 0, 1}, {12, 6, 6, 5, 2}};
    slv_world *world = make_single(set, solver, 2, 3);
    for (uint32_t n = 0; n < 6; n++) {
        const uint32_t *kind = kinds[n];
        slv_garment_def garment = slv_default_garment_def();
        const uint32_t fixed = 0;
        garment.spin[1] = 7.0f;
        garment.spin[2] = (float)n;
        garment.shape_stiffness = n % 2 == 0 ? 1.0f : 0.7f;
        garment.shape_deformation = 0.15f * (float)n;
        garment.fixed = &fixed;
        garment.fixed_count = n == 1 || n == 2 ? 1 : 0;
        garment.position[0] = 3.0 * n;
        must_add(world, make_body(kind[0], kind[1], kind[2], 0.1f, kind[3], kind[4]), garment);
    }
    return world;
}
