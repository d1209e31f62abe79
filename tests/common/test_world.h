// SPDX-License-Identifier: MIT
// Calls of the runtime that must succeed: the must_ functions fail the running test when the call fails.
#ifndef SLV_TESTS_TEST_WORLD_H
#define SLV_TESTS_TEST_WORLD_H

#include "tests/common/generated_garment.h"

#include <selvage/selvage.h>

// A world without damping, on one thread; seconds.
slv_world_def plain_world(slv_solver solver, double time_step);

// Explicit integrators (MS_…) are unstable where constraints of other solvers are only stiff: with one of them in def,
// springs have `stiffness` times their stiffness and motion has damping of so many 1/s. Nothing otherwise.
void soften_for_integrators(slv_world_def *def, float stiffness, float damping);

// On the CPU all threads take part in all steps, however short.
slv_world *must_create(const slv_world_def *def);
// Writes the garment to a file of this process, adds it as def says, lays it out, removes file and garment.
slv_garment_id must_add(slv_world *world, generated_garment *made, slv_garment_def def);
void must_step(slv_world *world, uint32_t count);
uint64_t must_hash(slv_world *world);
slv_measures must_measure(slv_world *world);
void must_position(slv_world *world, slv_garment_id id, uint32_t particle, float position[3]);
// The state of a world: bytes is for free().
typedef struct saved_world {
    void *bytes;
    size_t size;
} saved_world;
saved_world must_save(slv_world *world);
void must_restore(slv_world *world, const saved_world *saved);
// Both worlds must have the same state; destroys them.
void must_end_alike(slv_world *one, slv_world *other);
// A small collider; numbers 0 … 5 give every shape but fields, and so on from 6.
slv_collider_def collider_of_every_shape(int number);
// value must lie within tolerance of expected.
void assert_near(double value, double expected, double tolerance);

// An allocator that counts calls and bytes, and can fail on request.
typedef struct counting_memory {
    size_t calls; // of both functions
    size_t bytes; // in use
    size_t left;  // allocations until it fails
    size_t most;  // bytes in use that it allows
} counting_memory;
counting_memory unlimited_memory(void); // never fails
slv_allocator counting_allocator(counting_memory *memory);

// The path of a file in the folder of temporary files, with the process number in its name.
const char *temporary_path(char *room, size_t size, const char *name);

#endif
