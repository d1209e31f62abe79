// SPDX-License-Identifier: MIT
#include "tests/runtime/world/small_world.h"

slv_world *small_world(slv_solver solver) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.threads = 2;
    soften_for_integrators(&def, 0.004f, 25.0f);
    return must_create(&def);
}

slv_garment_def small_garment(void) {
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 0.01f;
    def.stretch_stiffness = 1000.0f;
    return def;
}

slv_garment_id add_hanging_cloth(slv_world *world) {
    static const uint32_t corners[] = {0, 7};
    slv_garment_def def = small_garment();
    def.fixed = corners;
    def.fixed_count = 2;
    return must_add(world, make_grid(8, 1, 9, 0.1f, NULL), def);
}
