// SPDX-License-Identifier: MIT
// Cloth at rest for a million steps, half an hour of simulated time: rounding errors must not add up to motion.
#include "tests/common/test_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SIDE = 5, STEPS = 1000000 };

// A cloth far from the origin, where positions are rounded to a hundredth of a millimetre.
static void cloth_at_rest_does_not_drift_in_a_million_steps(void **state) {
    (void)state;
    slv_world_def def = slv_default_world_def();
    def.parameters.gravity[1] = 0.0f;
    def.parameters.damping = 0.0f;
    def.parameters.outer_iterations = 1;
    def.parameters.inner_iterations = 1;
    def.threads = 1;
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.01f;
    garment.stretch_stiffness = 1000.0f;
    slv_garment_id id = must_add(world, make_grid(SIDE, 1, SIDE, 0.125f, NULL), garment);
    garment.position[0] = 100.0;
    garment.position[2] = -60.0;
    slv_garment_id far = must_add(world, make_grid(SIDE, 1, SIDE, 0.1f, NULL), garment);
    const slv_garment_id ids[2] = {id, far};
    float before[2][SIDE * SIDE][3];
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t p = 0; p < SIDE * SIDE; p++) {
            must_position(world, ids[i], p, before[i][p]);
        }
    }
    must_step(world, STEPS);
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t p = 0; p < SIDE * SIDE; p++) {
            float position[3];
            must_position(world, ids[i], p, position);
            for (int d = 0; d < 3; d++) {
                assert_near((double)position[d], (double)before[i][p][d], i == 0 ? 0.0 : 1e-3);
            }
        }
    }
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_at_rest_does_not_drift_in_a_million_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
