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

// An allocator that counts, and fails when it is told to.
typedef struct try_memory {
    size_t calls; // of both functions
    size_t bytes; // in use
    size_t left;  // allocations until it fails
    size_t most;  // bytes in use that it allows
} try_memory;
try_memory try_plenty(void); // never fails
slv_allocator try_allocator(try_memory *memory);

// A path for a file of this process in the directory of temporary files.
const char *try_path(char *room, size_t size, const char *name);

#endif
