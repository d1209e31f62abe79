// SPDX-License-Identifier: MIT
#include "tests/common/free_fall.h"

#include "runtime/world/world.h"

#include <math.h>
#include <stdlib.h>

static const double gravity = 9.81;

// How far particles fall in exact arithmetic. Most solvers sum the displacements n g h². Explicit Euler moves first and
// accelerates then; the midpoint rule, Runge-Kutta and Verlet have the parabola.
static double fallen(slv_solver solver, double time_step, uint32_t steps) {
    const bool exact = solver == SLV_MS_MIDPOINT || solver == SLV_MS_RK4 || solver == SLV_MS_VERLET;
    const double late = exact ? 0.0 : solver == SLV_MS_EXPLICIT_EULER ? -1.0 : 1.0;
    return 0.5 * gravity * time_step * time_step * (double)steps * ((double)steps + late);
}

free_fall must_fall(slv_world_def def, double distance) {
    soften_for_integrators(&def, 1e-6f, 0.0f);
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.01f;
    garment.stretch_stiffness = 1000.0f;
    for (int d = 0; d < 3; d++) {
        garment.position[d] = def.origin[d] + distance;
    }
    (void)must_add(world, make_grid(5, 1, 4, 0.05f, NULL), garment);
    const uint32_t steps = (uint32_t)(1.0 / def.time_step + 0.5);
    free_fall fall = {.error = 0.0};
    must_step(world, steps);
    fall.hash = must_hash(world);
    for (uint32_t p = 0; p < 20; p++) {
        double at[6];
        slv_layout_read_exactly(&world->layout, 0, p, at);
        const double length = distance - at[1];
        const double exact = fallen(def.parameters.solver, def.time_step, steps);
        fall.error = fmax(fall.error, fabs(length / exact - 1.0));
    }
    slv_world_destroy(world);
    return fall;
}
