// SPDX-License-Identifier: MIT
// What every test of the runtime needs: worlds that must come into being, and a look inside them. All
// of these fail the running test when something goes wrong.
#ifndef SLV_TESTS_TRY_WORLD_H
#define SLV_TESTS_TRY_WORLD_H

#include "tests/runtime/made_garment.h"

#include <selvage/selvage.h>

slv_world *try_create(const slv_world_def *def);
// Writes the garment to a file of this process, adds it as def says, removes file and garment.
slv_garment_id try_add(slv_world *world, made_garment *made, slv_garment_def def);
void try_step(slv_world *world, uint32_t count);
uint64_t try_hash(slv_world *world);
slv_measures try_measure(slv_world *world);
void try_position(slv_world *world, slv_garment_id id, uint32_t particle, float place[3]);
// value must lie within tolerance of expected.
void try_near(double value, double expected, double tolerance);

// A path for a file of this process in the directory of temporary files.
const char *try_path(char *room, size_t size, const char *name);

#endif
