// SPDX-License-Identifier: MIT
#include "tests/kernels/body_world.h"

#include "tests/common/generated_body.h"

slv_world *make_body_world(const char *set, slv_solver solver) {
    static const uint32_t kinds[][5] = {{4, 4, 4, 2, 1}, {5, 4, 4, 3, 1}, {7, 5, 4, 0, 1},
                                        {9, 1, 3, 0, 1}, {1, 1, 1, 0, 1}, {12, 6, 6, 5, 2}};
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.parameters.outer_iterations = 2;
    def.parameters.inner_iterations = 3;
    def.instruction_set = set;
    def.threads = 1;
    slv_world *world = must_create(&def);
    for (uint32_t n = 0; n < 6; n++) {
        const uint32_t *kind = kinds[n];
        slv_garment_def garment = slv_default_garment_def();
        const uint32_t held = 0;
        garment.spin[1] = 7.0f;
        garment.spin[2] = (float)n;
        garment.shape_stiffness = n % 2 == 0 ? 1.0f : 0.7f;
        garment.shape_deformation = 0.15f * (float)n;
        garment.fixed = &held;
        garment.fixed_count = n == 1 || n == 2 ? 1 : 0;
        garment.position[0] = 3.0 * n;
        must_add(world, make_body(kind[0], kind[1], kind[2], 0.1f, kind[3], kind[4]), garment);
    }
    return world;
}
